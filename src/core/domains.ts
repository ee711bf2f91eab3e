import { createPrivateKey } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AddDomainRequest,
  type AddDomainResponseSchema,
  type DomainSchema,
  DomainService,
  type GetDomainRequest,
  type GetDomainResponseSchema,
  type RotateDomainRequest,
  type RotateDomainResponseSchema,
} from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { parseDomain } from "../message/address/senders.ts";
import { type DkimAlgorithm, dnsRecord, generateDkimKeyPair } from "../message/dkim/keys.ts";
import { defineArea } from "../rpc/area.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { fault, validationFault } from "../shared/fault.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { NewDomainKey } from "../store/domain-key-store.ts";
import type { Store } from "../store/store.ts";
import { type AccountSettings, signingSince } from "./access/account-settings.ts";
import type { Dependencies } from "./dependencies.ts";
import { resolveAccount } from "./resolve-account.ts";

/** Domains of accounts, with the DKIM keys that sign for them. */
export const domains = defineArea({
  service: DomainService,
  callers: { addDomain: OPERATOR_ONLY, getDomain: OPERATOR_ONLY, rotateDomain: OPERATOR_ONLY },
  handlers: ({ store, settings, clock }: Pick<Dependencies, "store" | "settings" | "clock">) => ({
    addDomain: createAddDomain({ store, settings, clock }),
    getDomain: createGetDomain({ store, clock }),
    rotateDomain: createRotateDomain({ store, settings, clock }),
  }),
});

export interface AddDomainOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Makes the first keys of a domain, which sign at once; of several calls at once, all get the keys of one. */
export function createAddDomain({ store, settings, clock }: AddDomainOptions) {
  return async (request: AddDomainRequest): Promise<MessageInitShape<typeof AddDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await resolveAccount(store, request);
    const known = await account.domainKeys.list(domain);
    if (known.length > 0) return { domain: toDomain(known, clock.now()) };
    const now = clock.now();
    const keys = await account.domainKeys.insertFirst(domain, await makeDomainKeys(domain, now, now));
    settings.forget();
    return { domain: toDomain(keys, clock.now()) };
  };
}

export interface GetDomainOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

function createGetDomain({ store, clock }: GetDomainOptions) {
  return async (request: GetDomainRequest): Promise<MessageInitShape<typeof GetDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await resolveAccount(store, request);
    return { domain: toDomain(await account.domainKeys.list(domain), clock.now()) };
  };
}

export interface RotateDomainOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
/** Time to publish the new records, and for caches to let go of their absence. */
const DEFAULT_SIGN_AFTER_HOURS = 48;

/** Makes the next keys of a domain; those that sign now go on until the new ones take over. */
function createRotateDomain({ store, settings, clock }: RotateDomainOptions) {
  return async (
    request: RotateDomainRequest,
  ): Promise<MessageInitShape<typeof RotateDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await resolveAccount(store, request);
    const known = await account.domainKeys.list(domain);
    if (known.length === 0) throw fault("domain.unknown");
    const now = clock.now();
    const hours = request.signAfterHours ?? DEFAULT_SIGN_AFTER_HOURS;
    const signsFrom = new Date(now.getTime() + hours * HOUR_MS);
    const next = await account.domainKeys.insertMany(await makeDomainKeys(domain, now, signsFrom));
    settings.forget();
    return { domain: toDomain([...next, ...known], now) };
  };
}

const suffixes: Readonly<Record<DkimAlgorithm, string>> = { "rsa-sha256": "r", "ed25519-sha256": "e" };

/** @throws Fault request.validation_failed */
function readDomainName(text: string): string {
  const result = parseDomain(text);
  if (result.ok) return result.domain;
  throw validationFault([{ pointer: "/domain", code: result.code, message: result.message }]);
}

/** A pair of keys, one of each algorithm, that sign from a moment on. */
async function makeDomainKeys(domain: string, now: Date, signsFrom: Date): Promise<NewDomainKey[]> {
  const algorithms = Object.keys(suffixes) as DkimAlgorithm[];
  return Promise.all(
    algorithms.map(async (algorithm) => {
      const { privateKey } = await generateDkimKeyPair(algorithm);
      // Unlike any earlier one: a verifier may still remember that record.
      const selector = `hm${now.getTime().toString(36)}${suffixes[algorithm]}`;
      return {
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

/** @throws Fault domain.unknown when there is no key */
function toDomain(keys: readonly DomainKeyDocument[], now: Date): MessageInitShape<typeof DomainSchema> {
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
