import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { alertAccepted } from "../../contracts/alerts.ts";
import type { ingestAlertBody } from "../../contracts/common/alert-schemas.ts";
import type { AlertOutcome } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { CoreClient, IngestAlertInit } from "../rpc/client.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { Admission } from "./admit.ts";
import { momentOf } from "./dashboard/call.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { type HeaderSink, setRateLimitHeaders } from "./problem-reply.ts";

type Body = z.output<typeof ingestAlertBody>;
type Accepted = z.output<typeof alertAccepted>;
type AlertInit = NonNullable<IngestAlertInit["alert"]>;

interface IngestInput {
  readonly body: Body;
  readonly request: Pick<FastifyRequest, "id" | "raw" | "caller" | "held">;
  readonly reply: HeaderSink;
}

export interface AlertParts {
  readonly core: Pick<CoreClient, "alerts">;
  readonly holding: Admission<unknown>["holding"];
}

/** Handlers of the routes of `api.alerts`. */
export function alerts({ core, holding }: AlertParts) {
  return {
    ingestAlert: holding(
      async ({ body, request, reply }: IngestInput): Promise<{ status: 202; body: Accepted }> => {
        const accepted = await core.alerts.ingestAlert({
          apiKey: request.caller?.apiKey ?? "",
          idempotencyKey: idempotencyKeyOf(request),
          traceId: request.id,
          clientAddress: request.caller?.clientAddress ?? "",
          alert: alertOf(body),
        });
        if (accepted.replayed) reply.header("idempotent-replayed", "true");
        setRateLimitHeaders(reply, accepted.rateLimits);
        const { alertId: alert_id, traceId: sx_trace_id, outcome } = accepted;
        if (!outcome) throw new Error("the core answered without an outcome");
        return { status: 202, body: { alert_id, sx_trace_id, ...outcomeBody(outcome) } };
      },
    ),
  };
}

/**
 * An alert of a body, as the core takes it.
 * @param pointer a JSON pointer to it
 * @throws Fault request.validation_failed
 */
export function alertOf(body: Body, pointer = ""): AlertInit {
  const { event_type: eventType, severity, source, message, status } = body;
  const { entity_type: entityType, entity_id: entityId, dedup_key: dedupKey, occurred_at } = body;
  const context = body.context as AlertInit["context"];
  const occurredAt = momentOf(occurred_at, `${pointer}/occurred_at`);
  return {
    eventType,
    severity,
    source,
    message,
    ...withoutUndefined({ entityType, entityId, dedupKey, status, context }),
    ...(occurredAt && { occurredAt: timestampFromDate(occurredAt) }),
    links: (body.links ?? []).map(({ href, text = "" }) => ({ href, text })),
  };
}

export function outcomeBody(outcome: AlertOutcome) {
  const { status, matchedRules, incidentIds, messageIds, reasons } = outcome;
  return {
    status: status as Accepted["status"],
    matched_rules: matchedRules,
    incident_ids: incidentIds,
    message_ids: messageIds,
    reasons: reasons.map(({ rule, reason, nextNotificationAt: next }) => ({
      rule,
      reason,
      ...(next && { next_notification_at: timestampDate(next).toISOString() }),
    })),
  };
}
