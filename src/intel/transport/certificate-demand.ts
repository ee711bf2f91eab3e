import { X509Certificate } from "node:crypto";
import type { TlsaRecord } from "../../dns/records.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import { DANE_EE, DANE_TA } from "../../transport-security/dane/usable-records.ts";
import { verifyCertificate } from "../../transport-security/dane/verify-certificate.ts";
import { matchesMx } from "../../transport-security/mta-sts/matches-mx.ts";
import { certificatePath } from "../mail-host-probe/certificate-path.ts";
import type { TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { HostDane } from "./find-dane.ts";
import type { MtaStsFacts } from "./find-mta-sts.ts";

/** Requirements of senders for the certificate of one mail server, beyond its existence. */
export interface CertificateDemand {
  /**
   * Policies that make senders reject a certificate that is untrusted, has a wrong name or is out of date; empty: none.
   */
  readonly demandedBy: readonly string[];
  /** Why the requirements are unknown. */
  readonly unknown: Phrase | undefined;
  /**
   * Part of the certificate that TLSA records authenticate for all senders that check it: the key, regardless of the
   * rest of the certificate (RFC 7672 section 3.1.1), or its authority.
   */
  readonly vouchedBy: "key" | "authority" | undefined;
  /** The certificate must contain at least one of these names. */
  readonly names: readonly [string, ...string[]];
}

export interface DemandFacts {
  readonly domain: string;
  readonly mtaSts: MtaStsFacts;
  /** DANE of the host. */
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
  return {
    demandedBy: [...(byMtaSts ? ["MTA-STS"] : []), ...(isAuthorityDemanded ? ["DANE"] : [])],
    unknown: whyUnknown(facts),
    // Senders that follow MTA-STS but not DANE check the whole certificate.
    vouchedBy: byMtaSts ? undefined : byDane,
    // RFC 7672 section 3.2.2: DANE also accepts the name of the domain.
    names: isAuthorityDemanded && !byMtaSts ? [dane.name, facts.domain] : [host],
  };
}

function whyUnknown({ mtaSts: { record, policy }, dane }: DemandFacts): Phrase | undefined {
  if (record.kind === "failed") return phrase("certificate.cost_unknown_record", { reason: record.reason });
  if (record.kind === "one" && policy.kind === "unknown")
    return phrase("certificate.cost_unknown_policy", { reason: policy.reason });
  if (dane?.kind !== "failed") return undefined;
  return phrase("certificate.cost_unknown_dane", { reason: dane.reason });
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

/** Why a server's certificate does not match its TLSA records; undefined: it does. */
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
  return fault?.text.replace(/^DANE: /, "");
}
