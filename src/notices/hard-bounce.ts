import { addressKey } from "../message/address/address-key.ts";
import type { NewSuppression } from "../store/merge-suppression.ts";
import type { MessageDocument } from "../store/message-documents.ts";

export interface HardBounce {
  readonly message: Pick<MessageDocument, "_id" | "accountId" | "recipient">;
  /** Reply of the server, safe to show. */
  readonly detail: string;
  readonly at: Date;
  /** Duration of the suppression, in milliseconds; undefined: no end. */
  readonly suppressionMs: number | undefined;
}

/** Suppresses all mail of the account to a mailbox that does not exist. */
export function hardBounce({ message, detail, at, suppressionMs }: HardBounce): NewSuppression {
  return {
    accountId: message.accountId,
    addressKey: addressKey(message.recipient),
    address: message.recipient,
    reason: "hard_bounce",
    messageId: message._id,
    detail,
    createdAt: at,
    ...(suppressionMs !== undefined && { expireAt: new Date(at.getTime() + suppressionMs) }),
  };
}
