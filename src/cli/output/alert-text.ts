import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { AlertOutcome, RuleExplanation } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { GetIncidentResponse } from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { AlertRuleSettings, Condition } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { Paint } from "./paint.ts";
import { alignRows } from "./table.ts";
import { plainTime, printable } from "./text.ts";

type Conditions = Pick<AlertRuleSettings, "match" | "any">;

/** For example `event_type glob disk.*`. */
export function conditionText({ field, op, value }: Pick<Condition, "field" | "op" | "value">): string {
  const shown = value ? JSON.stringify(toJson(ValueSchema, value)) : "";
  return printable(`${field} ${op} ${shown}`);
}

/** Conditions of a rule or a silence; no conditions match every alert. */
export function conditionsText({ match = [], any = [] }: Partial<Conditions> = {}): string {
  const all = [...match.map(conditionText), ...(any.length > 0 ? [`one of ${any.length}`] : [])];
  return all.join(", ") || "every alert";
}

/** Outcome of an alert. */
export function outcomeText(alertId: string, outcome: AlertOutcome | undefined): string {
  const { status = "", matchedRules = [], incidentIds = [], messageIds = [], reasons = [] } = outcome ?? {};
  const rows = [
    ["Alert", alertId],
    ["Status", status],
    ["Rules", matchedRules.map(printable).join(", ") || "none"],
    ["Incidents", incidentIds.join(", ") || "none"],
    ["Messages", messageIds.join(", ") || "none"],
    ...reasons.map(({ rule, reason, nextNotificationAt: next }) => [
      "Deferred",
      `${printable(rule)}: ${reason}${next ? `, next at ${plainTime(next)}` : ""}`,
    ]),
  ];
  return alignRows(rows).join("\n");
}

/** Decision of each rule, and its reason. */
export function explanationText(rules: readonly RuleExplanation[]): string {
  return rules
    .map(({ rule, version, reason, conditions }) => {
      const lines = conditions.map((one) => `    ${one.verdict.padEnd(8)} ${conditionText(one)}`);
      return [`${printable(rule)} (version ${version}): ${reason}`, ...lines].join("\n");
    })
    .join("\n");
}

export function incidentText(paint: Paint, { incident, firing, history }: GetIncidentResponse): string {
  if (!incident) return "";
  const {
    title,
    state,
    rule,
    ruleVersion,
    openedAt,
    resolvedAt,
    nextNoticeAt,
    heldBy,
    trouble: error,
    snoozedUntil,
    assignee,
  } = incident;
  const rows = [
    ["Incident", incident.id],
    ["Title", printable(title)],
    ["State", state],
    ["Rule", `${printable(rule)}, version ${ruleVersion}`],
    ["Opened", plainTime(openedAt)],
    ...(resolvedAt ? [["Resolved", plainTime(resolvedAt)]] : []),
    ...(assignee ? [["Assignee", printable(assignee.email)]] : []),
    ...(snoozedUntil ? [["Snoozed until", plainTime(snoozedUntil)]] : []),
    ...(heldBy ? [["Suppressed", heldBy]] : []),
    ...(error ? [["Error", printable(error)]] : []),
    ...(nextNoticeAt ? [["Next notice", plainTime(nextNoticeAt)]] : []),
  ];
  const alerts = firing.map(({ latest, since, count }) => [
    ...[latest?.severity ?? "", printable(latest?.message ?? "")],
    ...[`since ${plainTime(since)}`, count === 1 ? "once" : `${count} times`],
  ]);
  const entries = history.flatMap(({ at, kind, detail, by, deliveries }) => [
    [plainTime(at), kind, printable(by === "" ? detail : `${by}: ${detail}`)],
    ...deliveries.map(({ targetName, targetId, state, detail: result }) => [
      "",
      "",
      printable(`${targetName || targetId}: ${state}${result === "" ? "" : `, ${result}`}`),
    ]),
  ]);
  const part = (heading: string, lines: readonly (readonly string[])[]) =>
    lines.length === 0 ? [] : ["", paint("bold", heading), ...alignRows(lines)];
  return [...alignRows(rows), ...part("Active alerts", alerts), ...part("History", entries)].join("\n");
}
