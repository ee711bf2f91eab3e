import type { EventPayload } from "../../contracts/events.ts";
import { webhookTypeOf } from "../shared/webhook-types.ts";
import type { LoggedEvent } from "../store/event-log-store.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";
import { messagePayload, subjectPayload } from "./webhook-payload.ts";

/**
 * Composes the payloads of events, in order. A payload is undefined if the subject of its event no longer exists.
 * @param version payload version
 * @throws Fault store.unavailable
 */
export type ComposePayloads = (
  events: readonly LoggedEvent[],
  version: string,
) => Promise<readonly (EventPayload | undefined)[]>;

export function createComposePayloads({
  messages,
  events,
}: Pick<AcrossAccounts, "messages" | "events">): ComposePayloads {
  async function payloadOf(
    reported: LoggedEvent,
    version: string,
    byId: ReadonlyMap<string, MessageDocument>,
  ): Promise<EventPayload | undefined> {
    const { messageId = "", eventId, subject } = reported;
    if (subject) return subjectPayload(reported, version, subject);
    const message = byId.get(messageId);
    if (!message) return undefined;
    // The first event is the acceptance, which has no event document.
    if (eventId === `${messageId}.0.accepted` || eventId === `${messageId}.0.scheduled`)
      return messagePayload(reported, version, { message, event: undefined, sequence: 1 });
    const timeline = await events.listOf(message);
    const known = timeline.filter(({ kind }) => webhookTypeOf(kind) !== undefined).sort(byOrder);
    const position = known.findIndex(({ _id }) => _id === eventId);
    if (position < 0) return undefined;
    return messagePayload(reported, version, { message, event: known[position], sequence: position + 2 });
  }

  return async (reported, version) => {
    const ids = [...new Set(reported.flatMap(({ messageId }) => messageId ?? []))];
    const found = ids.length > 0 ? await messages.findByIds(ids) : [];
    const byId = new Map(found.map((message) => [message._id, message]));
    return Promise.all(reported.map((one) => payloadOf(one, version, byId)));
  };
}

/** Orders by the stored time. A process with a slow clock may order an event before others that were already reported. */
function byOrder(a: EventDocument, b: EventDocument): number {
  return a.at.getTime() - b.at.getTime() || a.attempt - b.attempt || (a._id < b._id ? -1 : 1);
}
