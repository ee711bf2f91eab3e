import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault, type ResourceUse } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { PlainVersions } from "./plain-versions.ts";
import { readEach } from "./read-each.ts";
import { webhookSettingsRevision } from "./revisions.ts";
import { openWebhook, type StoredWebhook, sealWebhook, WEBHOOKS } from "./sealing/sealed-webhook.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { type OutboxEvent, webhookCollections } from "./webhook-delivery-documents.ts";
import type { VersionedWebhook, WebhookDisabled, WebhookEndpointDocument } from "./webhook-documents.ts";
import { type WebhookOutbox, wakeBy } from "./webhook-outbox.ts";

const RETRY_AFTER_SECONDS = 60;
/** Maximum number of endpoints of an account. Each receives a copy of every event. */
export const MAX_WEBHOOKS = 20;
const POSITIONS = Array.from({ length: MAX_WEBHOOKS }, (_, position) => position);

/** An endpoint before its creation. */
type NewWebhook = Omit<WebhookEndpointDocument, "accountId" | "place">;

interface Parts {
  readonly outbox: Pick<WebhookOutbox, "publish">;
  readonly versions: Pick<PlainVersions<WebhookEndpointDocument, VersionedWebhook>, "recorder">;
}

export function createWebhookStore(
  db: Db,
  sealing: Sealing,
  writes: AuditedWrites,
  { outbox, versions }: Parts,
) {
  const webhooks = db.collection<StoredWebhook>(WEBHOOKS);
  const { lanes: queues } = webhookCollections(db);
  const open = (stored: StoredWebhook) => openWebhook(sealing, stored);
  const { note } = writes.entriesOf("webhook");

  /** Wakes a worker that ends the waiting deliveries of an endpoint that receives nothing more. */
  async function wake(
    session: ClientSession,
    { _id, accountId }: Pick<WebhookEndpointDocument, "_id" | "accountId">,
    at: Date,
  ): Promise<void> {
    await queues.updateOne({ _id, accountId }, wakeBy(at), { session });
  }

  /** Writes the new state of an endpoint; null: there is none. */
  function change(
    filter: { readonly _id: string; readonly accountId?: string },
    make: (former: WebhookEndpointDocument) => WebhookEndpointDocument,
    audit: Audit,
    restores?: number,
  ): Promise<WebhookEndpointDocument | null> {
    return writes.transact(async (session) => {
      const stored = await webhooks.findOne(filter, { session });
      if (!stored) return null;
      const before = open(stored);
      const wanted = make(before);
      if (wanted === before) return before;
      const after = { ...wanted, revision: before.revision + 1, updatedAt: audit.now() };
      await webhooks.replaceOne(filter, sealWebhook(sealing, after), { session });
      // Neither a rotation of the secret nor disabling changes the settings.
      if (webhookSettingsRevision(after) !== webhookSettingsRevision(before)) {
        const origin = { former: before, author: audit.actor, restores };
        await versions.recorder(after.accountId).record(session, after, origin);
      }
      await note(session, audit, before, after);
      if (after.disabled && !before.disabled) await wake(session, after, audit.now());
      if (after.untold && after.disabled && !before.disabled)
        await outbox.publish(session, after.accountId, [eventOf(after, after.disabled)]);
      return after;
    });
  }

  return {
    forAccount: (accountId: string) => ({
      /** @throws Fault webhook.too_many */
      add: (webhook: NewWebhook, audit: Audit): Promise<WebhookEndpointDocument> =>
        writes.transact(async (session) => {
          const others = webhooks.find({ accountId }, { projection: { place: 1 }, session });
          const occupied = new Set((await others.toArray()).map(({ place: position }) => position));
          const position = POSITIONS.find((free) => !occupied.has(free));
          if (position === undefined) throw fault("webhook.too_many");
          // A concurrent creation with the same place is retried.
          const after = { ...webhook, accountId, place: position };
          await webhooks.insertOne(sealWebhook(sealing, after), { session });
          await versions.recorder(accountId).record(session, after, { author: audit.actor });
          await note(session, audit, undefined, after);
          return after;
        }),

      async find(id: string): Promise<WebhookEndpointDocument | null> {
        const stored = await guarded(webhooks.findOne({ _id: id, accountId }));
        return stored && open(stored);
      },

      async list(page: ListPage): Promise<WebhookEndpointDocument[]> {
        return (await readPage(webhooks, { accountId }, page, "_id")).map(open);
      },

      /**
       * @param make returns the new endpoint; the same object: no change. If it throws, nothing is changed.
       * @param restores number of the version with these settings; missing: none
       * @returns null: there is none
       */
      change: (
        id: string,
        make: (former: WebhookEndpointDocument) => WebhookEndpointDocument,
        audit: Audit,
        restores?: number,
      ) => change({ _id: id, accountId }, make, audit, restores),

      /** Number of endpoints, at most `most`. */
      count: (most: number) => guarded(webhooks.countDocuments({ accountId }, { limit: most })),

      /**
       * False: there is none.
       * @param use deliveries that are never sent because of the removal
       */
      remove: (id: string, audit: Audit, use?: ResourceUse, ifRevision?: string): Promise<boolean> =>
        writes.transact(async (session) => {
          const stored = await webhooks.findOneAndDelete({ _id: id, accountId }, { session });
          if (!stored) return false;
          checkRevision(ifRevision, String(stored.revision), "webhook.stale");
          await versions.recorder(accountId).remove(session, id);
          await wake(session, stored, audit.now());
          await note(session, audit, open(stored), undefined, { use });
          return true;
        }),
    }),

    acrossAccounts: {
      /**
       * The existing ones.
       * @throws Fault store.unavailable if one of them is unreadable or cannot be decrypted: it must not be confused
       * with a removed one
       */
      async findByIds(ids: readonly string[]): Promise<WebhookEndpointDocument[]> {
        const { documents, unreadable } = await readEach<StoredWebhook>((options) =>
          webhooks.find({ _id: { $in: [...ids] } }, options),
        );
        const [damaged] = unreadable;
        if (!damaged) return documents.map(open);
        const internal = `the webhook endpoint ${damaged.id} cannot be read: ${damaged.reason}`;
        throw fault("store.unavailable", { internal, retryAfterSeconds: RETRY_AFTER_SECONDS });
      },

      /** Claims one that was disabled without a notice to its owners. Does not decrypt its secrets. */
      takeUntold: (): Promise<Pick<
        WebhookEndpointDocument,
        "_id" | "accountId" | "url" | "disabled"
      > | null> =>
        guarded(
          webhooks.findOneAndUpdate(
            { untold: true },
            { $unset: { untold: "" } },
            { projection: { accountId: 1, url: 1, disabled: 1 } },
          ),
        ),

      /** False: it has changed since, or does not exist. */
      async disable(id: string, revision: number, disabled: WebhookDisabled, audit: Audit): Promise<boolean> {
        let isDone = false;
        await change(
          { _id: id },
          (former) => {
            isDone = former.revision === revision && !former.disabled;
            return isDone ? { ...former, disabled, untold: true } : former;
          },
          audit,
        );
        return isDone;
      },
    },
  };
}

/** The account's other endpoints receive it. It contains only the host of the URL, because the rest may be a secret. */
function eventOf({ _id: endpointId, url }: WebhookEndpointDocument, disabled: WebhookDisabled): OutboxEvent {
  const { at } = disabled;
  const subject = { kind: "webhook", endpointId, host: new URL(url).host, disabled } as const;
  return { eventId: newId("evt", at), type: "webhook.disabled", at, subject };
}
