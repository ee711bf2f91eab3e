import type { Db } from "mongodb";
import type { CoreClient } from "../../src/rpc/client.ts";

/** The account's mail goes to the servers that DNS names. */
export async function routeDirectly(core: CoreClient): Promise<void> {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
}

/** Makes due now what was put off, and what a wrong clock has dated ahead: time passes faster for it. */
export async function makeDueIn(db: Db): Promise<void> {
  const waits = {
    // Bounds of the queue's index, which has what waits and nothing else.
    partition: { $gte: 0 },
    nextAttemptAt: { $gt: new Date(0) },
    state: { $in: ["queued", "deferred"] },
    $expr: { $gt: ["$nextAttemptAt", "$$NOW"] },
  };
  await db.collection("messages").updateMany(waits, [{ $set: { nextAttemptAt: "$$NOW" } }]);
}

/** What the store says of messages that have not come to an end, for who looks for a reason. */
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
