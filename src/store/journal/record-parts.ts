import type { PlaceEvents } from "../place-events.ts";
import type { WebhookOutbox } from "../webhook-outbox.ts";
import type { RecordEvents } from "./record-events.ts";

/** Where stored events are recorded. */
export interface RecordParts {
  /** Creates their webhook deliveries first, idempotently. */
  readonly outbox: Pick<WebhookOutbox, "add">;
  /** Chooses how they are recorded then. @throws Fault store.unavailable */
  chooseRecord(): Promise<RecordEvents>;
  /** Then they are counted and get their places. */
  readonly placing: Pick<PlaceEvents, "placeIfFree">;
}
