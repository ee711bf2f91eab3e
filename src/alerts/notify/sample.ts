import type { AlertSummary, Incident, Notice } from "../incident.ts";

const TITLE = "[warning] hermod: this is a test";
/** Ids of what does not exist, in the form of real ones. */
const NONE = "0".repeat(26);

/** An incident with a notice for tests of an alert target. Neither is stored. */
export function sampleNotice(
  at: Date,
  accountId: string,
  target: string,
): { incident: Incident; notice: Notice } {
  const latest: AlertSummary = {
    alertId: `alr_${NONE}`,
    at,
    eventType: "target.test",
    severity: "warning",
    source: "hermod",
    message: `A member sent this message to test the alert target ${target}. There is nothing to do.`,
    entityType: "target",
    entityId: target,
  };
  const incident: Incident = {
    _id: `inc_${NONE}`,
    accountId,
    ruleId: `rul_${NONE}`,
    ruleVersion: 1,
    ruleName: "test",
    groupKey: "",
    state: "open",
    title: TITLE,
    severity: "warning",
    latest,
    openedAt: at,
    updatedAt: at,
    alerts: 1,
    occurrences: 1,
    firing: 1,
    untold: 0,
    notices: 1,
    threads: [],
    reopenings: [],
    entries: 0,
    revision: 0,
  };
  const notice: Notice = {
    number: 1,
    reason: "first",
    at,
    state: "open",
    severity: "warning",
    title: TITLE,
    alerts: [latest],
    more: 0,
    context: { test: true },
    links: [],
    mails: [],
  };
  return { incident, notice };
}
