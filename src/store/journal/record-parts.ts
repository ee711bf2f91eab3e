import type { EventLog } from "../event-log.ts";
import type { PlaceEvents } from "../place-events.ts";
import type { WebhookOutbox } from "../webhook-outbox.ts";

/** Where stored events are recorded. */
export interface RecordParts {
  /** Creates their webhook deliveries first, idempotently. */
  readonly outbox: Pick<WebhookOutbox, "add">;
  /** Then their pages, in the transaction that advances the writer. */
  readonly eventLog: Pick<EventLog, "addPages">;
  /** Then they are counted and get their places. */
  readonly placing: Pick<PlaceEvents, "placeIfFree">;
}
