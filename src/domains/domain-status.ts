// The status and the permission to send are computed from the evidence at each read. A stored flag beside a status could
// contradict it.

import { type Phrase, phrase, phrases } from "../shared/phrase.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainStatus } from "../store/domain-document.ts";
import type { ListedDomain } from "../store/domain-store.ts";
import { OWNERSHIP, signingKeys } from "./wanted-records.ts";

/** Facts that determine the status of a domain. */
export type StatusFacts = Pick<ListedDomain, "name" | "verifiedAt" | "records">;
type RecordFacts = StatusFacts["records"][number];
export type KeyFacts = Pick<DomainKeyDocument, "selector" | "algorithm" | "signsFrom">;

/** Status of a domain, with its reasons. */
export interface Standing {
  readonly status: DomainStatus;
  /** Whether the proof of ownership permits sending from the domain. */
  readonly maySend: boolean;
  /** Why the domain is not verified. */
  readonly reasons: readonly Phrase[];
  /** Time at which a degraded domain stops sending unless it is repaired. */
  readonly sendsUntil: Date | undefined;
}

/** Grace period for a lost record. A repair within it has no effect on sending. */
export const GRACE_MS = 72 * 3_600_000;

/**
 * Computes the status of a domain: the only function for lists, pages and sender checks. A record counts as lost only
 * after the zone's own servers have denied it twice. A running check, an error or a new key changes nothing.
 */
export function standingOf(domain: StatusFacts, keys: readonly KeyFacts[], now: Date): Standing {
  const known = new Map(domain.records.map((record) => [record.key, record]));
  const required = requiredOf(keys, now).map(({ key, since }) => ({ since, record: known.get(key), key }));
  const stands = ({ record }: { readonly record: RecordFacts | undefined }) =>
    record?.rightAt !== undefined && record.against?.confirmedAt === undefined;

  if (domain.verifiedAt === undefined) {
    // A record that was lost again does not verify a domain for the first time.
    const open = required.filter((one) => !stands(one) || one.record?.against);
    const reasons = open.map(({ key, record }) => reasonOf(key, record));
    if (open.length === 0) return { status: "verified", maySend: true, reasons, sendsUntil: undefined };
    const owned = required.some((one) => one.key === OWNERSHIP && stands(one));
    return { status: owned ? "verifying" : "unverified", maySend: false, reasons, sendsUntil: undefined };
  }
  const reasons = required.filter((one) => !stands(one)).map(({ key, record }) => reasonOf(key, record));
  const lostMs = required.flatMap(({ record, since }) => {
    const confirmed = record?.against?.confirmedAt;
    return confirmed ? [Math.max(confirmed.getTime(), since.getTime())] : [];
  });
  // A key that was never seen is no loss: its record is still expected.
  if (lostMs.length === 0) return { status: "verified", maySend: true, reasons, sendsUntil: undefined };
  const endsMs = Math.min(...lostMs) + GRACE_MS;
  if (now.getTime() >= endsMs) return { status: "failed", maySend: false, reasons, sendsUntil: undefined };
  return { status: "degraded", maySend: true, reasons, sendsUntil: new Date(endsMs) };
}

/** Records required for sending: the proof of ownership, and the key that every verifier supports. */
function requiredOf(keys: readonly KeyFacts[], now: Date): { readonly key: string; readonly since: Date }[] {
  const rsa = signingKeys(keys, now).filter(({ algorithm }) => algorithm === "rsa-sha256");
  const ofKeys = rsa.map(({ selector, signsFrom }) => ({ key: `dkim:${selector}`, since: signsFrom }));
  const some = ofKeys.length > 0 ? ofKeys : [{ key: NO_KEY, since: new Date(0) }];
  return [{ key: OWNERSHIP, since: new Date(0) }, ...some];
}

/** Key of a missing signing key. It never has evidence. */
const NO_KEY = "dkim:";

function reasonOf(key: string, record: RecordFacts | undefined): Phrase {
  if (key === NO_KEY) return phrase("domain.no_key");
  if (record && record.outcome !== "unknown")
    return phrases(aboutKey(key, "wrong"), { text: record.problem, parts: record.problemParts ?? [] });
  const failure = record?.failure;
  if (!failure) return aboutKey(key, "unchecked");
  const why = { text: failure.reason, parts: failure.reasonParts ?? [] };
  return phrases(aboutKey(key, "failed"), why);
}

/** Codes of the proof of ownership and of a DKIM key, by the result of the check. */
const aboutKeys = {
  wrong: ["domain.ownership", "domain.dkim"],
  unchecked: ["domain.ownership_not_found", "domain.dkim_not_found"],
  failed: ["domain.ownership_not_found_because", "domain.dkim_not_found_because"],
} as const;

function aboutKey(key: string, result: keyof typeof aboutKeys): Phrase {
  const [ofOwnership, ofDkim] = aboutKeys[result];
  if (key === OWNERSHIP) return phrase(ofOwnership);
  return phrase(ofDkim, { selector: key.slice("dkim:".length) });
}
