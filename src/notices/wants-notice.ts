import type { DeliveryAction } from "../message/dsn/report.ts";
import { SMTP_SUBMIT } from "../shared/operations.ts";
import type { DsnNotify, MessageDocument } from "../store/message-documents.ts";

/** What RFC 3461 section 4.1 calls each. */
const NOTIFY_OF: Readonly<Record<DeliveryAction, DsnNotify>> = {
  failed: "failure",
  delayed: "delay",
  delivered: "success",
  relayed: "success",
  expanded: "success",
};
/** What a sender who says nothing is told. */
const OTHERWISE: readonly DsnNotify[] = ["failure"];

/** The envelope sender of a message: empty, the null sender, to whom nothing is ever sent. */
export function envelopeSender({
  envelopeFrom,
  from,
}: Pick<MessageDocument, "envelopeFrom" | "from">): string {
  return envelopeFrom ?? from;
}

/**
 * Whether the sender wants to be told by mail that this became of the message. Only who speaks SMTP does: others have
 * the API.
 */
export function wantsNotice(message: MessageDocument, action: DeliveryAction): boolean {
  const { operation, notify = [] } = message;
  if (operation !== SMTP_SUBMIT || envelopeSender(message) === "" || notify.includes("never")) return false;
  return (notify.length > 0 ? notify : OTHERWISE).includes(NOTIFY_OF[action]);
}
