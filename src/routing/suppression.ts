import { addressKey } from "../message/address/address-key.ts";
import { domainOf } from "../message/address/addresses.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { DSN, FORWARD, SYSTEM_MAIL, settingsAccountOf } from "../shared/operations.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import type { SuppressionDocument } from "../store/documents.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { SuppressionName } from "../store/suppression-store.ts";

/** Fields of a message that select its entries in the suppression list. */
export type Addressed = Pick<MessageDocument, "accountId" | "operation" | "recipient" | "policy">;

interface Addressee {
  readonly accountId: string;
  readonly addressKey: string;
}

function addresseeOf(message: Addressed): Addressee {
  return { accountId: settingsAccountOf(message), addressKey: addressKey(message.recipient) };
}

/**
 * Names of the entries that can suppress a message: for all mail of the account, for mail of its policy, and for the whole
 * domain, which applies to all mail.
 */
export function scopesOf(message: Addressed): readonly SuppressionName[] {
  const addressee = addresseeOf(message);
  const domain = { ...addressee, addressKey: `@${domainOf(addressee.addressKey)}` };
  return [addressee, { ...addressee, policy: message.policy }, domain];
}

/**
 * Finds the entry that suppresses a message; undefined if none does. An entry for all mail of the account has priority over one
 * for the policy.
 * @param entries entries of its scopes, in their order
 */
export function decisiveEntry(
  entries: readonly SuppressionDocument[],
  message: Addressed,
): SuppressionDocument | undefined {
  const concerning = entries.filter((entry) => concerns(entry, message));
  return (
    concerning.find((entry) => entry.policy === undefined) ??
    concerning.find((entry) => entry.policy === message.policy)
  );
}

/**
 * Exceptions: a recipient who unsubscribed still receives notices about messages that they sent themselves, and the postmaster in
 * the settings receives forwarded mail. Mail of Hermod itself is not mail of the account: a member who can change the suppression
 * list must not block a password reset.
 */
function concerns({ reason }: SuppressionDocument, { operation }: Addressed): boolean {
  if (operation === FORWARD) return false;
  if (operation === SYSTEM_MAIL) return reason === "hard_bounce";
  return operation !== DSN || reason === "hard_bounce" || reason === "manual";
}

/**
 * Description of an entry, safe to show.
 * @param as `listed`: as the detail of an event; `stops`: as a sentence of an explanation
 */
export function describeSuppression(
  { addressKey, reason, policy, createdAt, detail }: SuppressionDocument,
  as: "listed" | "stops",
): Phrase {
  const whom = addressKey.startsWith("@") ? "domain" : "recipient";
  const common = { whom, reason, since: createdAt.toISOString() };
  const remark = detail === undefined ? undefined : { detail: safeDetail(detail) };
  if (policy === undefined)
    return remark
      ? phrase(`suppression.${as}_detail`, { ...common, ...remark })
      : phrase(`suppression.${as}`, common);
  return remark
    ? phrase(`suppression.${as}_policy_detail`, { ...common, policy, ...remark })
    : phrase(`suppression.${as}_policy`, { ...common, policy });
}
