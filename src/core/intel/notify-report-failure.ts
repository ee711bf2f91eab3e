import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { Fault } from "../../shared/fault.ts";
import { newTraceId } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { ScheduleRun } from "../../store/schedule-documents.ts";
import type { HeldSchedule } from "../../store/schedule-store.ts";
import { createAcceptAlert } from "../alerts/accept-alert.ts";
import type { Dependencies } from "../dependencies.ts";

export type ReportFailureNeeds = Pick<
  Dependencies,
  "store" | "alertEngine" | "idempotency" | "retention" | "clock" | "log"
>;

/**
 * Submits a failed scheduled report as an alert to the account's alert rules, and the next sent one as its
 * resolution. It is submitted before the schedule stores the result, with a key of its own: a repeated attempt
 * submits no second alert.
 * @throws Fault store.unavailable
 */
export function createNotifyReportFailure(needs: ReportFailureNeeds) {
  const acceptAlert = createAcceptAlert(needs);

  return async (held: HeldSchedule, { status, reason, code, reportId }: ScheduleRun): Promise<void> => {
    const isFailed = status === "failed";
    if (!isFailed && !(status === "sent" && held.lastRun?.status === "failed")) return;
    const { _id, accountId, workspaceId, name, work } = held;
    const alert = create(AlertSchema, {
      eventType: "report.failed",
      source: "deliverability",
      severity: "warning",
      entityType: "schedule",
      entityId: _id,
      dedupKey: `${_id}/report`,
      message: isFailed ? `The report "${name}" was not sent: ${reason}` : `The report "${name}" was sent.`,
      status: isFailed ? "firing" : "resolved",
      occurredAt: timestampFromDate(work.since),
      context: withoutUndefined({
        schedule_id: _id,
        workspace_id: workspaceId,
        report_id: reportId,
        code,
      }) as Record<string, string>,
    });
    const idempotencyKey = `${_id}.${work.key.replaceAll(" ", ".")}.${status}`;
    const context = { traceId: newTraceId(needs.clock.now()), signal: new AbortController().signal };
    try {
      await acceptAlert({ accountId, keyId: "", idempotencyKey, alert }, context);
    } catch (error) {
      if (!(error instanceof Fault) || error.code.startsWith("store.")) throw error;
      needs.log.warn(
        { err: error, schedule: _id },
        "the outcome of a scheduled report could not be stored as an alert",
      );
    }
  };
}
