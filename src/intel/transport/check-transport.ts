import type { Clock } from "../../shared/clock.ts";
import type { FetchPolicy } from "../../transport-security/mta-sts/fetch-policy.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evidence, Judgement } from "../check-result.ts";
import type { MailHostProbe, TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHosts } from "../mx/find-mail-hosts.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { certificateDemand } from "./certificate-demand.ts";
import { type DaneFacts, findDane, type TellBogus } from "./find-dane.ts";
import { findMtaSts, type MtaStsFacts } from "./find-mta-sts.ts";
import { findTlsRpt } from "./find-tls-rpt.ts";
import { judgeExpiry, judgeName, judgeTrust } from "./judge-certificates.ts";
import { judgeDane } from "./judge-dane.ts";
import { judgeStsMx, judgeStsPolicy, judgeStsRecord } from "./judge-mta-sts.ts";
import { judgeStartTls, judgeTlsVersion } from "./judge-starttls.ts";
import { judgeTlsRpt } from "./judge-tls-rpt.ts";
import { sightsOf } from "./sight.ts";
import { smtpEvidence } from "./smtp-evidence.ts";

export interface TransportCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  /** As `findMailHosts` has them. */
  readonly mail: MailHosts;
  /** What was seen of the hosts lately, by their names in lower case; one that is missing was not looked at yet. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  /** What Hermod sees of mail servers at all, by the probes of all domains. */
  readonly vantage: Vantage;
  readonly dns: ProbeDns;
  /** Whether the resolver behind `dns` validates DNSSEC, and can be trusted to; without that DANE is not tested. */
  readonly isValidating: boolean;
  /** Undefined: nobody can tell a bogus answer from another failure. */
  readonly tellBogus?: TellBogus | undefined;
  readonly fetchPolicy: FetchPolicy;
  /** Where TLS reports about the domain can be sent, for those who ask for none yet. */
  readonly reportAddress?: string | undefined;
  readonly clock: Pick<Clock, "now">;
}

const EXPECTED = {
  "transport.starttls": "Each mail server offers STARTTLS, and the handshake succeeds.",
  "transport.cert_trust":
    "Each mail server has a certificate of a public authority, and sends the whole chain.",
  "transport.cert_name":
    "The certificate of each mail server has the server's name among its alternative names.",
  "transport.cert_expiry":
    "The certificate of each mail server is in date, and is renewed 14 days before its end, or when a third of its life is left.",
  "transport.tls_version": "Each mail server speaks TLS 1.2 or TLS 1.3.",
  "transport.mta_sts.record": "One TXT record at _mta-sts is of the form v=STSv1; id=….",
  "transport.mta_sts.policy": "mta-sts serves a policy that senders can read and keep.",
  "transport.mta_sts.mx": "The policy names each host of the MX records.",
  "transport.tlsrpt": "One TXT record at _smtp._tls has an address for TLS reports.",
  "transport.dane": "Each mail server has TLSA records, signed with DNSSEC, and its certificate matches one.",
} as const;
type TransportCheckId = keyof typeof EXPECTED;
const IDS = Object.keys(EXPECTED) as TransportCheckId[];

/** The way of mail to the domain: every check `transport.*` of the catalogue. */
export async function checkTransport(check: TransportCheck): Promise<CheckResult[]> {
  const domain = check.domain.toLowerCase().replace(/\.$/, "");
  const { mail, clock, isValidating } = check;
  const noServer = whyNoServer(check);
  if (noServer !== undefined) return all({ status: "not_tested", observed: noServer }, mail.evidence);
  const [mtaSts, tlsRpt] = await Promise.all([
    findMtaSts({ ...check, domain }),
    findTlsRpt(domain, check.dns),
  ]);
  const hosts = "hosts" in mail ? mail.hosts : undefined;
  // Last, for it asks most: a domain with many hosts may use its lookups up.
  const dane = isValidating && hosts ? await findDane({ ...check, domain, hosts }) : undefined;

  const now = clock.now();
  const sights = hosts ? sightsOf({ ...check, hosts }) : [];
  const probes = (hosts ?? []).flatMap(({ name }) => check.probes.get(name) ?? []);
  const seen = probes.length > 0 ? probes.flatMap(smtpEvidence) : mail.evidence;
  const sts = { domain, mtaSts, hosts, now };
  const demandOf = (host: string, tls: TlsFacts) =>
    certificateDemand(host, tls, { domain, mtaSts, dane: dane?.byHost.get(host), now });
  const certificates = { sights, demandOf, now };
  const ofServers = (judge: () => Judgement, evidence: readonly Evidence[] = seen) => ({
    ...(hosts ? judge() : unknownServers(mail)),
    evidence,
  });
  const { record, policy } = mtaSts.evidence;

  const judgements: Record<TransportCheckId, Judgement & { readonly evidence: readonly Evidence[] }> = {
    "transport.starttls": ofServers(() => judgeStartTls(sights)),
    "transport.cert_trust": ofServers(() => judgeTrust(certificates)),
    "transport.cert_name": ofServers(() => judgeName(certificates)),
    "transport.cert_expiry": ofServers(() => judgeExpiry(certificates)),
    "transport.tls_version": ofServers(() => judgeTlsVersion(sights)),
    "transport.mta_sts.record": { ...judgeStsRecord(sts), evidence: [record, policy] },
    "transport.mta_sts.policy": { ...judgeStsPolicy(sts), evidence: [policy] },
    "transport.mta_sts.mx": { ...judgeStsMx(sts), evidence: [...mail.evidence.slice(0, 1), policy] },
    "transport.tlsrpt": {
      ...judgeTlsRpt({ ...check, domain, tlsRpt, policies: policiesOf(mtaSts, dane) }),
      evidence: tlsRpt.evidence,
    },
    "transport.dane": ofServers(
      () => judgeDane({ domain, dane, sights, now }),
      [...mail.evidence, ...(dane?.evidence ?? []), ...seen],
    ),
  };
  return IDS.map((id) => ({ id, expected: EXPECTED[id], ...judgements[id] }));
}

/** Why there is nothing to look at; undefined: there is, or it is not known. */
function whyNoServer({ role, mail }: TransportCheck): string | undefined {
  if (role === "parked") return "The domain is parked: there is no way of mail to it to look at.";
  return mail.kind === "null" || mail.kind === "none" ? "The domain has no mail server." : undefined;
}

function all(judgement: Judgement, evidence: readonly Evidence[]): CheckResult[] {
  return IDS.map((id) => ({ id, expected: EXPECTED[id], ...judgement, evidence }));
}

function unknownServers(mail: MailHosts): Judgement {
  const reason = mail.kind === "failed" ? mail.reason : "unknown";
  return { status: "error", observed: `The mail servers could not be looked up: ${reason}.` };
}

function policiesOf({ record }: MtaStsFacts, dane: DaneFacts | undefined): string[] {
  const hasDane = [...(dane?.byHost.values() ?? [])].some(({ kind }) => kind === "records");
  return [...(record.kind === "one" ? ["MTA-STS"] : []), ...(hasDane ? ["DANE"] : [])];
}
