import type { Clock } from "../shared/clock.ts";
import { newId } from "../shared/ids.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainDocument, DomainEventDocument } from "../store/domain-document.ts";
import type { DomainChange } from "../store/domain-store.ts";
import type { Store } from "../store/store.ts";
import { standingOf } from "./domain-status.ts";
import { mergeFinding } from "./evidence.ts";
import { nextCheckAt } from "./next-check.ts";
import type { DomainRecords, ReadDomain } from "./read-domain.ts";
import { type SendingSetup, wantedRecords } from "./wanted-records.ts";

export interface CheckDomainOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly read: ReadDomain;
  readonly setup: SendingSetup;
  readonly clock: Clock;
  /** Retention of domain events. */
  readonly retentionMs: number;
  /** Called when the account's permitted senders have changed, or may have. */
  readonly onChange: () => void;
}

/**
 * Checks a domain and stores the result. The status changes only at the end of the check. Several checks may run
 * concurrently.
 * @returns null: there is no such domain
 */
export type CheckDomain = (accountId: string, name: string) => Promise<DomainDocument | null>;

export function createCheckDomain(options: CheckDomainOptions): CheckDomain {
  const { store, read, setup, clock, retentionMs, onChange } = options;
  return async (accountId, name) => {
    const account = store.forAccount(accountId);
    const [domain, keys] = await Promise.all([account.domains.find(name), account.domainKeys.list(name)]);
    if (!domain) return null;
    const at = clock.now();
    const wanted = wantedRecords(domain, keys, setup, at);
    const records = await read(name, wanted);
    const isWanted = new Set(wanted.map(({ key }) => key));
    const retired = keys.map(({ selector }) => `dkim:${selector}`).filter((key) => !isWanted.has(key));
    let changed = false;
    const stored = await account.domains.change(name, (known) => {
      // The domain was removed and added again during the check, so the result is obsolete.
      if (known.token !== domain.token) return undefined;
      const change = afterCheck(known, records, { keys, retired, at, now: clock.now(), retentionMs });
      changed = change.event !== undefined;
      return change;
    });
    if (changed) onChange();
    return stored;
  };
}

interface CheckFacts {
  readonly keys: readonly DomainKeyDocument[];
  /** Obsolete evidence. */
  readonly retired: readonly string[];
  /** Start of the check. */
  readonly at: Date;
  readonly now: Date;
  readonly retentionMs: number;
}

/** Applies the result of a check to a domain, with an event if its status has changed. */
export function afterCheck(
  known: DomainDocument,
  { findings, nameServers }: DomainRecords,
  { keys, retired, at, now, retentionMs }: CheckFacts,
): DomainChange {
  const former = new Map(known.records.map((record) => [record.key, record]));
  const fresh = findings.map((finding) => mergeFinding(former.get(finding.key), finding, at));
  const gone = new Set([...fresh.map(({ key }) => key), ...retired]);
  const records = [...fresh, ...known.records.filter(({ key }) => !gone.has(key))];
  const isInVain = findings.some(({ key, outcome }) => key === "ownership" && outcome === "unknown");
  const learned: DomainDocument = {
    ...known,
    records,
    nameServers: nameServers ?? known.nameServers,
    checkedAt: known.checkedAt && known.checkedAt > at ? known.checkedAt : at,
    failures: isInVain ? known.failures + 1 : 0,
  };
  const { status, reasons } = standingOf(learned, keys, now);
  const isVerified = status === "verified" && learned.verifiedAt === undefined;
  const hasChanged = status !== known.status;
  const changed: DomainDocument = {
    ...learned,
    ...(isVerified && { verifiedAt: now }),
    ...(hasChanged && { status, statusSince: now }),
  };
  const domain = { ...changed, nextCheckAt: nextCheckAt(changed, status, now) };
  if (!hasChanged) return { domain, event: undefined };
  const event: DomainEventDocument = {
    _id: newId("dev", now),
    accountId: known.accountId,
    domain: known.name,
    kind: "domain.status_changed",
    from: known.status,
    to: status,
    reasons: reasons.map(({ text }) => text),
    at: now,
    expireAt: new Date(now.getTime() + retentionMs),
  };
  return { domain, event };
}
