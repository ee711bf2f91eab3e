// A bounce of an unfinished message is answered with 451: the worker owns the message, and the other server keeps the
// report and repeats it, so nothing must be stored here.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReportBounceRequest,
  ReportBounceResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { parseReport } from "../../message/dsn/parse-report.ts";
import type { Report } from "../../message/dsn/report.ts";
import type { ReturnPaths } from "../../message/dsn/return-path.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { type Audit, SYSTEM } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Store } from "../../store/store.ts";
import type { ApplyReport, ReportOutcome } from "./apply-report.ts";
import { isComplaintAddress } from "./check-return-path.ts";

type Outcome = MessageInitShape<typeof ReportBounceResponseSchema>;

export interface ReportBounceOptions {
  readonly store: Pick<Store, "acrossAccounts">;
  /** undefined: there is no domain of return paths. */
  readonly returnPaths: ReturnPaths | undefined;
  readonly bounceDomain: string | undefined;
  readonly applyReport: ApplyReport;
  readonly log: Logger;
  /** Called for every report that was read. */
  readonly onReport: (kind: Report["kind"], outcome: string) => void;
}

/**
 * Reads mail to a return path, and stores its effects.
 *
 * The signature of the return path is the only authorization, and identifies the message. Reports have no other. A
 * client that knows it has received the message, and the only possible effect is that this recipient gets no further
 * mail.
 */
export function createReportBounce(options: ReportBounceOptions) {
  const { store, returnPaths, bounceDomain, log, onReport } = options;

  /** A report of a feedback loop contains the return path of the message. */
  function messageIdOf(returnPath: string, report: Report): string | undefined {
    const cited = report.kind === "arf" && report.originalMailFrom;
    const own = returnPaths?.decode(returnPath);
    if (own === undefined && !isComplaintAddress(returnPath, bounceDomain))
      throw fault("return_path.unknown");
    return (cited ? returnPaths?.decode(cited) : undefined) ?? own;
  }

  async function apply(returnPath: string, report: Report, audit: Audit): Promise<ReportOutcome> {
    const messageId = messageIdOf(returnPath, report);
    const { messages } = store.acrossAccounts;
    const message = messageId === undefined ? null : await messages.findById(messageId);
    if (!message) return { outcome: "ignored", ignoredBecause: "unknown_message" };
    return options.applyReport(message, report, audit);
  }

  return async (
    { returnPath, source }: ReportBounceRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<Outcome> => {
    const report = parseReport(Buffer.from(source));
    const outcome = await apply(returnPath, report, { ...audit, actor: SYSTEM });
    log.info({ report: report.kind, ...outcome }, "mail to a return path");
    onReport(report.kind, outcome.outcome ?? "");
    return outcome;
  };
}
