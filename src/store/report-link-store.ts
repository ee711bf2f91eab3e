import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { intelCollections } from "./intel-collections.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { ReportLinkDocument } from "./report-link-document.ts";
import { guarded } from "./store-fault.ts";

/** Maximum number of links of one report, including expired and revoked ones. */
export const MAX_LINKS = 100;

type NewLink = Pick<ReportLinkDocument, "_id" | "reportId" | "note" | "endsAt">;

/** Links that open reports without a session. */
export function createReportLinkStore(
  db: Db,
  writes: AuditedWrites,
  { transact }: { readonly transact: AccountTransactions },
) {
  const { links, reports } = intelCollections(db);
  const audited = writes.of("report_link", links);

  return {
    forAccount: (accountId: string) => ({
      find: (id: string) => guarded(links.findOne({ _id: id, accountId })),

      /** The latest first. */
      listOfReport: (reportId: string, page: ListPage) =>
        readPage(links, { accountId, reportId }, page, "-_id"),

      /** The latest first. */
      listOfWorkspace: (workspaceId: string, page: ListPage) =>
        readPage(links, { accountId, workspaceId }, page, "-_id"),

      /**
       * Adds a link. It ends with the report at the latest.
       * @returns null: there is no such report
       * @throws Fault report.too_many_links
       */
      add: (link: NewLink, audit: Audit): Promise<ReportLinkDocument | null> =>
        transact(accountId, async (session) => {
          const report = await reports.findOne({ _id: link.reportId, accountId }, { session });
          if (!report) return null;
          const options = { session, limit: MAX_LINKS };
          const count = await links.countDocuments({ accountId, reportId: report._id }, options);
          if (count >= MAX_LINKS) throw fault("report.too_many_links");
          const { workspaceId, expireAt, scope } = report;
          const endsAt = new Date(Math.min(link.endsAt.getTime(), expireAt.getTime()));
          return audited.insert(session, audit, {
            ...link,
            accountId,
            workspaceId,
            endsAt,
            expireAt,
            reportName: scope.name,
            createdAt: audit.now(),
            opens: 0,
            downloads: 0,
          });
        }),

      /** Ends a link. A link that was revoked stays as it is. @returns null: there is no such link */
      revoke: (id: string, audit: Audit): Promise<ReportLinkDocument | null> =>
        audited.change({ _id: id, accountId }, audit, (before) =>
          before.revokedAt ? before : { ...before, revokedAt: audit.now() },
        ),

      /** Counts an opening of the report, or a download of its PDF. */
      async count(id: string, what: "opens" | "downloads", at: Date): Promise<void> {
        const times = { $min: { firstOpenedAt: at }, $max: { lastOpenedAt: at } };
        await guarded(links.updateOne({ _id: id, accountId }, { $inc: { [what]: 1 }, ...times }));
      },
    }),
  };
}
