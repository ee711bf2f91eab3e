import type { Db } from "mongodb";
import type { Outage } from "../alerts/heartbeat.ts";
import type { LivenessDocument, OutageDocument } from "./heartbeat-documents.ts";
import { guarded } from "./store-fault.ts";

/** A core announces itself more often. A longer gap is an outage. */
const GAP_MS = 10_000;
/** Time after the start of a core until its front ends accept requests. */
const START_MS = 5_000;
/** Longer than the longest time in which a ping can arrive. */
const KEPT_MS = 100 * 86_400_000;

/** Times without any running core. Every core with access to the store announces itself. */
export function createLivenessStore(db: Db) {
  const liveness = db.collection<LivenessDocument>("liveness");
  const outages = db.collection<OutageDocument>("outages");

  return {
    /**
     * Announces a running core. The outage before it is stored first: a process that ends in between stores it again.
     * @param own its previous announcement; undefined: there was none
     * @param stopped the core is about to end
     */
    async announce(now: Date, own: Date | undefined, stopped = false): Promise<void> {
      const before = await guarded(liveness.findOne({ _id: "core" }));
      const since = (at: Date | undefined) => (at ? now.getTime() - at.getTime() : Number.POSITIVE_INFINITY);
      const gapMs = since(before?.aliveAt);
      const isGap = gapMs > GAP_MS || (before?.stopped === true && gapMs > 0);
      // A core that has run all the time knows of no gap.
      if (before && isGap && since(own) > GAP_MS) {
        const to = new Date(now.getTime() + START_MS);
        const expireAt = new Date(to.getTime() + KEPT_MS);
        // Two cores that start at the same time store one outage.
        const update = { $max: { to, expireAt }, $setOnInsert: { from: before.aliveAt } };
        await guarded(outages.updateOne({ _id: before.aliveAt.toISOString() }, update, { upsert: true }));
      }
      const present = { $set: { aliveAt: now, stopped } };
      await guarded(liveness.updateOne({ _id: "core" }, present, { upsert: true }));
    },

    /** The outage that ended last, of those that overlap this time. */
    findOutage: ({ from, to }: Outage): Promise<OutageDocument | null> =>
      guarded(
        outages
          .find({ to: { $gt: from }, from: { $lt: to } })
          .sort({ to: -1 })
          .limit(1)
          .next(),
      ),
  };
}
