import type { Db } from "mongodb";
import { webhookTypeOf } from "../../shared/webhook-types.ts";
import type { CountEvents } from "../counters/count-events.ts";
import { createAppend, type LoggedGroups } from "../event-log.ts";
import { eventIdOf, type JournalEntry, journalCollections, splitEntries } from "./journal-documents.ts";
import { type RecordEvents, writeNamed } from "./record-events.ts";

type LoggedEvent = LoggedGroups["groups"][number]["events"][number];

/** Maximum number of events of one document: about 300 KB. */
const MAX_EVENTS = 2_000;

/**
 * Records events as programs of schema version 9 do, which read nothing else: each process counts its own, names them in the
 * journal, and adds them to the event log. For the time in which such programs may run.
 */
export function createFormerRecords(db: Db, countEvents: CountEvents): RecordEvents {
  const { journal } = journalCollections(db);
  const append = createAppend(db);
  return (happened, head) => {
    const documents = splitEntries(happened.map(withoutFacts)).map((entries) => ({ ...head(), entries }));
    return {
      isEmpty: documents.length === 0,
      write: (session) => writeNamed(journal, documents, session),
      async conclude(session) {
        await countEvents(session, happened);
        // Last, because until the commit it blocks all other transactions that add to the log.
        await append(session, groupsOf(happened));
      },
    };
  };
}

function withoutFacts({
  eventId,
  messageId,
  accountId,
  kind,
  at,
  attempt,
  category,
}: JournalEntry): JournalEntry {
  return {
    ...(eventId !== undefined && { eventId }),
    messageId,
    accountId,
    kind,
    at,
    attempt,
    ...(category !== undefined && { category }),
  };
}

/** Groups by document, and within each by account. */
function groupsOf(happened: readonly JournalEntry[]): LoggedGroups[] {
  const logged = happened.flatMap((entry) => {
    const type = entry.accountId === "" ? undefined : webhookTypeOf(entry.kind);
    return type === undefined ? [] : [{ entry, type }];
  });
  const documents: LoggedGroups[] = [];
  for (let from = 0; from < logged.length; from += MAX_EVENTS) {
    const byAccount = new Map<string, LoggedEvent[]>();
    for (const { entry, type } of logged.slice(from, from + MAX_EVENTS)) {
      const events = byAccount.get(entry.accountId) ?? [];
      events.push({ id: eventIdOf(entry), type, at: entry.at });
      byAccount.set(entry.accountId, events);
    }
    documents.push({ groups: [...byAccount].map(([accountId, events]) => ({ accountId, events })) });
  }
  return documents;
}
