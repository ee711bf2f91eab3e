import { domainOf } from "../../message/address/addresses.ts";
import type { SuppressionDocument } from "../documents.ts";
import type { Migration } from "./migration.ts";

const BATCH = 500;

/** Adds the domain of their address to entries of an early release. Until then a search by domain may miss them. */
export const suppressionsMigration: Migration = {
  version: 6,
  name: "suppressions get a domain",
  background: true,
  alone: true,
  run: async ({ db, progress }) => {
    const suppressions = db.collection<SuppressionDocument>("suppressions");
    let { cursor, done } = progress;
    for (;;) {
      const behind = typeof cursor === "string" ? { _id: { $gt: cursor } } : {};
      const batch = await suppressions
        .find(behind, { projection: { addressKey: 1, domain: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      if (batch.length === 0) return;
      const former = batch.filter(
        ({ addressKey, domain }) => domain === undefined && typeof addressKey === "string",
      );
      if (former.length > 0) {
        await suppressions.bulkWrite(
          former.map(({ _id, addressKey }) => ({
            updateOne: { filter: { _id }, update: { $set: { domain: domainOf(addressKey) } } },
          })),
          { ordered: false },
        );
      }
      cursor = batch.at(-1)?._id;
      done += batch.length;
      await progress.save({ cursor, done });
    }
  },
};
