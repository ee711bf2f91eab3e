import type { RenderLimits } from "../../intel/reports/render-report.ts";
import type { RenderRequest } from "../../intel/reports/render-thread.ts";
import { fault } from "../../shared/fault.ts";
import type { ReportFile } from "../../store/intel-report-store.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { ReportWish } from "./read-report-request.ts";
import { gatherReportInputs, type ReportScope } from "./report-inputs.ts";

export interface ReportToMake {
  readonly id: string;
  readonly wish: ReportWish;
  readonly scope: ReportScope;
  readonly generatedAt: Date;
  /** Aborted: the report is no longer needed, and the next part is not started. */
  readonly signal?: AbortSignal;
}

export interface MakeReport {
  /**
   * Creates a report from the stored data, in a thread: its JSON, followed by the requested format if it is another
   * one.
   * @throws Fault service.busy, report.over_limit, internal.error, store.unavailable
   */
  all(account: AccountStore, asked: ReportToMake): Promise<ReportFile[]>;
  /** Creates only the JSON. */
  json(account: AccountStore, asked: ReportToMake, limits?: RenderLimits): Promise<ReportFile>;
  /** Creates the requested format from its JSON; the format is not JSON. */
  document(wish: ReportWish, json: Uint8Array, limits?: RenderLimits): Promise<ReportFile>;
}

/** Maximum size of a report in one format in bytes: an answer of the core has at most 64 MiB. */
const MAX_REPORT_BYTES = 32 * 1024 * 1024;

export function createMakeReport(needs: Pick<Dependencies, "store" | "intel" | "log">): MakeReport {
  const { intel, log } = needs;

  async function rendered(request: RenderRequest, limits: RenderLimits = {}): Promise<Uint8Array> {
    const rendering = await intel.reports.render(request, limits);
    if (rendering.kind === "busy") throw fault("service.busy");
    if (rendering.kind === "bytes" && rendering.bytes.length <= MAX_REPORT_BYTES) return rendering.bytes;
    const reason = rendering.kind === "bytes" ? `it has ${rendering.bytes.length} bytes` : rendering.reason;
    log.error({ reason }, "a report could not be generated");
    if (rendering.kind !== "failed") throw fault("report.over_limit");
    throw fault("internal.error", { internal: `a report could not be generated: ${reason}` });
  }

  const makeReport: MakeReport = {
    json: async (account, asked, limits) => {
      const inputs = await gatherReportInputs(needs, account, asked);
      asked.signal?.throwIfAborted();
      return { format: "json", bytes: await rendered({ kind: "build", inputs }, limits) };
    },
    document: async (wish, json, limits) => {
      const request =
        wish.format === "html"
          ? ({ kind: "html", json } as const)
          : ({ kind: "pdf", json, paper: wish.paper } as const);
      return { format: storedFormat(wish), bytes: await rendered(request, limits) };
    },
    all: async (account, asked) => {
      const json = await makeReport.json(account, asked);
      if (asked.wish.format === "json") return [json];
      asked.signal?.throwIfAborted();
      return [json, await makeReport.document(asked.wish, json.bytes)];
    },
  };
  return makeReport;
}

/** Name under which a format is stored: a PDF depends on its paper size. */
export function storedFormat({ format, paper }: Pick<ReportWish, "format" | "paper">): string {
  return format === "pdf" ? `pdf-${paper}` : format;
}
