import { createPrivateKey } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DomainSchema } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type DkimAlgorithm, dnsRecord, generateDkimKeyPair } from "../message/dkim/keys.ts";
import { parseDomain } from "../message/domains.ts";
import { fault, validationFault } from "../shared/fault.ts";
import type { DomainKeyDocument } from "../store/documents.ts";

const suffixes: Readonly<Record<DkimAlgorithm, string>> = { "rsa-sha256": "r", "ed25519-sha256": "e" };

/** @throws Fault request.validation_failed */
export function readDomainName(text: string): string {
  const result = parseDomain(text);
  if (result.ok) return result.domain;
  throw validationFault([{ pointer: "/domain", code: result.code, message: result.message }]);
}

/** A pair of keys, one of each algorithm, that sign from a moment on. */
export async function makeDomainKeys(
  accountId: string,
  domain: string,
  now: Date,
  signsFrom: Date,
): Promise<DomainKeyDocument[]> {
  const algorithms = Object.keys(suffixes) as DkimAlgorithm[];
  return Promise.all(
    algorithms.map(async (algorithm) => {
      const { privateKey } = await generateDkimKeyPair(algorithm);
      // Unlike any earlier one: a verifier may still remember that record.
      const selector = `hm${now.getTime().toString(36)}${suffixes[algorithm]}`;
      return {
        _id: `${accountId}.${domain}.${selector}`,
        accountId,
        domain,
        selector,
        algorithm,
        privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        signsFrom,
        createdAt: now,
      };
    }),
  );
}

/** The first keys of a domain, which sign at once. Their ids are the same whoever makes them: there is one pair. */
export async function makeFirstDomainKeys(
  accountId: string,
  domain: string,
  now: Date,
): Promise<DomainKeyDocument[]> {
  const keys = await makeDomainKeys(accountId, domain, now, now);
  return keys.map((key) => ({ ...key, _id: `${accountId}.${domain}.first-${key.algorithm}` }));
}

/** When the keys that sign now began to; undefined: none do yet. */
export function signingSince(keys: readonly DomainKeyDocument[], now: Date): number | undefined {
  const begun = keys.map(({ signsFrom }) => signsFrom.getTime()).filter((at) => at <= now.getTime());
  return begun.length === 0 ? undefined : Math.max(...begun);
}

/** @throws Fault domain.unknown when there is no key */
export function toDomain(
  keys: readonly DomainKeyDocument[],
  now: Date,
): MessageInitShape<typeof DomainSchema> {
  const [first] = keys;
  if (!first) throw fault("domain.unknown");
  const since = signingSince(keys, now);
  return {
    accountId: first.accountId,
    name: first.domain,
    keys: keys.map(({ selector, domain, algorithm, privateKey, signsFrom }) => {
      const { name, value } = dnsRecord({ selector, domain, key: createPrivateKey(privateKey) });
      const at = signsFrom.getTime();
      const state = at > now.getTime() ? "upcoming" : at === since ? "signing" : "retired";
      const signs = timestampFromDate(signsFrom);
      return { selector, algorithm, state, recordName: name, recordValue: value, signsFrom: signs };
    }),
  };
}
