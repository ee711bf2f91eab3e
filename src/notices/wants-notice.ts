import type { DeliveryAction } from "../message/dsn/report.ts";
import { SMTP_SUBMIT } from "../shared/operations.ts";
import type { DsnNotify, MessageDocument } from "../store/message-documents.ts";

/** Notice types in terms of RFC 3461 section 4.1. */
const NOTIFY_OF: Readonly<Record<DeliveryAction, DsnNotify>> = {
  failed: "failure",
  delayed: "delay",
  delivered: "success",
  relayed: "success",
  expanded: "success",
};
/** Notices for a sender without NOTIFY. */
const OTHERWISE: readonly DsnNotify[] = ["failure"];

/** Envelope sender of a message. Empty for the null sender, which never receives notices. */
export function envelopeSender({
  envelopeFrom,
  from,
}: Pick<MessageDocument, "envelopeFrom" | "from">): string {
  return envelopeFrom ?? from;
}

/** Whether the sender wants a notice of this result by mail. Only SMTP clients do. Other clients use the API. */
export function wantsNotice(message: MessageDocument, action: DeliveryAction): boolean {
  const { operation, notify = [] } = message;
  if (operation !== SMTP_SUBMIT || envelopeSender(message) === "" || notify.includes("never")) return false;
  return (notify.length > 0 ? notify : OTHERWISE).includes(NOTIFY_OF[action]);
}
