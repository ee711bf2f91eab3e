import type { Db } from "mongodb";
import type { CoreClient } from "../../src/rpc/client.ts";

/** The account's mail goes to the servers that DNS names. */
export async function routeDirectly(core: CoreClient): Promise<void> {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
}

/** Makes due now what was put off, and what a wrong clock has dated ahead. */
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
