import { createHash } from "node:crypto";
import type { DetailedPeerCertificate } from "node:tls";
import type { TlsaRecord } from "../../dns/records.ts";
import type { Resolver } from "../../dns/resolver.ts";
import type { Clock } from "../../shared/clock.ts";
import { phrase } from "../../shared/phrase.ts";
import type { RecipientDemand, RefusedServer } from "../tls-demand.ts";
import { DANE_TA, usableRecords } from "./usable-records.ts";
import { verifyCertificate } from "./verify-certificate.ts";

export interface DaneDemandOptions {
  /** Resolver that validates DNSSEC. Its validation result must be trustworthy. */
  readonly resolver: Resolver;
  /** Port on which recipients' servers are reached. */
  readonly port: number;
  readonly clock: Clock;
}

interface FoundRecords {
  readonly name: string;
  readonly records: readonly TlsaRecord[];
}

/** Creates the function that finds the DANE demand on a server of the recipient's domain (RFC 7672 section 2.2). */
export function createDaneDemand({ resolver, port, clock }: DaneDemandOptions): RecipientDemand {
  /** The name that the alias of the server resolves to, if the server is an alias. */
  async function canonicalName(exchange: string): Promise<string> {
    for (const type of ["A", "AAAA"] as const) {
      const found = await resolver.resolve(exchange, type);
      if (found.kind === "records") return found.canonicalName;
    }
    return exchange;
  }

  /** The records and their name: the target of the aliases before the server's own name (section 2.2.2). */
  async function lookUp(exchange: string): Promise<FoundRecords | RefusedServer | undefined> {
    for (const name of new Set([await canonicalName(exchange), exchange])) {
      const found = await resolver.resolve(`_${port}._tcp.${name}`, "TLSA");
      if (found.kind === "failed") {
        // An attacker may suppress the records (section 2.1.3).
        const { reason: detail, code: cause } = found;
        return { refused: phrase("dane.lookup_failed", { name, detail, cause }) };
      }
      if (found.kind === "records" && found.authenticated) return { name, records: found.records };
    }
    return undefined;
  }

  return async (domain, { exchange, authenticated }) => {
    // Without DNSSEC for the addresses there is none for the records, and some name servers fail on unknown types.
    if (!authenticated) return undefined;
    const found = await lookUp(exchange);
    if (!found || "refused" in found) return found;
    const records = usableRecords(found.records);
    if (records.length === 0) return { level: "required", key: "required" };
    const names = [...new Set([found.name, domain])];
    return {
      level: "required",
      key: keyOf(records, names),
      verify: ({ certificate }) =>
        verifyCertificate(certificateChain(certificate), { records, names, now: clock.now() }),
    };
  };
}

/** The key is equal for all domains of a server, unless an authority is checked: then the name of the domain may also match. */
function keyOf(records: readonly TlsaRecord[], names: readonly string[]): string {
  const parts = records.map(
    ({ usage, selector, matchingType, certificate }) =>
      `${usage} ${selector} ${matchingType} ${certificate.toString("hex")}`,
  );
  const byAuthority = records.some(({ usage }) => usage === DANE_TA);
  const text = [...parts.sort(), ...(byAuthority ? names : [])].join("\n");
  return `required dane:${createHash("sha256").update(text).digest("base64url")}`;
}

/** Chains have three or four certificates; longer ones are an attack. */
const MAX_CHAIN_LENGTH = 10;

/** The server's certificate and the issuer of each after it, in DER; empty if the server presented none. */
function certificateChain(certificate: DetailedPeerCertificate): readonly Buffer[] {
  const chain: Buffer[] = [];
  let next: Partial<DetailedPeerCertificate> | undefined = certificate;
  while (next?.raw && chain.length < MAX_CHAIN_LENGTH) {
    const { raw } = next;
    // A self-signed certificate is its own issuer, endlessly.
    if (chain.some((known) => known.equals(raw))) break;
    chain.push(raw);
    next = next.issuerCertificate;
  }
  return chain;
}
