import type { Incident } from "../../alerts/incident.ts";
import { acknowledge, resolve } from "../../alerts/incident-changes.ts";
import {
  addNote,
  assign,
  type ByMember,
  endSnooze,
  snooze,
  unacknowledge,
} from "../../alerts/incident-work.ts";
import { type Active, activeAmong, isOver, type Report, reopen } from "../../alerts/reopen.ts";
import type { UnitOfWork } from "../../alerts/unit-of-work.ts";
import { fault } from "../../shared/fault.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import type { AlertWork } from "../../store/alert-work.ts";
import type { IncidentAction } from "./alert-engine.ts";
import type { WithinTransaction } from "./incident-transactions.ts";

/** Latest reports of an incident that a reopening reads. */
const MAX_REPORTS = 1_000;
/** Alerts that become active again, each with up to 256 KB. Others are only counted. */
const MAX_RESTORED = 100;

/**
 * Changes a loaded incident in its transaction.
 * @throws Fault incident.resolved, incident.group_open, incident.rule_removed, incident.too_many_notes
 */
export async function changeIncident(
  unit: UnitOfWork,
  id: string,
  asked: IncidentAction & ByMember,
  within: WithinTransaction,
): Promise<void> {
  const { at, by } = asked;
  const { notify } = within;
  switch (asked.action) {
    case "acknowledge":
      acknowledge(unit, id, at, by);
      return;
    case "unacknowledge":
      unacknowledge(unit, id, { at, by, notify });
      return;
    case "resolve":
      resolve(unit, id, at, by);
      return;
    case "snooze":
      if (!snooze(unit, id, { at, by, until: asked.until })) throw fault("incident.resolved");
      return;
    case "end_snooze":
      endSnooze(unit, id, { at, by, notify });
      return;
    case "assign":
      assign(unit, id, { at, by, user: asked.user });
      return;
    case "note":
      if (!addNote(unit, id, { at, by, text: asked.text })) throw fault("incident.too_many_notes");
      return;
    case "reopen":
      await reopenIncident(unit, unit.get(id), asked, within);
  }
}

/** @throws Fault incident.group_open, incident.rule_removed */
async function reopenIncident(
  unit: UnitOfWork,
  incident: Incident,
  { at, by }: ByMember,
  { work, ruleSet }: WithinTransaction,
): Promise<void> {
  if (incident.open) return;
  const { _id: id, ruleId, groupKey } = incident;
  const rule = ruleSet.rules.find((one) => one.id === ruleId);
  if (!rule) throw fault("incident.rule_removed");
  if ((await work.openIncidents([{ ruleId, groupKey }])).length > 0) throw fault("incident.group_open");

  const candidates = activeAmong(await reportsOf(work, incident));
  const active: Active[] = [];
  for (const one of candidates.slice(0, MAX_RESTORED)) {
    const latest = await work.latestReport(one.report.fingerprint);
    if (!isOver(one, latest ? reportOf(latest, incident) : undefined)) active.push(one);
  }
  const read = Math.min(candidates.length, MAX_RESTORED);
  const beyond = candidates.length - read;
  const over = read - active.length;
  reopen(unit, id, { at, by, active, over, beyond, isStopped: !rule.enabled, mutes: ruleSet.mutes });
}

/** Reports of an incident, newest first. Only those that may become active again have their context and links. */
async function reportsOf(work: AlertWork, incident: Incident): Promise<Report[]> {
  const reports: Report[] = [];
  const whole = new Set<string>();
  for await (const page of work.alertsOf(incident._id, MAX_REPORTS))
    for (const document of page) {
      const report = reportOf(document, incident);
      const { fingerprint, status, alert } = report;
      const isNeeded = status === "firing" && !whole.has(fingerprint) && whole.size < MAX_RESTORED;
      if (isNeeded) whole.add(fingerprint);
      reports.push(isNeeded ? report : { ...report, alert: { ...alert, context: {} }, links: [] });
    }
  return reports;
}

function reportOf(document: AlertDocument, { ruleName }: Incident): Report {
  const { _id: id, at, occurredAt, status, alert, links, fingerprint, outcome } = document;
  const isOutdated = outcome.reasons.some(({ rule, reason }) => rule === ruleName && reason === "outdated");
  return { id, at, status, alert, links, fingerprint, isOutdated, ...(occurredAt && { occurredAt }) };
}
