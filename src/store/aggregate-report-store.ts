import { createHash } from "node:crypto";
import type { ClientSession, Collection, Db, Filter } from "mongodb";
import type { BelievedReport } from "../intel/aggregate-reports/believe-report.ts";
import type { DailyRollup } from "../rollups/daily-rollup.ts";
import type { TlsRollup } from "../rollups/tls-rollup.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { INTEL_RETENTION_MS } from "../shared/intel-retention.ts";
import { utcDay } from "../shared/utc-day.ts";
import {
  type AggregateReportDocument,
  aggregateReportCollections,
  type DmarcRollupDocument,
  type RefusedReport,
  type ReportInboxDocument,
  type ReportWay,
  type TlsRollupDocument,
} from "./aggregate-report-documents.ts";
import { intelCollections } from "./intel-collections.ts";
import type { WatchedDomainDocument } from "./intel-documents.ts";
import { createRollupWriter, idsOfDays } from "./rollup-writer.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** Page size of reads and of removals. */
const PAGE = 1_000;
/** Maximum for one domain and day. Large domains receive some hundred. */
export const MAX_REPORTS_PER_DAY = 2_000;
export const MAX_REFUSED = 50;

export interface ReportArrival {
  readonly at: Date;
  readonly via: ReportWay;
}

/** Days in UTC, such as `2026-03-01`, both inclusive. */
export interface DaySpan {
  readonly first: string;
  readonly last: string;
}

/** Aggregate reports about watched domains: daily sums, and arrived reports. */
export function createAggregateReportStore(db: Db) {
  const { dmarc, tls, reports, inboxes } = aggregateReportCollections(db);
  const { domains } = intelCollections(db);
  const writer = createRollupWriter(db);

  return {
    forAccount: (accountId: string) => {
      /**
       * Changes the inbox of a domain. The domain is written first, so that reports of one domain are processed in
       * sequence, and none is stored for a domain that is removed concurrently.
       * @returns undefined: there is no such domain
       */
      function arrive<T>(
        domainId: string,
        at: Date,
        work: (
          session: ClientSession,
          domain: WatchedDomainDocument,
          inbox: ReportInboxDocument,
        ) => Promise<{ readonly inbox: ReportInboxDocument; readonly result: T }>,
      ): Promise<T | undefined> {
        const arriving = inTransaction(
          db.client,
          async (session) => {
            const owned = { _id: domainId, accountId };
            const domain = await domains.findOneAndUpdate(owned, { $set: { reportedAt: at } }, { session });
            if (!domain) return undefined;
            const before = await inboxes.findOne(owned, { session });
            const { inbox, result } = await work(session, domain, before ?? emptyInbox(owned, at));
            await inboxes.replaceOne(owned, { ...inbox, lastAt: at }, { session, upsert: true });
            return result;
          },
          { retryDuplicates: true },
        );
        return guarded(arriving);
      }

      async function removeAll(name: string, domainId: string): Promise<void> {
        const collection = db.collection<Owned>(name);
        // Ids begin with the domain's id.
        const _id = { $gte: `${domainId}.`, $lt: `${domainId}/` };
        for (;;) {
          const find = collection.find({ accountId, _id }, { projection: { _id: 1 } }).limit(PAGE);
          const ids = (await guarded(find.toArray())).map((one) => one._id);
          if (ids.length === 0) return;
          await guarded(collection.deleteMany({ accountId, _id: { $in: ids } }));
        }
      }

      /**
       * Passes the documents of some days to a callback, page by page in the order of days, so that memory never
       * holds all of them.
       */
      async function eachPage<Stored extends Owned>(
        collection: Collection<Stored>,
        domainId: string,
        { first, last }: DaySpan,
        use: (page: readonly Stored[]) => void,
      ): Promise<void> {
        const { $gte, $lt } = idsOfDays(domainId, first, last);
        for (let after: string = $gte; ; ) {
          const filter = { accountId, _id: { $gt: after, $lt } } as Filter<Stored>;
          const found = collection.find(filter).sort({ _id: 1 }).limit(PAGE);
          const page = (await guarded(found.toArray())) as Stored[];
          use(page);
          const end = page.at(-1);
          if (!end || page.length < PAGE) return;
          after = end._id;
        }
      }

      return {
        /**
         * Counts a report, unless it was counted before. All of it is stored, or nothing.
         * @returns undefined: there is no such domain
         * @throws Fault rate.limited: the domain has too many reports on this day
         */
        take: (domainId: string, { kind, head, rollups }: BelievedReport, { at, via }: ReportArrival) =>
          arrive(domainId, at, async (session, { name: domain }, inbox) => {
            const { key, ...rest } = head;
            const _id = `${domainId}.${createHash("sha256").update(key).digest("base64url")}`;
            const counted = await reports.findOne({ _id, accountId }, { session, projection: { _id: 1 } });
            if (counted) return { inbox: countIn(inbox, "repeated"), result: "repeated" as const };
            const day = utcDay(at);
            const before = inbox.today.day === day ? inbox.today.reports : 0;
            if (before >= MAX_REPORTS_PER_DAY) throw tooMany();
            const expireAt = new Date(at.getTime() + INTEL_RETENTION_MS);
            await reports.insertOne(
              { _id, accountId, domainId, kind, ...rest, via, at, expireAt },
              { session },
            );
            const owner = { accountId, domainId, domain };
            if (kind === "dmarc") await writer.addDmarc(session, owner, rollups);
            else await writer.addTls(session, owner, rollups);
            const today = { day, reports: before + 1 };
            return { inbox: { ...countIn(inbox, kind), today }, result: "counted" as const };
          }),

        /** Records a document that does not count, once. @returns undefined: there is no such domain */
        refuse: (domainId: string, refusal: RefusedReport) =>
          arrive(domainId, refusal.at, async (_session, _domain, inbox) => {
            if (inbox.refused.some(({ key }) => key === refusal.key))
              return { inbox, result: "repeated" as const };
            const refused = [refusal, ...inbox.refused].slice(0, MAX_REFUSED);
            return { inbox: { ...countIn(inbox, "refused"), refused }, result: "refused" as const };
          }),

        /** null: no report has arrived yet. */
        inbox: (domainId: string) => guarded(inboxes.findOne({ _id: domainId, accountId })),

        /** The latest counted reports. */
        latest: (domainId: string, limit: number): Promise<AggregateReportDocument[]> =>
          guarded(reports.find({ accountId, domainId }).sort({ at: -1 }).limit(limit).toArray()),

        eachDmarc: (domainId: string, days: DaySpan, use: (page: readonly DailyRollup[]) => void) =>
          eachPage(dmarc, domainId, days, (page) => use(page.map(toRollup))),

        eachTls: (domainId: string, days: DaySpan, use: (page: readonly TlsRollup[]) => void) =>
          eachPage(tls, domainId, days, (page) => use(page.map(toTlsRollup))),

        /** Removes the documents of a removed domain. Documents that remain after an interruption expire. */
        async forget(domainId: string): Promise<void> {
          await guarded(inboxes.deleteOne({ _id: domainId, accountId }));
          for (const { collectionName } of [dmarc, tls, reports]) await removeAll(collectionName, domainId);
        },
      };
    },
  };
}

interface Owned {
  readonly _id: string;
  readonly accountId: string;
}

function toRollup(document: DmarcRollupDocument): DailyRollup {
  const { _id, accountId, domainId, expireAt, ...rollup } = document;
  return { senders: {}, ...rollup };
}

function toTlsRollup(document: TlsRollupDocument): TlsRollup {
  const { _id, accountId, domainId, expireAt, ...rollup } = document;
  return rollup;
}

function emptyInbox(
  owned: Pick<ReportInboxDocument, "_id" | "accountId">,
  lastAt: Date,
): ReportInboxDocument {
  const counts = { dmarc: 0, tls: 0, repeated: 0, refused: 0 };
  return { ...owned, counts, today: { day: "", reports: 0 }, refused: [], lastAt };
}

function countIn(inbox: ReportInboxDocument, kind: keyof ReportInboxDocument["counts"]): ReportInboxDocument {
  return { ...inbox, counts: { ...inbox.counts, [kind]: inbox.counts[kind] + 1 } };
}

function tooMany() {
  return fault("rate.limited", {
    public: say("domain_takes_reports_day_most_send", { max: MAX_REPORTS_PER_DAY }),
  });
}
