import { X509Certificate } from "node:crypto";
import type { TlsaRecord } from "../../dns/records.ts";
import { DANE_EE, DANE_TA } from "../../transport-security/dane/usable-records.ts";
import { verifyCertificate } from "../../transport-security/dane/verify-certificate.ts";
import { matchesMx } from "../../transport-security/mta-sts/matches-mx.ts";
import { certificatePath } from "../mail-host-probe/certificate-path.ts";
import type { TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { HostDane } from "./find-dane.ts";
import type { MtaStsFacts } from "./find-mta-sts.ts";

/** What senders ask of the certificate of one mail server, besides that there is one. */
export interface CertificateDemand {
  /** Who has told senders to refuse one that is not trusted, named and in date; undefined: nobody. */
  readonly demandedBy: string | undefined;
  /** Why it is not known whether somebody has. */
  readonly unknown: string | undefined;
  /**
   * What of TLSA records vouches for it, for all senders that look at all: the key itself, whatever else the certificate says
   * (RFC 7672 section 3.1.1), or its authority.
   */
  readonly vouchedBy: "key" | "authority" | undefined;
  /** The certificate has to have one of these names. */
  readonly names: readonly [string, ...string[]];
}

export interface DemandFacts {
  readonly domain: string;
  readonly mtaSts: MtaStsFacts;
  /** Of the host. */
  readonly dane: HostDane | undefined;
  readonly now: Date;
}

export function certificateDemand(host: string, tls: TlsFacts, facts: DemandFacts): CertificateDemand {
  const { mtaSts, dane } = facts;
  const { record, policy } = mtaSts;
  const isAnnounced = record.kind === "one";
  const enforced = isAnnounced && policy.kind === "policy" && policy.policy.mode === "enforce";
  const byMtaSts = enforced && matchesMx(host, policy.policy.mx);
  const byDane = dane?.kind === "records" ? vouching(tls, dane.records, facts, dane.name) : undefined;
  const isAuthorityDemanded =
    byDane !== "key" && dane?.kind === "records" && dane.records.some(({ usage }) => usage === DANE_TA);
  const demands = [...(byMtaSts ? ["MTA-STS"] : []), ...(isAuthorityDemanded ? ["DANE"] : [])];
  return {
    demandedBy: demands.length > 0 ? demands.join(" and ") : undefined,
    unknown: whyUnknown(facts),
    // Those who heed MTA-STS and not DANE look at all of it.
    vouchedBy: byMtaSts ? undefined : byDane,
    // RFC 7672 section 3.2.2: by DANE the name of the domain does, too.
    names: isAuthorityDemanded && !byMtaSts ? [dane.name, facts.domain] : [host],
  };
}

function whyUnknown({ mtaSts: { record, policy }, dane }: DemandFacts): string | undefined {
  if (record.kind === "failed") return `the MTA-STS record could not be looked up (${record.reason})`;
  if (record.kind === "one" && policy.kind === "unknown")
    return `the MTA-STS policy could not be fetched (${policy.reason})`;
  return dane?.kind === "failed" ? `TLSA records could not be looked up (${dane.reason})` : undefined;
}

function vouching(
  tls: TlsFacts,
  records: readonly TlsaRecord[],
  { domain, now }: DemandFacts,
  name: string,
): CertificateDemand["vouchedBy"] {
  const keys = records.filter(({ usage }) => usage === DANE_EE);
  if (keys.length > 0 && whyNoMatch(tls, keys, { names: [name, domain], now }) === undefined) return "key";
  return whyNoMatch(tls, records, { names: [name, domain], now }) === undefined ? "authority" : undefined;
}

/** What is wrong with a server's certificate by its TLSA records; undefined: nothing. */
export function whyNoMatch(
  { certificates }: TlsFacts,
  records: readonly TlsaRecord[],
  { names, now }: { readonly names: readonly string[]; readonly now: Date },
): string | undefined {
  const path = certificatePath(certificates.map((der) => new X509Certificate(der)));
  const fault = verifyCertificate(
    path.map(({ raw }) => raw),
    { records, names, now },
  );
  return fault?.replace(/^DANE: /, "");
}
