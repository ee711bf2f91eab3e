import { addressKey, domainOf } from "../message/address/addresses.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { DSN, FORWARD, SYSTEM_MAIL, settingsAccountOf } from "../shared/operations.ts";
import type { SuppressionDocument } from "../store/documents.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { SuppressionName } from "../store/suppression-store.ts";

/** What of a message says which entries of the suppression list may keep it from being sent. */
export type Addressed = Pick<MessageDocument, "accountId" | "operation" | "recipient" | "policy">;

interface Addressee {
  readonly accountId: string;
  readonly addressKey: string;
}

function addresseeOf(message: Addressed): Addressee {
  return { accountId: settingsAccountOf(message), addressKey: addressKey(message.recipient) };
}

/**
 * What may keep a message from being sent: an entry for all mail of the account, one for its policy's, or one for the
 * whole domain, which is for all mail.
 */
export function scopesOf(message: Addressed): readonly SuppressionName[] {
  const addressee = addresseeOf(message);
  const domain = { ...addressee, addressKey: `@${domainOf(addressee.addressKey)}` };
  return [addressee, { ...addressee, policy: message.policy }, domain];
}

/**
 * The entry that keeps a message from being sent; undefined: none does. The one for all mail of the account goes before
 * the policy's.
 * @param entries those of its scopes, in their order
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
 * A recipient who wants no more mail of the account is still told what became of what he has sent himself; and the
 * postmaster of the settings gets what comes for him. Mail of Hermod's own is no mail of the account's: whoever may change
 * its list must not keep somebody from a new password.
 */
function concerns({ reason }: SuppressionDocument, { operation }: Addressed): boolean {
  if (operation === FORWARD) return false;
  if (operation === SYSTEM_MAIL) return reason === "hard_bounce";
  return operation !== DSN || reason === "hard_bounce" || reason === "manual";
}

/** What an entry says, safe to show. */
export function describeSuppression(entry: SuppressionDocument): string {
  const { addressKey: name, reason, policy, createdAt, detail } = entry;
  const whom = name.startsWith("@") ? "the domain of the recipient" : "the recipient";
  const scope = policy === undefined ? "for all mail of the account" : `for mail of the policy ${policy}`;
  const remark = detail === undefined ? "" : ` (${detail})`;
  const since = createdAt.toISOString();
  return safeDetail(
    `${whom} is on the suppression list: ${reason.replace("_", " ")}, since ${since}, ${scope}${remark}`,
  );
}
