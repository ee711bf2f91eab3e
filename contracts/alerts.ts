import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { alertOutcome, ingestAlertBody } from "./common/alert-schemas.ts";
import { idempotencyHeaders } from "./common/idempotency-headers.ts";
import type { Permission } from "./common/permission.ts";
import { problemsOfSubmission } from "./common/problem.ts";

const c = initContract();

export const alertAccepted = alertOutcome
  .extend({
    alert_id: z
      .string()
      .meta({ description: "Id of the alert.", examples: ["alr_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    sx_trace_id: z
      .string()
      .meta({ description: "Id of the request, used in logs.", examples: ["sx_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
  })
  .meta({ id: "AlertAccepted", description: "The alert and its results are stored on disk." });

export const alerts = c.router({
  ingestAlert: {
    method: "POST",
    path: "/v1/alerts/ingest",
    summary: "Ingest an alert",
    description:
      "Stores an alert and evaluates the account's alert rules. The response is sent once the alert and the e-mails that are due are on disk. After a network failure, retry with the same `Idempotency-Key`.",
    metadata: { permission: { key: "account", scope: "alerts.ingest" } satisfies Permission },
    headers: idempotencyHeaders("disk-full-web-1-20300101T1200", "stores no second alert"),
    body: ingestAlertBody,
    responses: {
      202: alertAccepted,
      ...problemsOfSubmission,
    },
    strictStatusCodes: true,
  },
});
