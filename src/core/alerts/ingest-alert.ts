import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Alert,
  IngestAlertRequest,
  IngestAlertResponseSchema,
  IngestAlertsRequest,
  IngestAlertsResponseSchema,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import type { AcceptAlert } from "./accept-alert.ts";
import { readAlert, sizeOf } from "./read-alert.ts";

export type IngestNeeds = Pick<Dependencies, "store" | "alertEngine"> &
  Pick<
    AcceptNeeds,
    "authenticator" | "rateLimits" | "budget" | "idempotency" | "retention" | "clock" | "measured"
  >;

/** Maximum number of alerts in one request. */
const MAX_ALERTS = 500;

/**
 * Accepts one or several alerts:
 *
 * 1. authenticates the key, counts the alerts, and reserves capacity for them
 * 2. processes alerts with the same idempotency key one at a time, with the result of an earlier one
 * 3. validates the fields
 * 4. evaluates the alert together with others of the account that arrive at the same time, and stores it with its
 *    effects
 * 5. stores the mail that is due
 */
export function createIngestAlerts(needs: IngestNeeds, acceptAlert: AcceptAlert) {
  const { authenticator, rateLimits, budget, measured } = needs;

  async function admit(
    { apiKey, clientAddress }: IngestAlertRequest | IngestAlertsRequest,
    { peerAddress }: HandlerContext,
    alerts: readonly (Alert | undefined)[],
  ) {
    const key = await authenticator.authenticate(apiKey, {
      kind: "account",
      scope: "alerts.ingest",
      clientAddress: clientAddress || peerAddress,
      // A service that calls the core directly sends no client address.
      surface: clientAddress === "" ? "grpc" : "http",
      isOperation: true,
    });
    const { accountId, _id: keyId } = key;
    const limits = await rateLimits.consume(keyId, accountId, alerts.length);
    const sizeBytes = alerts.reduce((sum, alert) => sum + sizeOf(alert), 0);
    return { accountId, keyId, limits, reservation: budget.reserve({ keyId, accountId }, sizeBytes) };
  }

  const takeTogether = measured(async (request: IngestAlertsRequest, context: HandlerContext) => {
    const all = request.alerts;
    checkCount(all.length);
    const contents = all.map(({ alert }) => alert);
    const { accountId, keyId, limits, reservation } = await admit(request, context, contents);
    try {
      for (const [index, alert] of contents.entries()) readAlert(alert, `/alerts/${index}/alert`);
      const accepted = await Promise.allSettled(
        all.map(({ idempotencyKey, alert }) =>
          acceptAlert({ accountId, keyId, idempotencyKey, alert }, context),
        ),
      );
      const results = accepted.map((one) => {
        if (one.status === "rejected") throw one.reason;
        return one.value;
      });
      return { results, limits, replayed: results.every(({ replayed }) => replayed) };
    } finally {
      reservation.release();
    }
  });

  return {
    ingestAlert: measured(async (request: IngestAlertRequest, context: HandlerContext) => {
      const { idempotencyKey, alert } = request;
      const { accountId, keyId, limits, reservation } = await admit(request, context, [alert]);
      try {
        const answer = await acceptAlert({ accountId, keyId, idempotencyKey, alert }, context);
        return { ...answer, rateLimits: limits } satisfies MessageInitShape<typeof IngestAlertResponseSchema>;
      } finally {
        reservation.release();
      }
    }),

    ingestAlerts: async (
      request: IngestAlertsRequest,
      context: HandlerContext,
    ): Promise<MessageInitShape<typeof IngestAlertsResponseSchema>> => {
      const { results, limits: rateLimits } = await takeTogether(request, context);
      return { results, rateLimits };
    },
  };
}

/** @throws Fault request.validation_failed */
function checkCount(length: number): void {
  if (length > 0 && length <= MAX_ALERTS) return;
  const message = say("alerts_of_call", { max: MAX_ALERTS, actual: length });
  throw validationFault([{ pointer: "/alerts", code: "field.too_many", message }]);
}
