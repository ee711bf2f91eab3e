import { randomUUID } from "node:crypto";
import { validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { alertOf, listOf, objectOf, type ReadSource } from "./source-alert.ts";

const statuses = { trigger: "firing", acknowledge: "acknowledged", resolve: "resolved" } as const;
const words = { trigger: "triggered", acknowledge: "acknowledged", resolve: "resolved" } as const;

/**
 * An event of PagerDuty's Events API, version 2. An event without a key is a separate alert, as in PagerDuty.
 * https://developer.pagerduty.com/docs/events-api-v2/trigger-events/
 */
export const readPagerDutyEvent: ReadSource = (body, severityOf) => {
  const action = (["trigger", "acknowledge", "resolve"] as const).find((one) => one === body.event_action);
  if (!action)
    throw invalid("/event_action", say("one_of", { allowed: ["trigger", "acknowledge", "resolve"] }));
  const payload = objectOf(body.payload);
  const { component, group, class: kind, custom_details: details } = payload;
  if (action === "trigger" && typeof payload.summary !== "string")
    throw invalid("/payload/summary", say("action_needs_it", { kind: "trigger" }));
  const dedupKey = typeof body.dedup_key === "string" ? body.dedup_key.trim() : "";
  if (action !== "trigger" && dedupKey === "")
    throw invalid("/dedup_key", say("action_needs_it", { kind: action }));
  const client = body.client ?? "pagerduty";
  const alert = alertOf(
    {
      eventType: kind ?? "event",
      severity: payload.severity,
      source: [payload.source, client],
      message: [payload.summary, `${words[action]} at its source`],
      entity: { type: "component", id: component },
      status: statuses[action],
      dedupKey: dedupKey || randomUUID(),
      integration: body.routing_key,
      // Clients repeat the payload of the trigger: the end counts by its arrival.
      occurredAt: action === "trigger" ? payload.timestamp : undefined,
      context: {
        ...(group !== undefined && { group }),
        ...(details !== undefined && { custom_details: details }),
        ...(body.client !== undefined && { client }),
      },
      links: [
        ...listOf(body.links).map((link) => {
          const { href, text } = objectOf(link);
          return { href, text };
        }),
        { href: body.client_url, text: body.client ?? "Client" },
      ],
    },
    severityOf,
  );
  return [alert];
};

function invalid(pointer: string, message: FaultText) {
  return validationFault([{ pointer, code: "field.invalid", message }]);
}
