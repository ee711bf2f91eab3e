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
}

/**
 * Makes a report of what is stored now, in a thread: its JSON, and behind it the form that is asked for, if that is another one.
 * @throws Fault service.busy, internal.error, store.unavailable
 */
export type MakeReport = (account: AccountStore, asked: ReportToMake) => Promise<ReportFile[]>;

export function createMakeReport(needs: Pick<Dependencies, "store" | "intel" | "log">): MakeReport {
  const { intel, log } = needs;

  async function rendered(request: Parameters<typeof intel.reports.render>[0]): Promise<Uint8Array> {
    const rendering = await intel.reports.render(request);
    if (rendering.kind === "bytes") return rendering.bytes;
    if (rendering.kind === "busy") throw fault("service.busy");
    log.error({ reason: rendering.reason }, "a report could not be made");
    throw fault("internal.error", { internal: `a report could not be made: ${rendering.reason}` });
  }

  return async (account, asked) => {
    const { wish } = asked;
    const json = await rendered({ kind: "build", inputs: await gatherReportInputs(needs, account, asked) });
    const files: ReportFile[] = [{ format: "json", bytes: json }];
    if (wish.format === "json") return files;
    const text = Buffer.from(json).toString();
    const request =
      wish.format === "html"
        ? ({ kind: "html", json: text } as const)
        : ({ kind: "pdf", json: text, paper: wish.paper } as const);
    return [...files, { format: storedFormat(wish), bytes: await rendered(request) }];
  };
}

/** What a form is stored as: a PDF is another one on other paper. */
export function storedFormat({ format, paper }: Pick<ReportWish, "format" | "paper">): string {
  return format === "pdf" ? `pdf-${paper}` : format;
}
