import type { oas31 } from "openapi3-ts";

const alert = {
  event_type: "disk.full",
  severity: "critical",
  source: "node-exporter",
  message: "/var is 97 % full",
};

/** Request bodies of ingestAlert, shortest first. */
export const ingestAlertExamples: oas31.ExamplesObject = {
  minimal: { summary: "Required fields only", value: alert },
  entity: {
    summary: "With the affected entity and its context",
    value: {
      ...alert,
      entity_type: "host",
      entity_id: "web-1",
      context: { mount: "/var", used_percent: 97, team: "storage" },
      links: [{ href: "https://grafana.example.com/d/disks?var-host=web-1", text: "Disks of web-1" }],
    },
  },
  resolved: {
    summary: "A resolved alert",
    value: { ...alert, severity: "info", entity_type: "host", entity_id: "web-1", status: "resolved" },
  },
};

const accepted = {
  alert_id: "alr_01k9z4c3r8h2v6y0n5t7w1x3q9",
  sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
  status: "routed",
  matched_rules: ["pager"],
  incident_ids: ["inc_01k9z4c3r8h2v6y0n5t7w1x3q9"],
  message_ids: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
  reasons: [],
};

export const alertAcceptedExamples: oas31.ExamplesObject = {
  mailed: { summary: "The alert opened an incident, and its e-mail is queued", value: accepted },
  repeated: {
    summary: "Recipients were already notified",
    value: {
      ...accepted,
      status: "suppressed",
      message_ids: [],
      reasons: [{ rule: "pager", reason: "deduplicated", next_notification_at: "2030-01-01T16:00:00.000Z" }],
    },
  },
  unmatched: {
    summary: "No rule matches",
    value: { ...accepted, status: "unmatched", matched_rules: [], incident_ids: [], message_ids: [] },
  },
};
