import type { DnsResult, TlsaRecord } from "../../dns/records.ts";
import { usableRecords } from "../../transport-security/dane/usable-records.ts";
import type { Evidence } from "../check-result.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { takesMail } from "./sight.ts";

/**
 * What DANE has for one mail server of a domain.
 *
 * - `records`: senders hold its certificate against these; `records` may be empty: there are some, and none can be used
 * - `none`: the way to it is signed, and there are no records
 * - `insecure`: what leads to it is not signed: senders need not look; `records` are signed themselves, all the same
 * - `failed`: the records could not be looked up, and so senders keep mail back (RFC 7672 section 2.1.2)
 * - `unknown`: nothing is known of what leads to it
 */
export type HostDane =
  | {
      readonly kind: "records";
      /** Whose records they are: the host, or what it is an alias of. */
      readonly name: string;
      /** Those that can be used. */
      readonly records: readonly TlsaRecord[];
    }
  | { readonly kind: "none" }
  | { readonly kind: "insecure"; readonly what: string; readonly records: readonly TlsaRecord[] }
  | {
      readonly kind: "failed";
      readonly name: string;
      readonly reason: string;
      /** Their signatures are not valid: they are there for who does not look at those. */
      readonly isBogus: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: string };

export interface DaneFacts {
  /** By the host's name. */
  readonly byHost: ReadonlyMap<string, HostDane>;
  readonly evidence: readonly Evidence[];
}

/**
 * Whether the records of a name are there once nobody validates them (the CD bit of RFC 4035), although a resolver that validates
 * does not give them.
 */
export type TellBogus = (name: string, type: "TLSA") => Promise<boolean>;

export interface DaneLookup {
  readonly domain: string;
  readonly hosts: readonly MailHost[];
  /** Its resolver validates. */
  readonly dns: ProbeDns;
  /** Undefined: nobody can tell. */
  readonly tellBogus?: TellBogus | undefined;
}

/** Mail between servers comes to port 25, wherever a test has it. */
export function tlsaName(host: string): string {
  return `_25._tcp.${host}`;
}

/** Whether DANE applies to each host, and with which records (RFC 7672 section 2.2). */
export async function findDane({ domain, hosts, dns, tellBogus }: DaneLookup): Promise<DaneFacts> {
  const evidence: Evidence[] = [];
  const { answer: mx } = await dns.lookUp(domain, "MX");

  /** The name behind the aliases comes before the host's own (section 2.2.2). */
  async function lookUp(host: string, canonicalName: string): Promise<HostDane> {
    for (const name of new Set([canonicalName, host])) {
      const { answer, evidence: found } = await dns.lookUp(tlsaName(name), "TLSA");
      evidence.push(found);
      if (answer.kind === "failed") {
        const isBogus = (await tellBogus?.(tlsaName(name), "TLSA")) ?? false;
        return { kind: "failed", name, reason: answer.reason, isBogus };
      }
      if (answer.kind !== "records") continue;
      if (answer.authenticated) return { kind: "records", name, records: usableRecords(answer.records) };
      return { kind: "insecure", what: "the TLSA records are", records: [] };
    }
    return { kind: "none" };
  }

  async function find({ name }: MailHost): Promise<HostDane> {
    if (mx.kind === "failed") return { kind: "unknown", reason: mx.reason };
    const addresses = await Promise.all([dns.lookUp(name, "A"), dns.lookUp(name, "AAAA")]);
    const known = addresses.flatMap(({ answer }) => (answer.kind === "records" ? [answer] : []));
    const [first] = known;
    if (!first) return { kind: "unknown", reason: failureOf(addresses.map(({ answer }) => answer)) };
    // Without signatures for the addresses there are none for the records, and name servers that fail at unknown types.
    if (!known.every(({ authenticated }) => authenticated))
      return { kind: "insecure", what: "the addresses are", records: [] };
    const found = await lookUp(name, first.canonicalName);
    if (mx.authenticated) return found;
    const records = found.kind === "records" ? found.records : [];
    return { kind: "insecure", what: `the MX records of ${domain} are`, records };
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
