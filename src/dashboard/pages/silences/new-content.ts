import type { IncidentDetails } from "../../api/incidents.ts";
import type { Condition } from "../../api/rules.ts";
import type { SilenceContent } from "../../api/silences.ts";

const HOUR_MS = 3_600_000;
const HOURS = 2;
/** Different values of a field that one condition can list. */
const MAX_VALUES = 100;
const MAX_COMMENT = 500;

/** The end of a new silence, before the user changes it. */
export const defaultEnd = (now = new Date()): string => {
  const end = new Date(now.getTime() + HOURS * HOUR_MS);
  end.setSeconds(0, 0);
  return end.toISOString();
};

/** The settings of a new silence, before the user changes them. */
export const blankSilence = (): SilenceContent => ({
  match: [{ field: "source", op: "eq", value: "" }],
  any: [],
  ends_at: defaultEnd(),
  comment: "",
});

/** Settings of a silence like an earlier one. An end that has passed is replaced. */
export function silenceLike(content: SilenceContent, now = new Date()): SilenceContent {
  const { starts_at: _, ends_at: end, ...others } = content;
  const isPast = end !== undefined && Date.parse(end) <= now.getTime();
  if (others.weekly) return { ...others, ...(end !== undefined && !isPast && { ends_at: end }) };
  return { ...others, ends_at: end === undefined || isPast ? defaultEnd(now) : end };
}

type Line = IncidentDetails["incident"]["latest"];
const fields = [
  "source",
  "event_type",
  "entity_type",
  "entity_id",
] as const satisfies readonly (keyof Line)[];

/** Settings of a silence that matches the active alerts of an incident. */
export function silenceOfIncident({ incident, firing }: IncidentDetails): SilenceContent {
  const lines = firing.length > 0 ? firing.map(({ latest }) => latest) : [incident.latest];
  const match = fields.flatMap((field): Condition[] => {
    const values = [...new Set(lines.map((line) => line[field] ?? ""))];
    // An alert without the field, or one value too many: the other conditions decide.
    if (values.includes("") || values.length > MAX_VALUES) return [];
    const [value = ""] = values;
    return [values.length > 1 ? { field, op: "in", value: values } : { field, op: "eq", value }];
  });
  return { match, any: [], ends_at: defaultEnd(), comment: incident.title.slice(0, MAX_COMMENT) };
}
