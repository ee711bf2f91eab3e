import { messagePayload, subjectPayload } from "../events/webhook-payload.ts";
import { toldType } from "../shared/webhook-types.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";

/**
 * Makes the bodies of deliveries, in their order; undefined: what it tells of is there no more.
 * @param version of the endpoint's payloads
 * @throws Fault store.unavailable
 */
export type ComposeBodies = (
  deliveries: readonly WebhookDeliveryDocument[],
  version: string,
) => Promise<readonly (string | undefined)[]>;

/** What was sent before is sent again, byte for byte, whatever has happened since. */
export function createComposeBodies({
  messages,
  events,
}: Pick<AcrossAccounts, "messages" | "events">): ComposeBodies {
  async function bodyOf(
    delivery: WebhookDeliveryDocument,
    version: string,
    byId: ReadonlyMap<string, MessageDocument>,
  ): Promise<string | undefined> {
    const { body, messageId = "", eventId, subject } = delivery;
    if (body !== undefined) return body;
    if (subject) return JSON.stringify(subjectPayload(delivery, version, subject));
    const message = byId.get(messageId);
    if (!message) return undefined;
    // The first is that it was stored, of which there is no event.
    if (eventId === `${messageId}.0.accepted` || eventId === `${messageId}.0.scheduled`)
      return JSON.stringify(messagePayload(delivery, version, { message, event: undefined, sequence: 1 }));
    const timeline = await events.listOfMessage(messageId);
    const told = timeline.filter(({ kind }) => toldType(kind) !== undefined).sort(byOrder);
    const position = told.findIndex(({ _id }) => _id === eventId);
    if (position < 0) return undefined;
    const facts = { message, event: told[position], sequence: position + 2 };
    return JSON.stringify(messagePayload(delivery, version, facts));
  }

  return async (deliveries, version) => {
    const fresh = deliveries.filter(({ body, subject }) => body === undefined && !subject);
    const ids = [...new Set(fresh.flatMap(({ messageId }) => messageId ?? []))];
    const found = ids.length > 0 ? await messages.findByIds(ids) : [];
    const byId = new Map(found.map((message) => [message._id, message]));
    return Promise.all(deliveries.map((delivery) => bodyOf(delivery, version, byId)));
  };
}

/** In time, as those say who have stored them: one whose clock is behind may put an event before others that were told. */
function byOrder(a: EventDocument, b: EventDocument): number {
  return a.at.getTime() - b.at.getTime() || a.attempt - b.attempt || (a._id < b._id ? -1 : 1);
}
