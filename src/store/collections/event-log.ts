import type { EventLogDocument, UnplacedChangeDocument, UnplacedPageDocument } from "../event-log.ts";
import type { EventPageDocument } from "../journal/event-pages.ts";
import type { JournalDocument, JournalWriterDocument } from "../journal/journal-documents.ts";
import type {
  SearchBatchDocument,
  SearchChunkDocument,
  SearchDayDocument,
} from "../search/search-documents.ts";
import { BY_HASHED_ID, EXPIRES, ID_ONLY, ifPresent, type Manifest } from "./manifest.ts";

export interface EventLogDocuments {
  readonly eventLog: EventLogDocument;
  readonly unplacedPages: UnplacedPageDocument;
  readonly unplacedChanges: UnplacedChangeDocument;
  readonly searchBatches: SearchBatchDocument;
  readonly searchDays: SearchDayDocument;
  readonly searchChunks: SearchChunkDocument;
  readonly journal: JournalDocument;
  readonly eventPages: EventPageDocument;
  readonly journalWriters: JournalWriterDocument;
}

export const eventLogManifest = {
  eventLog: {
    indexes: [
      { key: { at: 1, _id: 1 } },
      EXPIRES,
      // Changes of an account's other resources, which are few.
      { key: { accountId: 1, "change.addressKey": 1 }, name: "changes", ...ifPresent("accountId") },
    ],
    deletion: "settings",
    export: {
      omitted: "events in the order in which services receive them; messages and other resources have them",
    },
    audited: {},
  },
  unplacedPages: { owner: "installation", indexes: [ID_ONLY], audited: {} },
  unplacedChanges: {
    indexes: [
      { key: { accountId: 1 } },
      {
        key: { accountId: 1, "change.addressKey": 1 },
        name: "about_address",
        ...ifPresent("change.addressKey"),
      },
    ],
    deletion: "settings",
    export: { omitted: "changes that services receive within seconds" },
    audited: {},
  },
  searchBatches: {
    indexes: [ID_ONLY],
    deletion: "index",
    export: { omitted: "an index: terms by which messages are found, and the messages' ids" },
    audited: {},
  },
  searchDays: {
    indexes: [ID_ONLY],
    deletion: "index",
    export: { omitted: "an index, as searchBatches" },
    audited: {},
  },
  searchChunks: {
    indexes: [ID_ONLY],
    shardKey: BY_HASHED_ID,
    deletion: "index",
    export: { omitted: "an index, as searchBatches" },
    audited: {},
  },
  journal: {
    indexes: [
      { key: { writer: 1, _id: 1 } },
      { key: { lookAt: 1 }, name: "to_look_at", ...ifPresent("lookAt") },
      { key: { accountId: 1, _id: 1 }, name: "resources_of_account", ...ifPresent("accountId") },
    ],
    // Notes of jobs and domains have an account. Entries of messages and notes of webhooks expire.
    deletion: "settings",
    export: { omitted: "events on their way to the counters; the messages have them" },
    audited: {},
  },
  eventPages: {
    owner: "installation",
    indexes: [{ key: { writer: 1, _id: 1 } }],
    shardKey: BY_HASHED_ID,
    audited: {},
  },
  journalWriters: { owner: "installation", indexes: [ID_ONLY], audited: {} },
} as const satisfies Manifest<EventLogDocuments>;
