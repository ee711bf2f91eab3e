import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault, type ResourceUse } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { openWebhook, type StoredWebhook, sealWebhook, WEBHOOKS } from "./sealing/sealed-webhook.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { type ToldChange, webhookCollections } from "./webhook-delivery-documents.ts";
import type { WebhookDisabled, WebhookEndpointDocument } from "./webhook-documents.ts";
import { type WebhookOutbox, wakeBy } from "./webhook-outbox.ts";

const RETRY_AFTER_SECONDS = 60;
/** Each gets a copy of every event. */
export const MAX_WEBHOOKS = 20;
const PLACES = Array.from({ length: MAX_WEBHOOKS }, (_, place) => place);

/** An endpoint that is to be made. */
type NewWebhook = Omit<WebhookEndpointDocument, "accountId" | "place">;

export function createWebhookStore(
  db: Db,
  sealing: Sealing,
  writes: AuditedWrites,
  outbox: Pick<WebhookOutbox, "tell">,
) {
  const webhooks = db.collection<StoredWebhook>(WEBHOOKS);
  const { lanes } = webhookCollections(db);
  const open = (stored: StoredWebhook) => openWebhook(sealing, stored);
  const { note } = writes.entriesOf("webhook");

  /** Has a worker end what waits for an endpoint that gets nothing more. */
  async function wake(
    session: ClientSession,
    { _id, accountId }: Pick<WebhookEndpointDocument, "_id" | "accountId">,
    at: Date,
  ): Promise<void> {
    await lanes.updateOne({ _id, accountId }, wakeBy(at), { session });
  }

  /** Writes what is made of an endpoint; null: it is not there. */
  function change(
    filter: { readonly _id: string; readonly accountId?: string },
    make: (former: WebhookEndpointDocument) => WebhookEndpointDocument,
    audit: Audit,
  ): Promise<WebhookEndpointDocument | null> {
    return writes.transact(async (session) => {
      const stored = await webhooks.findOne(filter, { session });
      if (!stored) return null;
      const before = open(stored);
      const wanted = make(before);
      if (wanted === before) return before;
      const after = { ...wanted, revision: before.revision + 1, updatedAt: audit.now() };
      await webhooks.replaceOne(filter, sealWebhook(sealing, after), { session });
      await note(session, audit, before, after);
      if (after.disabled && !before.disabled) await wake(session, after, audit.now());
      if (after.untold && after.disabled && !before.disabled)
        await outbox.tell(session, after.accountId, [toldOf(after, after.disabled)]);
      return after;
    });
  }

  return {
    forAccount: (accountId: string) => ({
      /** @throws Fault webhook.too_many */
      add: (webhook: NewWebhook, audit: Audit): Promise<WebhookEndpointDocument> =>
        writes.transact(async (session) => {
          const others = webhooks.find({ accountId }, { projection: { place: 1 }, session });
          const occupied = new Set((await others.toArray()).map(({ place }) => place));
          const place = PLACES.find((free) => !occupied.has(free));
          if (place === undefined) throw fault("webhook.too_many");
          // Whoever takes the same place at once begins again.
          const after = { ...webhook, accountId, place };
          await webhooks.insertOne(sealWebhook(sealing, after), { session });
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
       * @param make what it is to be; the same object: nothing changes. What it throws ends it, and nothing is changed.
       * @returns null: it is not there
       */
      change: (
        id: string,
        make: (former: WebhookEndpointDocument) => WebhookEndpointDocument,
        audit: Audit,
      ) => change({ _id: id, accountId }, make, audit),

      /** How many there are, as far as `most`. */
      count: (most: number) => guarded(webhooks.countDocuments({ accountId }, { limit: most })),

      /**
       * False: it is not there.
       * @param use deliveries that are never sent without it
       */
      remove: (id: string, audit: Audit, use?: ResourceUse, ifRevision?: string): Promise<boolean> =>
        writes.transact(async (session) => {
          const stored = await webhooks.findOneAndDelete({ _id: id, accountId }, { session });
          if (!stored) return false;
          checkRevision(ifRevision, String(stored.revision), "webhook.stale");
          await wake(session, stored, audit.now());
          await note(session, audit, open(stored), undefined, { use });
          return true;
        }),
    }),

    acrossAccounts: {
      /**
       * Those that are there.
       * @throws Fault store.unavailable when one of them cannot be read or decrypted: it is not to be taken for one that was removed
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

      /** One whose owners are to be told that it was disabled: nobody else is given it. Its secrets stay closed. */
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

      /** False: it has been changed since, or is not there. */
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

/** The account's other endpoints hear of it; of its URL no more than the host, for the rest may be a secret. */
function toldOf({ _id: endpointId, url }: WebhookEndpointDocument, disabled: WebhookDisabled): ToldChange {
  const { at } = disabled;
  const subject = { kind: "webhook", endpointId, host: new URL(url).host, disabled } as const;
  return { eventId: newId("evt", at), type: "webhook.disabled", at, subject };
}
