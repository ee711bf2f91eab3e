import { messagePayload, subjectPayload } from "../events/webhook-payload.ts";
import { toldType } from "../shared/webhook-types.ts";
import type { EventDocument } from "../store/message-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";

/**
 * Makes the body of a delivery; undefined: what it tells of is there no more.
 * @param version of the endpoint's payloads
 */
export type ComposeBody = (delivery: WebhookDeliveryDocument, version: string) => Promise<string | undefined>;

/** What was sent before is sent again, byte for byte, whatever has happened since. */
export function createComposeBody({
  messages,
  events,
}: Pick<AcrossAccounts, "messages" | "events">): ComposeBody {
  return async (delivery, version) => {
    const { body, messageId, eventId, subject } = delivery;
    if (body !== undefined) return body;
    if (subject) return JSON.stringify(subjectPayload(delivery, version, subject));
    if (messageId === undefined) return undefined;
    const [message, timeline] = await Promise.all([
      messages.findByIds([messageId]).then(([found]) => found),
      events.listOfMessage(messageId),
    ]);
    if (!message) return undefined;
    const told = timeline.filter(({ kind }) => toldType(kind) !== undefined).sort(byOrder);
    const position = told.findIndex(({ _id }) => _id === eventId);
    const isStart = eventId === `${messageId}.0.accepted` || eventId === `${messageId}.0.scheduled`;
    if (position < 0 && !isStart) return undefined;
    // The first is that it was stored.
    const sequence = position + 2;
    return JSON.stringify(messagePayload(delivery, version, { message, event: told[position], sequence }));
  };
}

/** In time, as those say who have stored them: one whose clock is behind may put an event before others that were told. */
function byOrder(a: EventDocument, b: EventDocument): number {
  return a.at.getTime() - b.at.getTime() || a.attempt - b.attempt || (a._id < b._id ? -1 : 1);
}
