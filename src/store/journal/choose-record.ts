import type { Db } from "mongodb";
import type { CountEvents } from "../counters/count-events.ts";
import type { EventLog } from "../event-log.ts";
import { createIsMigrated } from "../migrations/is-migrated.ts";
import type { PlaceEvents } from "../place-events.ts";
import type { WebhookOutbox } from "../webhook-outbox.ts";
import { createFormerRecords } from "./former-records.ts";
import { createRecordEvents, type RecordEvents } from "./record-events.ts";

/** Where stored events are recorded. */
export interface RecordParts {
  /** Creates their webhook deliveries first, idempotently. */
  readonly outbox: Pick<WebhookOutbox, "add">;
  /** Chooses how they are recorded then. @throws Fault store.unavailable */
  chooseRecord(): Promise<RecordEvents>;
  /** Then they get their places. */
  readonly placing: Pick<PlaceEvents, "placeIfFree">;
}

/** The schema version since which all processes read pages of recorded events. */
const PAGES_VERSION = 10;

/** @returns a function that chooses how to record events, and rejects with store.unavailable */
export function createChooseRecord(
  db: Db,
  eventLog: Pick<EventLog, "addPages">,
  countEvents: CountEvents,
): () => Promise<RecordEvents> {
  const isMigrated = createIsMigrated(db, PAGES_VERSION);
  const recordEvents = createRecordEvents(db, eventLog);
  const formerRecords = createFormerRecords(db, countEvents);
  return async () => ((await isMigrated()) ? recordEvents : formerRecords);
}
