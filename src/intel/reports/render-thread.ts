/** Entry of the thread that creates and writes reports, one after the other. */
import { parentPort } from "node:worker_threads";
import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { ownBytes } from "../../shared/own-bytes.ts";
import { buildReport } from "./build-report.ts";
import { writeDocument } from "./document/write-document.ts";
import { writeHtml } from "./html/write-html.ts";
import { type Paper, writePdf } from "./pdf/write-pdf.ts";
import type { ReportInputs } from "./report-inputs.ts";

/**
 * A request. `json` is the report's own JSON in UTF-8: a string would be twice as large, and each thread would hold a
 * copy. `logo` is a PNG; undefined: none.
 */
export type RenderRequest =
  | { readonly kind: "build"; readonly inputs: ReportInputs }
  | { readonly kind: "html"; readonly json: Uint8Array; readonly logo?: Uint8Array | undefined }
  | {
      readonly kind: "pdf";
      readonly json: Uint8Array;
      readonly paper: Paper;
      readonly logo?: Uint8Array | undefined;
    };

/** Answers of the thread. */
export type RenderMessage =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "failure"; readonly reason: string };

async function render(request: RenderRequest): Promise<Buffer> {
  if (request.kind === "build") return Buffer.from(JSON.stringify(buildReport(request.inputs)));
  const report = JSON.parse(textOf(request.json)) as IntelReport;
  const document = writeDocument(report, request.logo);
  return request.kind === "html" ? Buffer.from(writeHtml(document)) : writePdf(document, request.paper);
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

function answer(message: RenderMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

parentPort?.on("message", (request: RenderRequest) => {
  render(request).then(
    (buffer) => {
      const bytes = ownBytes(buffer);
      answer({ kind: "bytes", bytes }, [bytes.buffer]);
    },
    (error: unknown) =>
      answer({ kind: "failure", reason: error instanceof Error ? error.message : String(error) }),
  );
});
