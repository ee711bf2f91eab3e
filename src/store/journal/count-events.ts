import type { ClientSession } from "mongodb";
import type { CounterWriter } from "../counters/counter-writer.ts";
import { createTally } from "../counters/tally.ts";
import type { UndeliveredAlerts } from "../undelivered-alert-store.ts";
import type { JournalEntry } from "./journal-documents.ts";

interface CountParts {
  readonly counters: CounterWriter;
  readonly undeliveredAlerts: Pick<UndeliveredAlerts, "addHappened">;
}

/** Counts events of messages, in the transaction that gives them their place in the event log. */
export function createCountEvents({ counters, undeliveredAlerts }: CountParts) {
  return async (session: ClientSession, happened: readonly JournalEntry[]): Promise<void> => {
    const tally = createTally();
    tally.addAll(happened);
    await counters.add(session, tally);
    await undeliveredAlerts.addHappened(session, happened);
  };
}
