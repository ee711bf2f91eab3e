import { addressKey } from "../message/address/addresses.ts";
import { derivedMessageIdAt } from "../shared/ids.ts";
import type { Ceiling, HeldNotice, Incident } from "./incident.ts";
import type { Ledger } from "./ledger.ts";
import type { NotifySettings } from "./rule.ts";

const HOUR_MS = 3_600_000;
/** In one digest; others are counted. */
const MAX_HELD = 25;
/** A recipient who is mailed no more is forgotten. */
const KEPT_MS = 30 * 86_400_000;

export function ceilingId(ruleId: string, recipient: string): string {
  return `${ruleId}.${addressKey(recipient)}`;
}

type FormerCeiling = Omit<Ceiling, "ruleVersion" | "expireAt">;

/** Whether a recipient may be mailed now; if not, it waits for a digest. Either is noted. */
export function passesCeiling(
  ledger: Ledger,
  { accountId, ruleId, ruleVersion }: Incident,
  {
    recipient,
    held,
    notify,
    now,
  }: {
    readonly recipient: string;
    readonly held: HeldNotice;
    readonly notify: NotifySettings;
    readonly now: Date;
  },
): boolean {
  const id = ceilingId(ruleId, recipient);
  const former: FormerCeiling = ledger.ceiling(id) ?? {
    ...{ _id: id, accountId, ruleId, recipient, mailedAt: [], held: [], more: 0, digests: 0, revision: 0 },
  };
  const mailedAt = former.mailedAt.filter((at) => at.getTime() > now.getTime() - HOUR_MS);
  const expireAt = new Date(now.getTime() + KEPT_MS);
  const common = { ...former, ruleVersion, mailedAt, expireAt };
  // Behind what waits it waits, too: it would overtake that.
  if (mailedAt.length < notify.ceiling && former.held.length === 0) {
    ledger.putCeiling(withDue({ ...common, mailedAt: [...mailedAt, now] }, notify));
    return true;
  }
  const all = [held, ...former.held];
  const next: Ceiling = {
    ...common,
    held: all.slice(0, MAX_HELD),
    more: former.more + Math.max(0, all.length - MAX_HELD),
    heldSince: former.heldSince ?? now,
  };
  ledger.putCeiling(withDue(next, notify));
  return false;
}

/** Settles the content of a digest that is due. */
export function settleCeiling(ledger: Ledger, id: string, notify: NotifySettings, now: Date): void {
  const ceiling = ledger.ceiling(id);
  const dueAt = ceiling && digestDue(ceiling, notify);
  if (!ceiling?.heldSince || ceiling.pending || !dueAt || dueAt > now) return;
  const { heldSince: since, held, more, ...rest } = ceiling;
  const number = ceiling.digests + 1;
  const messageId = derivedMessageIdAt(now, messageIdOf(id), `digest ${number}`);
  const pending = { number, at: now, since, held, more, messageId };
  const next = { ...rest, held: [], more: 0, digests: number, lastDigestAt: now, pending };
  ledger.putCeiling(withDue(next, notify));
}

/** A digest was sent, or what stood in its way is noted. */
export function withDue(ceiling: Ceiling, notify: NotifySettings): Ceiling {
  const { dueAt: _, ...rest } = ceiling;
  const dueAt = digestDue(ceiling, notify);
  return dueAt ? { ...rest, dueAt } : rest;
}

function digestDue(
  { pending, heldSince, lastDigestAt }: Ceiling,
  { digestMs }: NotifySettings,
): Date | undefined {
  if (pending) return pending.trouble?.retryAt ?? pending.at;
  if (!heldSince) return undefined;
  return new Date(Math.max(heldSince.getTime(), lastDigestAt?.getTime() ?? 0) + digestMs);
}

/** Ids of messages are derived from ids: this one is of the rule. */
function messageIdOf(id: string): string {
  return id.slice(0, id.indexOf("."));
}
