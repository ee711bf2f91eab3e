import { Fault, fault } from "../../shared/fault.ts";
import { createLru } from "../../shared/lru.ts";
import { LATE, unlessLate } from "../../shared/unless-late.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createMakeReport, LOGO_FILE, storedFormat } from "./make-report.ts";
import type { ReportWish } from "./read-report-request.ts";

type WantedFile = Pick<ReportWish, "format" | "paper">;

export interface ReportFiles {
  /**
   * A report in one format. A format that is not stored is created from the report's sources, with its label, and then
   * stored. undefined: it takes longer than a client waits; a later call finds it.
   * @throws Fault report.unknown, report.over_limit, service.busy
   */
  find(
    account: AccountStore,
    report: IntelReportDocument,
    wanted: WantedFile,
  ): Promise<Uint8Array | undefined>;
}

/** Time limit for one document: a large report on a loaded machine takes long, and clients ask again. */
const RENDER_MS = 180_000;
/** Time for which a document beyond the limits is not attempted again. */
const REFUSED_MS = 10 * 60_000;
const MAX_UNDER_WAY = 200;

/** Files of stored reports. Concurrent calls for one file create it once in each process. */
export function createReportFiles(needs: Pick<Dependencies, "store" | "intel" | "log">): ReportFiles {
  const { intel, log } = needs;
  const makeReport = createMakeReport(needs);
  const underWay = createLru<Promise<Uint8Array>>(MAX_UNDER_WAY, { ttl: REFUSED_MS });

  async function create(account: AccountStore, report: IntelReportDocument, wanted: WantedFile) {
    const { reports } = account;
    const filesId = report.filesId ?? report._id;
    const [json, logo] = await Promise.all(
      ["json", LOGO_FILE].map((format) => reports.readFile(filesId, format)),
    );
    if (!json) throw fault("report.unknown");
    const file = await makeReport.document(wanted, { json, logo }, { timeoutMs: RENDER_MS });
    await reports.writeFile(filesId, file, report.expireAt);
    if (await reports.find(report._id)) return file.bytes;
    // A member has removed it since.
    await reports.removeFiles(filesId);
    throw fault("report.unknown");
  }

  function createOnce(account: AccountStore, report: IntelReportDocument, wanted: WantedFile) {
    const key = `${account.id} ${report._id} ${storedFormat(wanted)}`;
    const running = underWay.get(key);
    if (running) return running;
    const created = create(account, report, wanted);
    underWay.set(key, created);
    created.then(
      () => underWay.delete(key),
      (error: unknown) => {
        const { code } = Fault.from(error);
        log.info({ err: error, report: report._id }, "a document of a report could not be created");
        if (code !== "report.over_limit") underWay.delete(key);
      },
    );
    return created;
  }

  return {
    find: async (account, report, wanted) => {
      const stored = await account.reports.readFile(report.filesId ?? report._id, storedFormat(wanted));
      if (stored) return stored;
      if (wanted.format === "json") throw fault("report.unknown");
      const created = await unlessLate(intel.promptReports.waitMs, createOnce(account, report, wanted));
      return created === LATE ? undefined : created;
    },
  };
}
