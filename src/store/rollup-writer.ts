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

/** Whose sums they are. */
interface Owner {
  readonly accountId: string;
  readonly domainId: string;
  /** Its name: what is beyond a bound counts as the domain's own. */
  readonly domain: string;
}

/** Sources of one day, and rows of TLS: who forges mail, or reports, cannot fill the store. */
export const MAX_SOURCES = 1_000;
export const MAX_TLS_ROWS = 200;

/** Adds what one report counts to the sums of the days, in the transaction that remembers the report. */
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
  /** Those that matter most come first. */
  readonly items: readonly Item[];
  readonly most: number;
  readonly keyOf: (item: Item) => string;
  /** What stands for those that do not fit. */
  readonly toOther: (item: Item) => Item;
  readonly sum: (one: Item, other: Item) => Item;
}

/** By their ids: what there is already, or has room on its day; the rest adds to what stands for it. */
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
  const room = new Map<string, number>();
  for (const day of new Set(items.map((item) => item.day))) {
    const ofDay = { _id: idsOfDays(domainId, day, day), accountId };
    room.set(day, most - (await stored.countDocuments(ofDay, { session, limit: most })));
  }
  const fitting = new Map<string, Item>();
  const add = (id: string, item: Item) => {
    const before = fitting.get(id);
    fitting.set(id, before ? sum(before, item) : item);
  };
  for (const item of items) {
    const id = idOf(item);
    const left = room.get(item.day) ?? 0;
    if (known.has(id) || left > 0) {
      if (!known.has(id) && !fitting.has(id)) room.set(item.day, left - 1);
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

/** Ids of what was counted from one day to another, both days with it. */
export function idsOfDays(domainId: string, first: string, last: string) {
  // Behind a point comes a slash.
  return { $gte: `${domainId}.${first}.`, $lt: `${domainId}.${last}/` };
}
