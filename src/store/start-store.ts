import type { Db } from "mongodb";
import {
  type CounterKind,
  counterSteps,
  countersOf,
  keyOfValue,
  stepMs,
} from "./counters/counter-documents.ts";
import type { KeyDocument } from "./documents.ts";
import type { DomainDocument } from "./domain-document.ts";
import { incidentCollections } from "./incident-collections.ts";
import { intelCollections } from "./intel-collections.ts";
import { guarded } from "./store-fault.ts";
import { webhookCollections } from "./webhook-delivery-documents.ts";

/** Times of an account's first actions. Missing: not yet. */
export interface StartFacts {
  readonly firstCapturedAt?: Date | undefined;
  readonly firstDeliveredAt?: Date | undefined;
  readonly domainVerifiedAt?: Date | undefined;
  readonly keyUsedAt?: Date | undefined;
  readonly webhookAnsweredAt?: Date | undefined;
  readonly ruleCreatedAt?: Date | undefined;
  readonly domainWatchedAt?: Date | undefined;
}

/** The counters of all messages of an account. */
const TOTAL = `total.${keyOfValue("")}`;
const coarseToFine = counterSteps.toReversed();

/**
 * Facts about the setup progress of an account. Each is the first entry of an index, independent of the account's
 * size.
 */
export function createStartStore(db: Db) {
  const counters = countersOf(db);
  const keys = db.collection<KeyDocument>("apiKeys");
  const domains = db.collection<DomainDocument>("domains");
  const { rules } = incidentCollections(db);
  const { domains: watched } = intelCollections(db);
  const { endpoints, deliveries } = webhookCollections(db);

  return {
    forAccount: (accountId: string) => {
      /**
       * Start of the shortest span with a counter of this kind. Counters outlive the messages: the first day is known
       * for two years. Within it, hours and minutes are read while they are stored, at most 24 and 60 documents.
       */
      async function firstCounted(kind: CounterKind): Promise<Date | undefined> {
        let first: { readonly at: Date; readonly step: (typeof counterSteps)[number] } | undefined;
        for (const step of coarseToFine) {
          const at = first && {
            at: { $gte: first.at, $lt: new Date(first.at.getTime() + stepMs[first.step]) },
          };
          const found: { readonly at: Date } | null = await guarded(
            counters.findOne(
              { accountId, step, [`${TOTAL}.${kind}`]: { $exists: true }, ...at },
              { sort: { at: 1 }, projection: { at: 1 } },
            ),
          );
          if (!found) break;
          first = { at: found.at, step };
        }
        return first?.at;
      }

      /** From stored deliveries. An account has at most 20 endpoints. */
      async function firstAnswered(): Promise<Date | undefined> {
        const found = await guarded(endpoints.find({ accountId }, { projection: { _id: 1 } }).toArray());
        const answered = await Promise.all(
          found.map(({ _id: endpointId }) =>
            guarded(
              deliveries.findOne(
                { accountId, endpointId, state: "delivered" },
                { sort: { at: 1, _id: 1 }, projection: { at: 1 } },
              ),
            ),
          ),
        );
        return answered
          .flatMap((one) => (one ? [one.at] : []))
          .toSorted((a, b) => a.getTime() - b.getTime())[0];
      }

      async function keyUsed(): Promise<Date | undefined> {
        const used = keys.findOne(
          { accountId, lastUsedAt: { $exists: true } },
          { sort: { lastUsedAt: -1 }, projection: { lastUsedAt: 1 } },
        );
        return (await guarded(used))?.lastUsedAt;
      }

      async function domainVerified(): Promise<Date | undefined> {
        const verified = domains.findOne(
          { accountId, verifiedAt: { $exists: true } },
          { sort: { verifiedAt: 1 }, projection: { verifiedAt: 1 } },
        );
        return (await guarded(verified))?.verifiedAt;
      }

      async function ruleCreated(): Promise<Date | undefined> {
        const rule = rules.findOne({ accountId }, { sort: { createdAt: 1 }, projection: { createdAt: 1 } });
        return (await guarded(rule))?.createdAt;
      }

      async function domainWatched(): Promise<Date | undefined> {
        const domain = watched.findOne(
          { accountId },
          { sort: { createdAt: 1 }, projection: { createdAt: 1 } },
        );
        return (await guarded(domain))?.createdAt;
      }

      return {
        async read(): Promise<StartFacts> {
          const [
            firstCapturedAt,
            firstDeliveredAt,
            domainVerifiedAt,
            keyUsedAt,
            webhookAnsweredAt,
            ruleCreatedAt,
            domainWatchedAt,
          ] = await Promise.all([
            firstCounted("captured"),
            firstCounted("delivered"),
            domainVerified(),
            keyUsed(),
            firstAnswered(),
            ruleCreated(),
            domainWatched(),
          ]);
          return {
            firstCapturedAt,
            firstDeliveredAt,
            domainVerifiedAt,
            keyUsedAt,
            webhookAnsweredAt,
            ruleCreatedAt,
            domainWatchedAt,
          };
        },
      };
    },
  };
}
