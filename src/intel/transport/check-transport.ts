import type { Clock } from "../../shared/clock.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import type { FetchPolicy } from "../../transport-security/mta-sts/fetch-policy.ts";
import type { DomainRole } from "../catalogue.ts";
import {
  type CheckResult,
  type Evaluation,
  type Evidence,
  expectedFields,
  observedFields,
} from "../check-result.ts";
import type { MailHostProbe, TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHosts } from "../mx/find-mail-hosts.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { certificateDemand } from "./certificate-demand.ts";
import { evaluateExpiry, evaluateName, evaluateTrust } from "./evaluate-certificates.ts";
import { evaluateDane } from "./evaluate-dane.ts";
import { evaluateStsMx, evaluateStsPolicy, evaluateStsRecord } from "./evaluate-mta-sts.ts";
import { evaluateStartTls, evaluateTlsVersion } from "./evaluate-starttls.ts";
import { evaluateTlsRpt } from "./evaluate-tls-rpt.ts";
import { type DaneFacts, findDane, type IsBogusAt } from "./find-dane.ts";
import { findMtaSts, type MtaStsFacts } from "./find-mta-sts.ts";
import { findTlsRpt } from "./find-tls-rpt.ts";
import { sightsOf } from "./sight.ts";
import { smtpEvidence } from "./smtp-evidence.ts";

export interface TransportCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  /** Result of `findMailHosts`. */
  readonly mail: MailHosts;
  /** Recent probes by host name in lower case. A missing host was not probed yet. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  /** Visibility of mail servers from Hermod, from the probes of all domains. */
  readonly vantage: Vantage;
  readonly dns: ProbeDns;
  /** Whether the resolver behind `dns` validates DNSSEC and is trusted. Without it DANE is not tested. */
  readonly isValidating: boolean;
  /** Undefined: a bogus answer cannot be distinguished from other failures. */
  readonly isBogusAt?: IsBogusAt | undefined;
  readonly fetchPolicy: FetchPolicy;
  /** Address for TLS reports about the domain, proposed to domains that request none. */
  readonly reportAddress?: string | undefined;
  readonly clock: Pick<Clock, "now">;
}

const EXPECTED = {
  "transport.starttls": phrase("transport.expects_starttls"),
  "transport.cert_trust": phrase("transport.expects_trust"),
  "transport.cert_name": phrase("transport.expects_name"),
  "transport.cert_expiry": phrase("transport.expects_expiry"),
  "transport.tls_version": phrase("transport.expects_version"),
  "transport.mta_sts.record": phrase("transport.expects_sts_record"),
  "transport.mta_sts.policy": phrase("transport.expects_sts_policy"),
  "transport.mta_sts.mx": phrase("transport.expects_sts_mx"),
  "transport.tlsrpt": phrase("transport.expects_tls_rpt"),
  "transport.dane": phrase("transport.expects_dane"),
} as const;
type TransportCheckId = keyof typeof EXPECTED;
const IDS = Object.keys(EXPECTED) as TransportCheckId[];

/** Checks the transport of mail to the domain: every `transport.*` check of the catalogue. */
export async function checkTransport(check: TransportCheck): Promise<CheckResult[]> {
  const domain = check.domain.toLowerCase().replace(/\.$/, "");
  const { mail, clock, isValidating } = check;
  const noServer = whyNoServer(check);
  if (noServer !== undefined)
    return all({ status: "not_tested", ...observedFields(noServer) }, mail.evidence);
  const [mtaSts, tlsRpt] = await Promise.all([
    findMtaSts({ ...check, domain }),
    findTlsRpt(domain, check.dns),
  ]);
  const hosts = "hosts" in mail ? mail.hosts : undefined;
  // DANE comes last because it needs the most lookups: a domain with many hosts may exhaust the budget.
  const dane = isValidating && hosts ? await findDane({ ...check, domain, hosts }) : undefined;

  const now = clock.now();
  const sights = hosts ? sightsOf({ ...check, hosts }) : [];
  const probes = (hosts ?? []).flatMap(({ name }) => check.probes.get(name) ?? []);
  const seen = probes.length > 0 ? probes.flatMap(smtpEvidence) : mail.evidence;
  const sts = { domain, mtaSts, hosts, now };
  const demandOf = (host: string, tls: TlsFacts) =>
    certificateDemand(host, tls, { domain, mtaSts, dane: dane?.byHost.get(host), now });
  const certificates = { sights, demandOf, now };
  const ofServers = (evaluate: () => Evaluation, evidence: readonly Evidence[] = seen) => ({
    ...(hosts ? evaluate() : unknownServers(mail)),
    evidence,
  });
  const { record, policy } = mtaSts.evidence;

  const evaluations: Record<TransportCheckId, Evaluation & { readonly evidence: readonly Evidence[] }> = {
    "transport.starttls": ofServers(() => evaluateStartTls(sights)),
    "transport.cert_trust": ofServers(() => evaluateTrust(certificates)),
    "transport.cert_name": ofServers(() => evaluateName(certificates)),
    "transport.cert_expiry": ofServers(() => evaluateExpiry(certificates)),
    "transport.tls_version": ofServers(() => evaluateTlsVersion(sights)),
    "transport.mta_sts.record": { ...evaluateStsRecord(sts), evidence: [record, policy] },
    "transport.mta_sts.policy": { ...evaluateStsPolicy(sts), evidence: [policy] },
    "transport.mta_sts.mx": { ...evaluateStsMx(sts), evidence: [...mail.evidence.slice(0, 1), policy] },
    "transport.tlsrpt": {
      ...evaluateTlsRpt({ ...check, domain, tlsRpt, policies: policiesOf(mtaSts, dane) }),
      evidence: tlsRpt.evidence,
    },
    "transport.dane": ofServers(
      () => evaluateDane({ domain, dane, sights, now }),
      [...mail.evidence, ...(dane?.evidence ?? []), ...seen],
    ),
  };
  return IDS.map((id) => ({ id, ...expectedFields(EXPECTED[id]), ...evaluations[id] }));
}

/** Why there is nothing to check; undefined: there is, or it is unknown. */
function whyNoServer({ role, mail }: TransportCheck): Phrase | undefined {
  if (role === "parked") return phrase("transport.parked");
  return mail.kind === "null" || mail.kind === "none" ? phrase("transport.no_server") : undefined;
}

function all(evaluation: Evaluation, evidence: readonly Evidence[]): CheckResult[] {
  return IDS.map((id) => ({ id, ...expectedFields(EXPECTED[id]), ...evaluation, evidence }));
}

function unknownServers(mail: MailHosts): Evaluation {
  const reason = mail.kind === "failed" ? mail.reason : "unknown";
  return { status: "error", ...observedFields(phrase("transport.servers_unknown", { reason })) };
}

function policiesOf({ record }: MtaStsFacts, dane: DaneFacts | undefined): string[] {
  const hasDane = [...(dane?.byHost.values() ?? [])].some(({ kind }) => kind === "records");
  return [...(record.kind === "one" ? ["MTA-STS"] : []), ...(hasDane ? ["DANE"] : [])];
}
