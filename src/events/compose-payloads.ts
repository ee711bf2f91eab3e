import type { EventPayload } from "../../contracts/events.ts";
import { toldType } from "../shared/webhook-types.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { ToldChange, WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";
import { messagePayload, subjectPayload } from "./webhook-payload.ts";

/** What is to be told: of a message, or of a subject. */
export type ToldEvent = Pick<WebhookDeliveryDocument, "eventId" | "type" | "at" | "accountId" | "messageId"> &
  Partial<Pick<ToldChange, "subject">>;

/**
 * Makes the payloads of events, in their order; undefined: what it tells of is there no more.
 * @param version of the payloads
 * @throws Fault store.unavailable
 */
export type ComposePayloads = (
  events: readonly ToldEvent[],
  version: string,
) => Promise<readonly (EventPayload | undefined)[]>;

export function createComposePayloads({
  messages,
  events,
}: Pick<AcrossAccounts, "messages" | "events">): ComposePayloads {
  async function payloadOf(
    told: ToldEvent,
    version: string,
    byId: ReadonlyMap<string, MessageDocument>,
  ): Promise<EventPayload | undefined> {
    const { messageId = "", eventId, subject } = told;
    if (subject) return subjectPayload(told, version, subject);
    const message = byId.get(messageId);
    if (!message) return undefined;
    // The first is that it was stored, of which there is no event.
    if (eventId === `${messageId}.0.accepted` || eventId === `${messageId}.0.scheduled`)
      return messagePayload(told, version, { message, event: undefined, sequence: 1 });
    const timeline = await events.listOfMessage(messageId);
    const known = timeline.filter(({ kind }) => toldType(kind) !== undefined).sort(byOrder);
    const position = known.findIndex(({ _id }) => _id === eventId);
    if (position < 0) return undefined;
    return messagePayload(told, version, { message, event: known[position], sequence: position + 2 });
  }

  return async (told, version) => {
    const ids = [...new Set(told.flatMap(({ messageId }) => messageId ?? []))];
    const found = ids.length > 0 ? await messages.findByIds(ids) : [];
    const byId = new Map(found.map((message) => [message._id, message]));
    return Promise.all(told.map((one) => payloadOf(one, version, byId)));
  };
}

/** In time, as those say who have stored them: one whose clock is behind may put an event before others that were told. */
function byOrder(a: EventDocument, b: EventDocument): number {
  return a.at.getTime() - b.at.getTime() || a.attempt - b.attempt || (a._id < b._id ? -1 : 1);
}
