import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import type { ReportDigest } from "./digest-reports.ts";

export type BelievedReport = Exclude<ReportDigest, { readonly kind: "unreadable" }>;

const DAY_MS = 86_400_000;
/** A report arrives a day after its period. A user may upload reports of the last year. */
const OLDEST_MS = INTEL_RETENTION_MS;
/** Tolerance for wrong clocks of reporters. */
const NEWEST_MS = 2 * DAY_MS;
const NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Reduces a report to the part that counts for a watched domain: the part about it or about names below it. Anyone
 * can write a report about any domain.
 * @returns the believed report, or a sentence that says why nothing in it counts
 */
export function believeReport(
  digest: ReportDigest,
  domain: string,
  now: Date,
): BelievedReport | { readonly refusal: string } {
  if (digest.kind === "unreadable") return { refusal: `The report could not be read: ${digest.reason}.` };
  const { head } = digest;
  const nowMs = now.getTime();
  if (head.end.getTime() < nowMs - OLDEST_MS)
    return { refusal: "The report covers a period more than 400 days ago." };
  if (head.end.getTime() > nowMs + NEWEST_MS) return { refusal: "The report covers a period in the future." };
  const isOurs = (name: string) => NAME.test(name) && (name === domain || name.endsWith(`.${domain}`));
  if (!head.policyDomains.some(isOurs)) {
    // A TLS report without policies: the receiver sent no mail to the domain.
    if (digest.kind === "tls" && head.policyDomains.length === 0) return digest;
    const [first = ""] = head.policyDomains;
    return { refusal: `The report is about ${JSON.stringify(first.slice(0, 100))}, not about ${domain}.` };
  }
  const isRecent = (day: string) => Date.parse(day) >= nowMs - OLDEST_MS;
  if (digest.kind === "dmarc")
    return { ...digest, rollups: digest.rollups.filter(({ day }) => isRecent(day)) };
  const rollups = digest.rollups.filter(({ policyDomain, day }) => isOurs(policyDomain) && isRecent(day));
  return { ...digest, rollups };
}
