import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import type { ReportDigest } from "./digest-reports.ts";

export type BelievedReport = Exclude<ReportDigest, { readonly kind: "unreadable" }>;

const DAY_MS = 86_400_000;
/** A report comes a day after what it is about; somebody may upload those of a year. */
const OLDEST_MS = INTEL_RETENTION_MS;
/** Clocks of others may be wrong. */
const NEWEST_MS = 2 * DAY_MS;
const NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * What of a report counts for a watched domain: what is about it, or about a name below it. Anybody can write a report about
 * anything.
 * @returns or why nothing of it does, in a sentence
 */
export function believeReport(
  digest: ReportDigest,
  domain: string,
  now: Date,
): BelievedReport | { readonly refusal: string } {
  if (digest.kind === "unreadable") return { refusal: `It could not be read: ${digest.reason}.` };
  const { head } = digest;
  const nowMs = now.getTime();
  if (head.end.getTime() < nowMs - OLDEST_MS)
    return { refusal: "It is about a time of more than 400 days ago." };
  if (head.end.getTime() > nowMs + NEWEST_MS) return { refusal: "It is about a time that is yet to come." };
  const isOurs = (name: string) => NAME.test(name) && (name === domain || name.endsWith(`.${domain}`));
  if (!head.policyDomains.some(isOurs)) {
    // A TLS report without policies: nothing was sent.
    if (digest.kind === "tls" && head.policyDomains.length === 0) return digest;
    const [first = ""] = head.policyDomains;
    return { refusal: `It is about ${JSON.stringify(first.slice(0, 100))}, and not about ${domain}.` };
  }
  const isRecent = (day: string) => Date.parse(day) >= nowMs - OLDEST_MS;
  if (digest.kind === "dmarc")
    return { ...digest, rollups: digest.rollups.filter(({ day }) => isRecent(day)) };
  const rollups = digest.rollups.filter(({ policyDomain, day }) => isOurs(policyDomain) && isRecent(day));
  return { ...digest, rollups };
}
