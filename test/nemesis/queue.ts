import type { Db } from "mongodb";
import type { CoreClient } from "../../src/core/client.ts";

/** The account's mail goes to the servers that DNS names. */
export async function routeDirectly(core: CoreClient): Promise<void> {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
}

/** Makes what was put off due now. */
export async function makeDueIn(db: Db): Promise<void> {
  await db
    .collection("messages")
    .updateMany({ state: "deferred", nextAttemptAt: { $gt: new Date() } }, [
      { $set: { nextAttemptAt: "$$NOW" } },
    ]);
}
