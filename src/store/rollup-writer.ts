import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from "mongodb";
import type { DailyRollup } from "../rollups/daily-rollup.ts";
import { asOther, sumOf } from "../rollups/fold-sources.ts";
import type { TlsRollup } from "../rollups/tls-rollup.ts";
import { INTEL_RETENTION_MS } from "../shared/intel-retention.ts";
import {
  aggregateReportCollections,
  type DmarcRollupDocument,
  type TlsRollupDocument,
} from "./aggregate-report-documents.ts";

/** Owner of the sums. */
interface Owner {
  readonly accountId: string;
  readonly domainId: string;
  /** Name of the domain. Data beyond a limit counts for the domain itself. */
  readonly domain: string;
}

/** Limit of daily sources, and of TLS rows: forged mail or reports cannot fill the store. */
export const MAX_SOURCES = 1_000;
export const MAX_TLS_ROWS = 200;

/** Adds the counts of one report to the daily sums, in the transaction that stores the report. */
export function createRollupWriter(db: Db) {
  const { dmarc, tls } = aggregateReportCollections(db);

  return {
    async addDmarc(session: ClientSession, owner: Owner, rollups: readonly DailyRollup[]): Promise<void> {
      const added = await fitInto(session, dmarc, owner, {
        items: [...rollups].sort((one, other) => other.messages - one.messages),
        most: MAX_SOURCES,
        keyOf: ({ policyDomain, sourceIp }: DailyRollup) => `${policyDomain}.${sourceIp}`,
        toOther: (one) => ({ ...asOther(one), policyDomain: owner.domain }),
        sum: sumOf,
      });
      const operations = [...added].map(([_id, rollup]) => {
        const { policyDomain, day, sourceIp, messages, overridden, ...maps } = rollup;
        const $inc: Record<string, number> = { messages, overridden };
        for (const [name, counts] of Object.entries(maps))
          for (const [key, count] of Object.entries(counts)) $inc[`${name}.${key}`] = count;
        return upsert<DmarcRollupDocument>(_id, owner, { policyDomain, day, sourceIp }, $inc);
      });
      if (operations.length > 0) await dmarc.bulkWrite(operations, { session, ordered: false });
    },

    async addTls(session: ClientSession, owner: Owner, rollups: readonly TlsRollup[]): Promise<void> {
      const added = await fitInto(session, tls, owner, {
        items: [...rollups].sort((one, other) => other.sessions - one.sessions),
        most: MAX_TLS_ROWS,
        keyOf: ({ policyDomain, policyType, result, mxHost }: TlsRollup) =>
          `${policyDomain}.${policyType}.${result}.${mxHost}`,
        toOther: (one) => ({ ...one, policyDomain: owner.domain, mxHost: "" }),
        sum: (one, other) => ({ ...one, sessions: one.sessions + other.sessions }),
      });
      const operations = [...added].map(([_id, { sessions, ...rest }]) =>
        upsert<TlsRollupDocument>(_id, owner, rest, { sessions }),
      );
      if (operations.length > 0) await tls.bulkWrite(operations, { session, ordered: false });
    },
  };
}

interface Fitting<Item> {
  /** In order of importance. */
  readonly items: readonly Item[];
  readonly most: number;
  readonly keyOf: (item: Item) => string;
  /** The item that represents those beyond the limit. */
  readonly toOther: (item: Item) => Item;
  readonly sum: (one: Item, other: Item) => Item;
}

/** Items by id: those that exist or fit within the day's limit. The others are added to the item that represents them. */
async function fitInto<Item extends { readonly day: string }>(
  session: ClientSession,
  collection: Collection<DmarcRollupDocument> | Collection<TlsRollupDocument>,
  { accountId, domainId }: Owner,
  { items, most, keyOf, toOther, sum }: Fitting<Item>,
): Promise<Map<string, Item>> {
  const stored = collection as unknown as Collection<{ _id: string; accountId: string }>;
  const idOf = (item: Item) => `${domainId}.${item.day}.${keyOf(item)}`;
  const ids = [...new Set(items.map(idOf))];
  const found = stored.find({ _id: { $in: ids }, accountId }, { projection: { _id: 1 }, session });
  const known = new Set((await found.toArray()).map(({ _id }) => _id));
  const capacity = new Map<string, number>();
  for (const day of new Set(items.map((item) => item.day))) {
    const ofDay = { _id: idsOfDays(domainId, day, day), accountId };
    capacity.set(day, most - (await stored.countDocuments(ofDay, { session, limit: most })));
  }
  const fitting = new Map<string, Item>();
  const add = (id: string, item: Item) => {
    const before = fitting.get(id);
    fitting.set(id, before ? sum(before, item) : item);
  };
  for (const item of items) {
    const id = idOf(item);
    const left = capacity.get(item.day) ?? 0;
    if (known.has(id) || left > 0) {
      if (!known.has(id) && !fitting.has(id)) capacity.set(item.day, left - 1);
      add(id, item);
    } else {
      const other = toOther(item);
      add(idOf(other), other);
    }
  }
  return fitting;
}

function upsert<Stored extends DmarcRollupDocument | TlsRollupDocument>(
  _id: string,
  { accountId, domainId }: Owner,
  rest: Pick<Stored, "day"> & Partial<Stored>,
  $inc: Readonly<Record<string, number>>,
): AnyBulkWriteOperation<Stored> {
  const expireAt = new Date(Date.parse(rest.day) + INTEL_RETENTION_MS);
  const update = { $inc, $setOnInsert: { domainId, ...rest, expireAt } };
  return {
    updateOne: { filter: { _id, accountId }, update, upsert: true },
  } as unknown as AnyBulkWriteOperation<Stored>;
}

/** Ids of sums from one day to another, both inclusive. */
export function idsOfDays(domainId: string, first: string, last: string) {
  // In the order of characters, a slash follows a point.
  return { $gte: `${domainId}.${first}.`, $lt: `${domainId}.${last}/` };
}
