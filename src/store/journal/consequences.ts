import type { ClientSession } from "mongodb";
import type { CounterWriter } from "../counters/counter-writer.ts";
import { createTally } from "../counters/tally.ts";
import type { UndeliveredAlerts } from "../undelivered-alert-store.ts";
import type { WebhookOutbox } from "../webhook-outbox.ts";
import type { JournalEntry } from "./journal-documents.ts";

/**
 * Creates the consequences of events: first their deliveries, idempotently; then, by the returned function, writes
 * that must happen once, in the transaction that records the events.
 * @throws Fault store.unavailable: some deliveries may exist
 */
export type DrawConsequences = (
  happened: readonly JournalEntry[],
) => Promise<(session: ClientSession) => Promise<void>>;

interface ConsequenceParts {
  readonly outbox: Pick<WebhookOutbox, "add">;
  readonly counters: CounterWriter;
  readonly undeliveredAlerts: Pick<UndeliveredAlerts, "addHappened">;
}

export function createDrawConsequences({
  outbox,
  counters,
  undeliveredAlerts,
}: ConsequenceParts): DrawConsequences {
  return async (happened) => {
    const tally = createTally();
    tally.addAll(happened);
    await outbox.add(happened);
    return async (session) => {
      await counters.add(session, tally);
      await undeliveredAlerts.addHappened(session, happened);
    };
  };
}
