import type { Db } from "mongodb";
import type { KeyDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";
import { webhookCollections } from "./webhook-delivery-documents.ts";

/** An endpoint with failing deliveries. */
export interface FailingEndpoint {
  readonly id: string;
  readonly url: string;
  /** Start of the failure; for a disabled endpoint, the time at which it was disabled. */
  readonly since: Date;
  readonly isDisabled: boolean;
}

export interface ExpiringKeys {
  /** Number of all such keys. */
  readonly count: number;
  /** The keys that expire first. */
  readonly first: readonly Pick<KeyDocument, "_id" | "name" | "prefix" | "expiresAt">[];
}

/** Facts that need a member's attention, independent of the size of the account. */
export function createAttentionStore(db: Db) {
  const keys = db.collection<KeyDocument>("apiKeys");
  const { endpoints, lanes: queues } = webhookCollections(db);

  return {
    forAccount: (accountId: string) => ({
      /** Endpoints that fail, or that Hermod has disabled. An account has at most 20. */
      async failingEndpoints(): Promise<FailingEndpoint[]> {
        const projection = { url: 1, disabled: 1 } as const;
        const [found, failing] = await Promise.all([
          guarded(endpoints.find({ accountId }, { projection }).sort({ _id: 1 }).toArray()),
          guarded(queues.find({ accountId }, { projection: { failingSince: 1 } }).toArray()),
        ]);
        const sinceOf = new Map(failing.map(({ _id, failingSince }) => [_id, failingSince]));
        return found.flatMap(({ _id: id, url, disabled }) => {
          if (disabled)
            return disabled.reason === "owner" ? [] : { id, url, since: disabled.at, isDisabled: true };
          const since = sinceOf.get(id);
          return since ? { id, url, since, isDisabled: false } : [];
        });
      },

      /** Valid keys that expire before a time and have no replacement. */
      async expiringKeys(now: Date, until: Date, most: number): Promise<ExpiringKeys> {
        const filter = {
          accountId,
          expiresAt: { $gt: now, $lte: until },
          revokedAt: { $exists: false },
          supersededAt: { $exists: false },
        };
        const projection = { name: 1, prefix: 1, expiresAt: 1 } as const;
        const [count, first] = await Promise.all([
          guarded(keys.countDocuments(filter)),
          guarded(keys.find(filter, { projection }).sort({ expiresAt: 1 }).limit(most).toArray()),
        ]);
        return { count, first };
      },
    }),
  };
}
