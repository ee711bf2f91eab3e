import type { Db } from "mongodb";
import type { CoreClient } from "../../src/rpc/client.ts";

/** Routes the account's mail to the servers from DNS. */
export async function routeDirectly(core: CoreClient): Promise<void> {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
}

/** Makes deferred messages due now, including those dated ahead by a wrong clock. This accelerates the run. */
export async function makeDueIn(db: Db): Promise<void> {
  const waits = {
    // Bounds of the queue index, which contains only waiting messages.
    partition: { $gte: 0 },
    nextAttemptAt: { $gt: new Date(0) },
    state: { $in: ["queued", "deferred"] },
    $expr: { $gt: ["$nextAttemptAt", "$$NOW"] },
  };
  await db.collection("messages").updateMany(waits, [{ $set: { nextAttemptAt: "$$NOW" } }]);
}

/** Unfinished messages in the store, for an analysis. */
export async function whatWaits(db: Db): Promise<object> {
  const open = { state: { $in: ["queued", "scheduled", "deferred", "sending"] } };
  const fields = { subject: 0, metadata: 0, tags: 0, notDelivered: 0 };
  return {
    at: new Date(),
    messages: await db.collection("messages").find(open, { projection: fields }).toArray(),
    quarantine: await db.collection("quarantine").find().toArray(),
    partitions: await db.collection("partitions").find().toArray(),
    workers: await db.collection("workers").find().toArray(),
  };
}
