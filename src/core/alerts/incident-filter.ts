import type { IncidentFilter as RequestedFilter } from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { type Severity, severities } from "../../alerts/alert.ts";
import { type IncidentState, incidentStates } from "../../alerts/incident.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { IncidentHead, IncidentSort } from "../../store/alert-lists.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";
import { readSpan } from "../read-span.ts";

/** Conditions on incidents. All must hold. */
export interface IncidentFilter {
  readonly states?: readonly IncidentState[];
  readonly severities?: readonly Severity[];
  /** Name of the rule. */
  readonly rule?: string;
  /** In lower case. */
  readonly text?: string;
  /** Time of opening, inclusive. */
  readonly from?: Date;
  /** Time of opening, exclusive. */
  readonly until?: Date;
  /** User id, or `none`. */
  readonly assignee?: string;
}

export const NO_ASSIGNEE = "none";

/** Longer than any name or title. */
const MAX_TEXT_LENGTH = 1_000;

/** Reads the filter of a request, and adds its errors to the faults. */
export function readIncidentFilter(filter: RequestedFilter | undefined, faults: FieldFaults): IncidentFilter {
  if (!filter) return {};
  const { from, until } = readSpan(filter, faults);
  return withoutUndefined({
    states: readSeveral(filter.states, { field: "states", allowed: incidentStates }, faults),
    severities: readSeveral(filter.severities, { field: "severities", allowed: severities }, faults),
    rule: readText(filter.rule, "rule", faults),
    text: readText(filter.text, "text", faults)?.toLowerCase(),
    from,
    until,
    assignee: readText(filter.assignee, "assignee", faults),
  });
}

/** Reads alternatives; undefined: there is no such condition. */
export function readSeveral<Value extends string>(
  given: readonly string[],
  { field, allowed }: { readonly field: string; readonly allowed: readonly Value[] },
  faults: FieldFaults,
): Value[] | undefined {
  if (given.length === 0) return undefined;
  const names: ReadonlySet<string> = new Set(allowed);
  const unknown = given.findIndex((value) => !names.has(value));
  if (unknown >= 0)
    faults.add(pointer("filter", field, unknown), "field.invalid", say("one_of", { allowed }));
  return allowed.filter((value) => given.includes(value));
}

export function readText(given: string, field: string, faults: FieldFaults): string | undefined {
  if (given.length > MAX_TEXT_LENGTH) {
    const message = say("most_characters_looked", { max: MAX_TEXT_LENGTH });
    faults.add(pointer("filter", field), "field.too_long", message);
  }
  return given || undefined;
}

/** Whether an incident meets all conditions. */
export function isMatch(filter: IncidentFilter, incident: IncidentHead): boolean {
  const { states, severities: chosen, rule, text, from, until, assignee } = filter;
  const { state, severity, ruleName, openedAt } = incident;
  if (states && !states.includes(state)) return false;
  if (chosen && !chosen.includes(severity)) return false;
  if (rule !== undefined && rule !== ruleName) return false;
  if (from && openedAt < from) return false;
  if (until && openedAt >= until) return false;
  if (assignee !== undefined && assignee !== (incident.assignee ?? NO_ASSIGNEE)) return false;
  return text === undefined || textsOf(incident).some((one) => one.toLowerCase().includes(text));
}

function textsOf({ title, latest }: IncidentHead): string[] {
  const { message, source, eventType, entityType = "", entityId = "" } = latest;
  return [title, message, source, eventType, entityType, entityId];
}

/** Whether the query of a list answers all conditions: then each incident that is read matches. */
export function isAnsweredByIndex(filter: IncidentFilter, sort: IncidentSort): boolean {
  const { states, severities: chosen, rule, text, from, until, assignee } = filter;
  if (text !== undefined || assignee !== undefined) return false;
  const isByOpening = sort === "newest" || sort === "oldest";
  if (!isByOpening && (rule !== undefined || from || until)) return false;
  if (sort === "updated" && chosen) return false;
  return rule === undefined || (!states && !chosen);
}
