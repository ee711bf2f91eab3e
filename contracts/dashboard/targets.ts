import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  createdTarget,
  target,
  targetDelivery,
  targetDescription,
  targetKind,
  targetName,
  targetRate,
} from "../common/target-schemas.ts";
import { text } from "../common/text-field.ts";
import { partsOf } from "../common/text-part.ts";
import { newHeaders, overlapSeconds } from "../common/webhook-fields.ts";
import { page, pageQuery } from "./common.ts";

const c = initContract();

const URL_EXAMPLE = "https://hooks.slack.com/services/T000/B000/XXXX";

const settings = {
  name: targetName,
  description: targetDescription.optional(),
  headers: newHeaders("NewTargetHeader"),
  rate_per_second: targetRate.optional(),
};

const newTarget = z
  .strictObject({
    ...settings,
    kind: targetKind,
    url: text("HTTPS URL that receives the notices, at most 2,048 characters.", URL_EXAMPLE),
  })
  .meta({ id: "NewTarget", description: "An alert target to create." });

export const targetReplacement = z
  .strictObject({
    ...settings,
    url: text("New URL. It is never shown again. Missing: the stored URL stays.", URL_EXAMPLE).optional(),
    if_revision: ifRevision,
  })
  .meta({
    id: "TargetReplacement",
    description: "Complete settings of an alert target. Settings that are left out get their default.",
  });

const ownId = z.object({ target_id: z.string().meta({ description: "Id of the target." }) });

export const targets = c.router({
  listTargets: {
    method: "GET",
    path: "/api/alert-targets",
    summary: "List alert targets",
    description: "Lists alert targets in the order of their creation.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("TargetList", target) },
    }),
  },
  getTarget: {
    method: "GET",
    path: "/api/alert-targets/:target_id",
    pathParams: ownId,
    summary: "Get an alert target",
    description: "Returns an alert target without its URL, its secrets and the values of its headers.",
    ...reading({ access: "alerts.read", faults: ["alert_target.unknown"], success: { 200: target } }),
  },
  createTarget: {
    method: "POST",
    path: "/api/alert-targets",
    summary: "Create an alert target",
    description:
      "Creates an alert target, which rules can notify by its id. Only this response contains the secret of a `webhook`.",
    body: newTarget,
    ...changing({
      access: "alerts.write",
      faults: ["alert_target.exists", "alert_target.too_many", "auth.reauthentication_required"],
      success: { 201: createdTarget },
    }),
  },
  replaceTarget: {
    method: "PUT",
    path: "/api/alert-targets/:target_id",
    pathParams: ownId,
    summary: "Replace the settings of an alert target",
    description:
      "Replaces the settings. Pending deliveries are sent with the new settings. The kind and the secret stay.",
    body: targetReplacement,
    ...changing({
      access: "alerts.write",
      faults: [
        "alert_target.unknown",
        "alert_target.exists",
        "resource.stale",
        "auth.reauthentication_required",
      ],
      success: { 200: target },
    }),
  },
  rotateTargetSecret: {
    method: "POST",
    path: "/api/alert-targets/:target_id/rotate",
    pathParams: ownId,
    summary: "Rotate the secret of an alert target",
    description:
      "Creates a new secret of a `webhook`. Until the former secret expires, requests have the signatures of both. Only this response contains the new secret.",
    body: z
      .strictObject({
        overlap_seconds: overlapSeconds,
      })
      .meta({ id: "TargetRotation", description: "Settings of a rotation." }),
    ...changing({
      access: "alerts.write",
      faults: ["alert_target.unknown", "alert_target.no_secret", "auth.reauthentication_required"],
      success: { 201: createdTarget },
    }),
  },
  testTarget: {
    method: "POST",
    path: "/api/alert-targets/:target_id/test",
    pathParams: ownId,
    summary: "Test an alert target",
    description:
      "Sends a sample notice to the target once, waits at most 10 seconds, and returns the answer of the target. Nothing is stored. At most 4 tests of an account are in progress at the same time.",
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["alert_target.unknown", "service.busy"],
      success: {
        200: z
          .object({
            accepted: z.boolean().meta({ description: "Whether the target accepted the sample." }),
            status: z
              .int()
              .meta({ description: "HTTP status of the answer; 0 if there was none.", examples: [404] }),
            detail: text("Result as text.", "it answered 404"),
            detail_parts: partsOf("detail"),
            answer: text("Beginning of the answer.", "no_service"),
            duration_ms: z.int().meta({
              description: "Milliseconds until the answer was read or the attempt failed.",
              examples: [84],
            }),
            event_id: text("Id of the sample for the receiver.", "ntc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
          })
          .meta({ id: "TargetTest", description: "Answer of an alert target to a sample." }),
      },
    }),
  },
  listTargetDeliveries: {
    method: "GET",
    path: "/api/alert-targets/:target_id/deliveries",
    pathParams: ownId,
    summary: "List the deliveries of an alert target",
    description: "Lists deliveries of notices of the last 30 days, newest first.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed", "alert_target.unknown"],
      success: { 200: page("TargetDeliveryList", targetDelivery) },
    }),
  },
  deleteTarget: {
    method: "DELETE",
    path: "/api/alert-targets/:target_id",
    query: removalQuery.extend({ if_revision: ifRevision }),
    pathParams: ownId,
    summary: "Delete an alert target",
    description:
      "Deletes an alert target. Pending deliveries are dropped. If enabled rules notify it, the response is 409 with their names. With `force`, it is deleted, and the rules no longer notify it.",
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["alert_target.unknown", "resource.stale", "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
});
