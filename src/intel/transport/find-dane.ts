import type { DnsResult, TlsaRecord } from "../../dns/records.ts";
import { usableRecords } from "../../transport-security/dane/usable-records.ts";
import type { Evidence } from "../check-result.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { takesMail } from "./sight.ts";

/**
 * DANE state of one mail server of a domain.
 *
 * - `records`: senders match its certificate against these; `records` may be empty: records exist, but none is usable
 * - `none`: the path to it is signed, and there are no records
 * - `insecure`: the path to it is not signed, so senders need not check; `records` are signed themselves
 * - `failed`: the lookup of the records failed, so senders hold mail (RFC 7672 section 2.1.2)
 * - `unknown`: the lookup of the path to it failed
 */
export type HostDane =
  | {
      readonly kind: "records";
      /** Owner name of the records: the host, or the target of its alias. */
      readonly name: string;
      /** The usable records. */
      readonly records: readonly TlsaRecord[];
    }
  | { readonly kind: "none" }
  | {
      readonly kind: "insecure";
      readonly what: "records" | "addresses" | "mx";
      readonly records: readonly TlsaRecord[];
    }
  | {
      readonly kind: "failed";
      readonly name: string;
      readonly reason: string;
      /** The signatures are invalid: the records exist for resolvers that do not validate. */
      readonly isBogus: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: string };

export interface DaneFacts {
  /** DANE state by host name. */
  readonly byHost: ReadonlyMap<string, HostDane>;
  readonly evidence: readonly Evidence[];
}

/**
 * Whether the records of a name exist without validation (the CD bit of RFC 4035), although a validating resolver
 * returns none.
 */
export type IsBogusAt = (name: string, type: "TLSA") => Promise<boolean>;

export interface DaneLookup {
  readonly domain: string;
  readonly hosts: readonly MailHost[];
  /** Its resolver validates. */
  readonly dns: ProbeDns;
  /** Undefined: this cannot be determined. */
  readonly isBogusAt?: IsBogusAt | undefined;
}

/** Mail between servers uses port 25, also if a test uses another port. */
export function tlsaName(host: string): string {
  return `_25._tcp.${host}`;
}

/** Whether DANE applies to each host, and with which records (RFC 7672 section 2.2). */
export async function findDane({ domain, hosts, dns, isBogusAt }: DaneLookup): Promise<DaneFacts> {
  const evidence: Evidence[] = [];
  const { answer: mx } = await dns.lookUp(domain, "MX");

  /** The target of the aliases comes before the host's own name (section 2.2.2). */
  async function lookUp(host: string, canonicalName: string): Promise<HostDane> {
    for (const name of new Set([canonicalName, host])) {
      const { answer, evidence: found } = await dns.lookUp(tlsaName(name), "TLSA");
      evidence.push(found);
      if (answer.kind === "failed") {
        const isBogus = (await isBogusAt?.(tlsaName(name), "TLSA")) ?? false;
        return { kind: "failed", name, reason: answer.reason, isBogus };
      }
      if (answer.kind !== "records") continue;
      if (answer.authenticated) return { kind: "records", name, records: usableRecords(answer.records) };
      return { kind: "insecure", what: "records", records: [] };
    }
    return { kind: "none" };
  }

  async function find({ name }: MailHost): Promise<HostDane> {
    if (mx.kind === "failed") return { kind: "unknown", reason: mx.reason };
    const addresses = await Promise.all([dns.lookUp(name, "A"), dns.lookUp(name, "AAAA")]);
    const known = addresses.flatMap(({ answer }) => (answer.kind === "records" ? [answer] : []));
    const [first] = known;
    if (!first) return { kind: "unknown", reason: failureOf(addresses.map(({ answer }) => answer)) };
    // Without signatures for the addresses the records have none either, and some name servers fail for unknown types.
    if (!known.every(({ authenticated }) => authenticated))
      return { kind: "insecure", what: "addresses", records: [] };
    const found = await lookUp(name, first.canonicalName);
    if (mx.authenticated) return found;
    const records = found.kind === "records" ? found.records : [];
    return { kind: "insecure", what: "mx", records };
  }

  const found = await Promise.all(
    hosts.filter(takesMail).map(async (host) => [host.name, await find(host)] as const),
  );
  return { byHost: new Map(found), evidence };
}

function failureOf(answers: readonly DnsResult<string>[]): string {
  const failed = answers.find((answer) => answer.kind === "failed");
  return failed?.kind === "failed" ? failed.reason : "it has no address";
}
