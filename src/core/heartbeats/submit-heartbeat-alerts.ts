import { create, type JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FaultCodeName } from "../../../contracts/common/fault-codes.ts";
import { AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { Fault } from "../../shared/fault.ts";
import { newTraceId } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { HeartbeatDocument, PendingHeartbeatAlert } from "../../store/heartbeat-documents.ts";
import { createAcceptAlert } from "../alerts/accept-alert.ts";
import type { Dependencies } from "../dependencies.ts";
import { afterSubmission } from "./heartbeat-alert.ts";

export type SubmitNeeds = Pick<
  Dependencies,
  "store" | "alertEngine" | "idempotency" | "retention" | "clock" | "log"
>;

/** Faults of an alert that can never be accepted. */
const FINAL: ReadonlySet<FaultCodeName> = new Set([
  "request.validation_failed",
  "request.too_large",
  "idempotency.key_reused",
]);

/**
 * Submits the pending alerts of a heartbeat to the alert rules of its account, in their order, and removes them from the
 * heartbeat. The idempotency key of an alert follows from its number: a process that ends in between, or a second one,
 * submits none twice.
 * @returns the heartbeat without them; undefined: it has changed since, or was removed; its pending alerts are
 *   removed by the next submission
 * @throws Fault store.unavailable, idempotency.in_flight
 */
export type SubmitHeartbeatAlerts = (heartbeat: HeartbeatDocument) => Promise<HeartbeatDocument | undefined>;

export function createSubmitHeartbeatAlerts(needs: SubmitNeeds): SubmitHeartbeatAlerts {
  const { store, clock, log } = needs;
  const acceptAlert = createAcceptAlert(needs);

  async function submit(
    { _id, accountId }: HeartbeatDocument,
    pending: PendingHeartbeatAlert,
  ): Promise<void> {
    const arrival = {
      accountId,
      keyId: "",
      idempotencyKey: `${_id}.${pending.number}`,
      keepsKey: true,
      alert: alertOf(_id, pending),
    };
    const context = { traceId: newTraceId(clock.now()), signal: new AbortController().signal };
    try {
      await acceptAlert(arrival, context);
    } catch (error) {
      if (!(error instanceof Fault && FINAL.has(error.code))) throw error;
      log.error(
        { err: error, heartbeat: _id },
        "an alert of a heartbeat can never be stored, and is dropped",
      );
    }
  }

  return async (heartbeat) => {
    let through = 0;
    for (const pending of heartbeat.pending) {
      await submit(heartbeat, pending);
      through = pending.number;
    }
    const after = afterSubmission(heartbeat, through, clock.now());
    const isWritten = await store.forAccount(heartbeat.accountId).heartbeats.advance(heartbeat, after);
    return isWritten ? { ...after, revision: heartbeat.revision + 1 } : undefined;
  };
}

function alertOf(id: string, { status, at, alert }: PendingHeartbeatAlert) {
  const { context, ...words } = alert;
  return create(AlertSchema, {
    ...withoutUndefined(words),
    status,
    dedupKey: id,
    occurredAt: timestampFromDate(at),
    context: context as JsonObject,
  });
}
