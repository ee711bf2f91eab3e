import type { ClientSession } from "mongodb";
import type { CounterWriter } from "../counters/counter-writer.ts";
import { createTally } from "../counters/tally.ts";
import type { EventLog } from "../event-log.ts";
import type { UndeliveredAlerts } from "../undelivered-alert-store.ts";
import type { WebhookOutbox } from "../webhook-outbox.ts";
import type { JournalEntry } from "./journal-documents.ts";

/**
 * What follows from what has happened: first the deliveries that tell of it, which are there once however often they are made;
 * what is then to be written once, by what it returns, in the transaction that remembers that it was.
 * @throws Fault store.unavailable: some deliveries may be there
 */
export type DrawConsequences = (
  happened: readonly JournalEntry[],
) => Promise<(session: ClientSession) => Promise<void>>;

interface ConsequenceParts {
  readonly outbox: Pick<WebhookOutbox, "add">;
  readonly counters: CounterWriter;
  readonly undeliveredAlerts: Pick<UndeliveredAlerts, "addHappened">;
  readonly eventLog: Pick<EventLog, "addHappened">;
}

export function createDrawConsequences({
  outbox,
  counters,
  undeliveredAlerts,
  eventLog,
}: ConsequenceParts): DrawConsequences {
  return async (happened) => {
    const tally = createTally();
    tally.addAll(happened);
    await outbox.add(happened);
    return async (session) => {
      await counters.add(session, tally);
      await undeliveredAlerts.addHappened(session, happened);
      // Last, for until the commit it keeps all others waiting who add to it.
      await eventLog.addHappened(session, happened);
    };
  };
}
