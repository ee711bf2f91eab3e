import { addressKey, domainOf } from "../../message/address/addresses.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import { DSN, FORWARD, SYSTEM_MAIL } from "../../shared/operations.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import { type SuppressionName, suppressionId } from "../../store/suppression-store.ts";

type Addressed = Pick<MessageDocument, "_id" | "accountId" | "operation" | "recipient" | "policy">;

/** How a message ends that must not be sent, and why. */
export interface Suppressed {
  /** `bounced`: the entry stems from this message, whose own end a crash has kept from being written. */
  readonly to: "suppressed" | "bounced";
  readonly detail: string;
}

/**
 * What the list says of a message; undefined: it may be sent. Asks each time, so that what is taken off the list
 * counts at once.
 * @throws Fault store.unavailable: it is not known
 */
export type CheckSuppression = (message: Addressed) => Promise<Suppressed | undefined>;

export interface CheckSuppressionOptions {
  readonly suppressions: Pick<AcrossAccounts["suppressions"], "findAmong">;
  readonly clock: Clock;
}

/** Messages that are about to leave together are looked up together. */
export function createCheckSuppression({ suppressions, clock }: CheckSuppressionOptions): CheckSuppression {
  const batch = createNaturalBatch<Addressed, SuppressionDocument | undefined>({
    run: async (messages) => {
      const found = new Map<string, SuppressionDocument[]>();
      const { documents, unreadable } = await suppressions.findAmong(messages.flatMap(scopesOf), clock.now());
      const doubts = new Map(
        unreadable.map(({ id, reason }) => [id, `the suppression entry ${id} cannot be read: ${reason}`]),
      );
      for (const entry of documents) {
        const entries = found.get(nameOf(entry));
        if (entries) entries.push(entry);
        else found.set(nameOf(entry), [entry]);
      }
      return messages.map((message) => {
        const names = new Set(scopesOf(message).map(nameOf));
        const entries = [...names]
          .flatMap((name) => found.get(name) ?? [])
          .filter((entry) => concerns(entry, message));
        const value = decisive(entries, message.policy);
        const doubt = scopesOf(message)
          .map((scope) => doubts.get(suppressionId(scope)))
          .find(Boolean);
        // Nobody is sent mail who may have forbidden it.
        return doubt && !value ? { ok: false, error: new Error(doubt) } : { ok: true, value };
      });
    },
    maxItems: 500,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: 4,
    enoughItems: 16,
  });
  return async (message) => {
    const entry = await batch.submit(message);
    if (entry?.reason === "hard_bounce" && entry.messageId === message._id) {
      return { to: "bounced", detail: entry.detail ?? "the address is not valid" };
    }
    return entry && { to: "suppressed", detail: describe(entry) };
  };
}

interface Addressee {
  readonly accountId: string;
  readonly addressKey: string;
}

function addresseeOf({ accountId, recipient }: Addressed): Addressee {
  return { accountId, addressKey: addressKey(recipient) };
}

/**
 * What may keep a message from being sent: an entry for all mail of the account, one for its policy's, or one for the
 * whole domain, which is for all mail.
 */
function scopesOf(message: Addressed): readonly SuppressionName[] {
  const addressee = addresseeOf(message);
  const domain = { ...addressee, addressKey: `@${domainOf(addressee.addressKey)}` };
  return [addressee, { ...addressee, policy: message.policy }, domain];
}

function nameOf({ accountId, addressKey }: Addressee): string {
  return `${accountId} ${addressKey}`;
}

/**
 * A recipient who wants no more mail of the account is still told what became of what he has sent himself; and the
 * postmaster of the settings gets what comes for him. Mail of Hermod's own is no mail of the account's: whoever may change
 * its list must not keep somebody from a new password.
 */
function concerns({ reason }: SuppressionDocument, { operation }: Addressed): boolean {
  if (operation === FORWARD) return false;
  if (operation === SYSTEM_MAIL) return reason === "hard_bounce";
  return operation !== DSN || reason === "hard_bounce" || reason === "manual";
}

/** The entry for all mail of the account goes before the policy's. */
function decisive(entries: readonly SuppressionDocument[], policy: string): SuppressionDocument | undefined {
  return (
    entries.find((entry) => entry.policy === undefined) ?? entries.find((entry) => entry.policy === policy)
  );
}

function describe({ addressKey: name, reason, policy, createdAt, detail }: SuppressionDocument): string {
  const whom = name.startsWith("@") ? "the domain of the recipient" : "the recipient";
  const scope = policy === undefined ? "for all mail of the account" : `for mail of the policy ${policy}`;
  const remark = detail === undefined ? "" : ` (${detail})`;
  const since = createdAt.toISOString();
  return safeDetail(
    `${whom} is on the suppression list: ${reason.replace("_", " ")}, since ${since}, ${scope}${remark}`,
  );
}
