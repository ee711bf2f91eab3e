import { Binary, type ClientSession, type Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { idBound } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { bytesOf } from "./chunk-store.ts";
import type { IntelAnswers, Keyed } from "./intel-answers.ts";
import { intelCollections } from "./intel-collections.ts";
import type { IntelReportDocument } from "./intel-documents.ts";
import type { ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** A report in one form, as it was returned. */
export interface ReportFile {
  readonly format: string;
  readonly bytes: Uint8Array;
}

/** Filter of reports. A missing field does not restrict the list. */
export interface ReportFilter {
  readonly scopeType?: IntelReportDocument["scope"]["type"];
  readonly scopeId?: string;
  /** Time of the request for the report, which its id contains; inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** Format of the part that stays of a removed report, so that a repeated request or a job does not restore it. */
const REMOVED = "removed";

/** Each part is copied several times while it is written, and several parts at once while they are read. */
const PART_BYTES = 512 * 1024;
const PARTS_AT_ONCE = 2;

/** Reports, which never change. Each is stored in every requested form. */
export function createReportStore(
  db: Db,
  writes: AuditedWrites,
  { answers, outbox }: { readonly answers: IntelAnswers; readonly outbox: Pick<WebhookOutbox, "publish"> },
) {
  const { reports, parts, links } = intelCollections(db);
  const audited = writes.of("report", reports);

  return {
    forAccount: (accountId: string) => {
      async function write(reportId: string, file: ReportFile, expireAt: Date): Promise<void> {
        const { format, bytes } = file;
        const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
        for (let n = 0; n < count; n++) {
          const data = new Binary(bytes.subarray(n * PART_BYTES, (n + 1) * PART_BYTES));
          const part = { _id: `${reportId}.${format}.${n}`, accountId, reportId, format, n, data, expireAt };
          await guarded(parts.replaceOne({ _id: part._id, accountId }, part, { upsert: true }));
        }
      }

      async function readFile(reportId: string, format: string): Promise<Uint8Array | undefined> {
        const found = parts.find({ accountId, reportId, format }).sort({ n: 1 }).batchSize(PARTS_AT_ONCE);
        const all = await guarded(found.toArray());
        return all.length === 0 ? undefined : Buffer.concat(all.map(({ data }) => bytesOf(data)));
      }

      const findMark = (id: string, session?: ClientSession) =>
        parts.findOne(
          { accountId, reportId: id, format: REMOVED },
          { projection: { _id: 1 }, ...(session && { session }) },
        );

      const isSettled = async (id: string, session: ClientSession): Promise<boolean> =>
        (await reports.findOne({ _id: id, accountId }, { session })) !== null ||
        (await findMark(id, session)) !== null;

      return {
        /**
         * Stores a report in its forms, and the answer to its request under the idempotency key, atomically.
         * @returns the stored answer of the same request
         * @throws Fault idempotency.key_reused
         */
        async add(
          given: Omit<IntelReportDocument, "accountId">,
          files: readonly ReportFile[],
          audit: Audit,
          keyed?: Keyed<IntelReportDocument>,
        ): Promise<{ readonly answer: Uint8Array } | undefined> {
          const report = { ...given, accountId };
          // Parts without a report are never found and expire.
          for (const file of files) await write(report.filesId ?? report._id, file, report.expireAt);
          return writes.transact(async (session) => {
            const earlier = keyed && (await answers.find(session, accountId, keyed));
            if (earlier) return { answer: earlier };
            // Another attempt of the same job was faster, and its report stays, or the report was removed since.
            if (given.filesId !== undefined && (await isSettled(report._id, session))) return undefined;
            await audited.insert(session, audit, report);
            const { _id: eventId, workspaceId, scope, period, generatedAt: at } = report;
            const events = { _id: eventId, workspaceId, scope, period };
            const subject = { kind: "report", report: events } as const;
            await outbox.publish(session, accountId, [{ eventId, type: "report.generated", at, subject }]);
            if (keyed) await answers.add(session, accountId, keyed, report);
            return undefined;
          });
        },

        /**
         * Stores the answer to a request before its report is created.
         * @returns the stored answer of the same request
         * @throws Fault idempotency.key_reused
         */
        reserve: (
          report: IntelReportDocument,
          keyed: Keyed<IntelReportDocument>,
        ): Promise<Uint8Array | undefined> =>
          writes.transact(async (session) => {
            const earlier = await answers.find(session, accountId, keyed);
            if (!earlier) await answers.add(session, accountId, keyed, report);
            return earlier;
          }),

        /** Stores a file of a future report, found only by its id. */
        writeFile: (filesId: string, file: ReportFile, expireAt: Date) => write(filesId, file, expireAt),

        readFile,

        /** Stored answer of a request with this key; undefined: none yet. @throws Fault idempotency.key_reused */
        findAnswer: (keyed: Keyed<IntelReportDocument>): Promise<Uint8Array | undefined> =>
          writes.transact((session) => answers.find(session, accountId, keyed)),

        find: (id: string) => guarded(reports.findOne({ _id: id, accountId })),

        /** Whether a report with this id was removed before its retention ended. */
        wasRemoved: async (id: string): Promise<boolean> => (await guarded(findMark(id))) !== null,

        /** The latest first. */
        list(workspaceId: string, filter: ReportFilter, { after, limit }: ListPage) {
          const { scopeType, scopeId, from, until } = filter;
          const bound = until && idBound("rpt", until);
          const end = after !== undefined && (bound === undefined || after < bound) ? after : bound;
          const ids = { ...(from && { $gte: idBound("rpt", from) }), ...(end !== undefined && { $lt: end }) };
          const found = reports
            .find({
              accountId,
              workspaceId,
              ...(scopeType && { "scope.type": scopeType }),
              ...(scopeId !== undefined && { "scope.id": scopeId }),
              ...(Object.keys(ids).length > 0 && { _id: ids }),
            })
            .sort({ _id: -1 })
            .limit(limit);
          return guarded(found.toArray());
        },

        /** Removes files that were written after the removal of their report. */
        async removeFiles(filesId: string): Promise<void> {
          await guarded(parts.deleteMany({ accountId, reportId: filesId, format: { $ne: REMOVED } }));
        },

        /** Removes a report with its files and links. A mark stays until its retention ends. False: there is none. */
        remove: (id: string, audit: Audit): Promise<boolean> =>
          writes.transact(async (session) => {
            const report = await reports.findOne({ _id: id, accountId }, { session });
            if (!report) return false;
            await links.deleteMany({ accountId, reportId: id }, { session });
            await parts.deleteMany({ accountId, reportId: report.filesId ?? id }, { session });
            const { expireAt } = report;
            const mark = { accountId, reportId: id, format: REMOVED, n: 0, data: new Binary(), expireAt };
            await parts.insertOne({ _id: `${id}.${REMOVED}.0`, ...mark }, { session });
            await audited.remove(session, audit, report);
            return true;
          }),

        /** A stored report; undefined: it does not exist in this form. */
        async read(reportId: string, format: string): Promise<Uint8Array | undefined> {
          const report = await guarded(reports.findOne({ _id: reportId, accountId }));
          return readFile(report?.filesId ?? reportId, format);
        },
      };
    },
  };
}
