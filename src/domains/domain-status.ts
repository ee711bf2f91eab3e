// The status and the permission to send are computed from the evidence at each read. A stored flag beside a status could
// contradict it.

import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainStatus } from "../store/domain-document.ts";
import type { ListedDomain } from "../store/domain-store.ts";
import { OWNERSHIP, signingKeys } from "./wanted-records.ts";

/** What the status of a domain follows from. */
export type StatusFacts = Pick<ListedDomain, "name" | "verifiedAt" | "records">;
type RecordFacts = StatusFacts["records"][number];
export type KeyFacts = Pick<DomainKeyDocument, "selector" | "algorithm" | "signsFrom">;

/** How a domain stands, and why. */
export interface Standing {
  readonly status: DomainStatus;
  /** Whether its owner's proof permits sending from it. */
  readonly maySend: boolean;
  /** What keeps it from being verified, in words. */
  readonly reasons: readonly string[];
  /** When a degraded domain stops to send, unless it is repaired. */
  readonly sendsUntil: Date | undefined;
}

/** What is required was there, and is gone: who repairs it within this time notices nothing. */
export const GRACE_MS = 72 * 3_600_000;

/**
 * The status of a domain: the one function for lists, pages and the check of a sender. Nothing that was right is counted
 * as gone before the zone's own servers have said so twice; a look under way, an error or a new key changes nothing.
 */
export function standingOf(domain: StatusFacts, keys: readonly KeyFacts[], now: Date): Standing {
  const known = new Map(domain.records.map((record) => [record.key, record]));
  const required = requiredOf(keys, now).map(({ key, since }) => ({ since, record: known.get(key), key }));
  const stands = ({ record }: { readonly record: RecordFacts | undefined }) =>
    record?.rightAt !== undefined && record.against?.confirmedAt === undefined;

  if (domain.verifiedAt === undefined) {
    // What has come and gone again does not verify a domain for the first time.
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
  // A key that was never seen yet is no loss: its record is looked for.
  if (lostMs.length === 0) return { status: "verified", maySend: true, reasons, sendsUntil: undefined };
  const endsMs = Math.min(...lostMs) + GRACE_MS;
  if (now.getTime() >= endsMs) return { status: "failed", maySend: false, reasons, sendsUntil: undefined };
  return { status: "degraded", maySend: true, reasons, sendsUntil: new Date(endsMs) };
}

/** Without these no mail may be sent: the proof, and the key that every verifier knows. */
function requiredOf(keys: readonly KeyFacts[], now: Date): { readonly key: string; readonly since: Date }[] {
  const rsa = signingKeys(keys, now).filter(({ algorithm }) => algorithm === "rsa-sha256");
  const ofKeys = rsa.map(({ selector, signsFrom }) => ({ key: `dkim:${selector}`, since: signsFrom }));
  const some = ofKeys.length > 0 ? ofKeys : [{ key: NO_KEY, since: new Date(0) }];
  return [{ key: OWNERSHIP, since: new Date(0) }, ...some];
}

/** Nothing is ever found of it: there is no key that signs. */
const NO_KEY = "dkim:";

function reasonOf(key: string, record: RecordFacts | undefined): string {
  if (key === NO_KEY) return "No DKIM key signs for the domain yet.";
  const name = key === OWNERSHIP ? "The proof of ownership" : `The DKIM key ${key.slice("dkim:".length)}`;
  if (!record || record.outcome === "unknown") {
    const why = record?.failure ? `: ${record.failure.reason}` : " yet";
    return `${name} has not been seen${why}.`;
  }
  return `${name}: ${record.problem}`;
}
