import type { ClientSession, Db } from "mongodb";
import { newId } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { guarded } from "./store-fault.ts";
import { webhookCollections } from "./webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

type Endpoint = Pick<WebhookEndpointDocument, "_id" | "accountId" | "url">;

interface Failing {
  readonly since: Date;
  readonly at: Date;
}

/** Records the failures of endpoints, and notifies the other endpoints of their accounts. */
export function createWebhookOutages(
  db: Db,
  writes: Pick<AuditedWrites, "transact">,
  outbox: Pick<WebhookOutbox, "publish">,
) {
  const { lanes: queues } = webhookCollections(db);

  async function publish(
    session: ClientSession,
    { _id: endpointId, accountId, url }: Endpoint,
    type: "webhook.failing" | "webhook.recovered",
    { since, at, detail }: Failing & { readonly detail?: string },
  ): Promise<void> {
    const subject = {
      kind: "webhook_outage" as const,
      endpointId,
      // The rest of the URL may be a secret.
      host: new URL(url).host,
      since,
      ...(detail !== undefined && { detail }),
    };
    await outbox.publish(session, accountId, [{ eventId: newId("evt", at), type, at, subject }]);
  }

  return {
    /**
     * Records the start and the last time of a failure; undefined: a delivery was accepted. The end of a failure that
     * was published is published in the same transaction.
     */
    async setFailing(endpoint: Endpoint, failing: Failing | undefined, now: Date): Promise<void> {
      const { _id, accountId } = endpoint;
      const filter = { _id, accountId };
      if (failing) {
        const noted = { $set: { failingSince: failing.since, failedAt: failing.at } };
        await guarded(queues.updateOne(filter, noted));
        return;
      }
      await writes.transact(async (session) => {
        const forgotten = { failingSince: "", failedAt: "", failingPublishedAt: "" } as const;
        const before = await queues.findOneAndUpdate(filter, { $unset: forgotten }, { session });
        if (before?.failingPublishedAt && before.failingSince)
          await publish(session, endpoint, "webhook.recovered", { since: before.failingSince, at: now });
      });
    },

    /** Publishes a failure, once: no other event follows until a delivery is accepted. */
    async publishFailing(
      endpoint: Endpoint,
      { since, detail }: { readonly since: Date; readonly detail: string },
      now: Date,
    ): Promise<void> {
      const { _id, accountId } = endpoint;
      const filter = { _id, accountId, failingPublishedAt: { $exists: false } };
      await writes.transact(async (session) => {
        const noted = { $set: { failingSince: since, failingPublishedAt: now } };
        const { modifiedCount } = await queues.updateOne(filter, noted, { session });
        if (modifiedCount === 1)
          await publish(session, endpoint, "webhook.failing", { since, at: now, detail });
      });
    },
  };
}
