import { setTimeout as sleep } from "node:timers/promises";
import type { MessageDocument } from "../message-documents.ts";
import { messageFault } from "../message-fault.ts";
import { foundIds, readEach } from "../read-each.ts";
import { createSearchStore } from "../search/search-store.ts";
import type { Migration } from "./migration.ts";

const BATCH = 500;

/** Adds messages of early releases to the search index. Until then every search reads the messages themselves. */
export const searchMigration: Migration = {
  version: 5,
  name: "messages get into the index",
  background: true,
  // Earlier programs store messages without index entries.
  alone: true,
  run: async ({ db, progress, signal }) => {
    const messages = db.collection<MessageDocument>("messages");
    const search = createSearchStore(db).acrossAccounts;
    const total = await messages.estimatedDocumentCount();
    for (let after = typeof progress.cursor === "string" ? progress.cursor : ""; ; ) {
      const startedMs = performance.now();
      const { documents, unreadable } = await readEach<MessageDocument>(
        (options) =>
          messages
            .find({ _id: { $gt: after } }, options)
            .sort({ _id: 1 })
            .limit(BATCH),
        messageFault,
      );
      const last = foundIds({ documents, unreadable }).at(-1);
      if (last === undefined) return;
      await search.add(documents);
      after = last;
      const done = progress.done + documents.length + unreadable.length;
      await progress.save({ cursor: after, done, total });
      // Mail continues in the meantime, with at least half of the store's capacity.
      await sleep(performance.now() - startedMs, undefined, { signal });
    }
  },
};
