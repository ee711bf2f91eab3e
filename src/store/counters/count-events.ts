import type { ClientSession } from "mongodb";
import type { JournalEntry } from "../journal/journal-documents.ts";
import type { UndeliveredAlerts } from "../undelivered-alert-store.ts";
import type { CounterWriter } from "./counter-writer.ts";
import { createTally } from "./tally.ts";

interface CountParts {
  readonly counters: CounterWriter;
  readonly undeliveredAlerts: Pick<UndeliveredAlerts, "addHappened">;
}

/** Counts events of messages, in a transaction that records that they are counted. */
export type CountEvents = (session: ClientSession, happened: readonly JournalEntry[]) => Promise<void>;

export function createCountEvents({ counters, undeliveredAlerts }: CountParts): CountEvents {
  return async (session, happened) => {
    const tally = createTally();
    tally.addAll(happened);
    await counters.add(session, tally);
    await undeliveredAlerts.addHappened(session, happened);
  };
}
