import type { Db } from "mongodb";
import { newId } from "../../shared/ids.ts";
import { guarded } from "../store-fault.ts";
import type { WebhookDeliveryDocument } from "../webhook-delivery-documents.ts";
import { type JournalDocument, type JournalResource, journalCollections } from "./journal-documents.ts";
import { RESOURCE_WRITER } from "./note-resource.ts";

/** Notes that deliveries were created, attempted or ended, or are due at another time. */
export type NoteDeliveries = (
  changed: readonly Pick<WebhookDeliveryDocument, "accountId" | "endpointId">[],
) => void;

/** Notes that incidents were created or changed. */
export type NoteIncidents = (accountId: string, ids: readonly string[]) => void;

/** Notes that a check of a watched domain began, advanced or ended. */
export type NoteWatch = (accountId: string, id: string) => void;

/** Notes that a heartbeat was created, changed or removed, or that a ping arrived. */
export type NoteHeartbeat = (accountId: string, id: string) => void;

/** Resources of one document. Each takes about 120 bytes. */
const MAX_RESOURCES = 1_000;
/** Resources that wait for the next write. Open pages learn of further ones with their next change. */
const MAX_WAITING = 10_000;

/**
 * Records in the journal which endpoints have changed deliveries, which incidents and heartbeats have changed, and which
 * domains are being checked, for open event streams. A process writes each of them at most once per call of `write`, so that many
 * changes cost no more than one.
 * The notes are hints: a crash loses those that were not written, and a transaction that is aborted may leave one.
 */
export function createDeliveryNotes(db: Db) {
  const { journal } = journalCollections(db);
  /** By id, which is unique over all kinds. */
  let waiting = new Map<string, JournalResource>();

  function add(resource: JournalResource): void {
    if (waiting.size < MAX_WAITING) waiting.set(resource.id, resource);
  }

  const note: NoteDeliveries = (changed) => {
    for (const { accountId, endpointId: id } of changed) add({ accountId, kind: "webhook", id });
  };

  const noteIncidents: NoteIncidents = (accountId, ids) => {
    for (const id of ids) add({ accountId, kind: "incident", id });
  };

  const noteWatch: NoteWatch = (accountId, id) => add({ accountId, kind: "watched_domain", id });

  const noteHeartbeat: NoteHeartbeat = (accountId, id) => add({ accountId, kind: "heartbeat", id });

  return {
    note,
    noteIncidents,
    noteWatch,
    noteHeartbeat,

    /** @throws Fault store.unavailable: the next call repeats it */
    async write(now: Date): Promise<void> {
      if (waiting.size === 0) return;
      const resources = [...waiting.values()];
      waiting = new Map();
      const documents: JournalDocument[] = [];
      for (let from = 0; from < resources.length; from += MAX_RESOURCES) {
        const some = resources.slice(from, from + MAX_RESOURCES);
        const _id = newId("jnl", now);
        documents.push({ _id, writer: RESOURCE_WRITER, at: now, entries: [], resources: some });
      }
      try {
        await guarded(journal.insertMany(documents));
      } catch (error) {
        for (const resource of resources) add(resource);
        throw error;
      }
    },
  };
}
