import type { RenderLimits } from "../../intel/reports/render-report.ts";
import type { RenderRequest } from "../../intel/reports/render-thread.ts";
import type { ReportInputs } from "../../intel/reports/report-inputs.ts";
import { fault } from "../../shared/fault.ts";
import type { ReportFile } from "../../store/report-store.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { findLabel } from "./find-label.ts";
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

/** Stored content from which documents of a report are created. */
export interface ReportSources {
  readonly json: Uint8Array;
  /** PNG; undefined: the report has no logo. */
  readonly logo: Uint8Array | undefined;
}

export interface MakeReport {
  /**
   * Creates a report from the stored data, in a thread: its sources, and the requested format if it is not JSON.
   * @throws Fault service.busy, report.over_limit, internal.error, store.unavailable
   */
  all(account: AccountStore, asked: ReportToMake): Promise<ReportFile[]>;
  /** Creates only the sources: the JSON with the label of the present time, and its logo. */
  sources(account: AccountStore, asked: ReportToMake, limits?: RenderLimits): Promise<ReportSources>;
  /** Creates only the JSON, from inputs that are not stored. */
  build(inputs: ReportInputs): Promise<Uint8Array>;
  /** Creates a document from its sources; the format is not JSON. */
  document(
    wish: Pick<ReportWish, "format" | "paper">,
    sources: ReportSources,
    limits?: RenderLimits,
  ): Promise<ReportFile>;
}

/** Name under which the logo of a report is stored. */
export const LOGO_FILE = "logo";

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
    sources: async (account, asked, limits) => {
      const { logo, ...branding } = await findLabel(account, asked);
      const inputs = await gatherReportInputs(needs, account, { ...asked, branding });
      asked.signal?.throwIfAborted();
      return { json: await rendered({ kind: "build", inputs }, limits), logo };
    },
    build: (inputs) => rendered({ kind: "build", inputs }),
    document: async (wish, sources, limits) => {
      const request =
        wish.format === "html"
          ? ({ kind: "html", ...sources } as const)
          : ({ kind: "pdf", ...sources, paper: wish.paper } as const);
      return { format: storedFormat(wish), bytes: await rendered(request, limits) };
    },
    all: async (account, asked) => {
      const sources = await makeReport.sources(account, asked);
      if (asked.wish.format === "json") return sourceFiles(sources);
      asked.signal?.throwIfAborted();
      return [...sourceFiles(sources), await makeReport.document(asked.wish, sources)];
    },
  };
  return makeReport;
}

/** Sources as files of the report. */
export function sourceFiles({ json, logo }: ReportSources): ReportFile[] {
  return [{ format: "json", bytes: json }, ...(logo ? [{ format: LOGO_FILE, bytes: logo }] : [])];
}

/** Name under which a format is stored: a PDF depends on its paper size. */
export function storedFormat({ format, paper }: Pick<ReportWish, "format" | "paper">): string {
  return format === "pdf" ? `pdf-${paper}` : format;
}
