import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { PastAlertFilter } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { severities } from "../../alerts/alert.ts";
import { say } from "../../shared/fault-text.ts";
import { type AlertDocument, alertOutcomes } from "../../store/alert-documents.ts";
import type { FieldFaults } from "../field-faults.ts";

const MAX_TEXT = 200;

/** A filter of stored alerts. */
export interface ReadAlertFilter {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  /** Whether an alert of this time meets the other fields. */
  readonly meets: (stored: AlertDocument) => boolean;
}

/** @param prefix JSON pointer to the filter */
export function readPastAlertFilter(
  given: PastAlertFilter | undefined,
  prefix: string,
  faults: FieldFaults,
): ReadAlertFilter {
  if (!given) return { from: undefined, until: undefined, meets: () => true };
  const { source, eventType, rule, incidentId } = given;
  const known = (field: string, values: readonly string[], allowed: readonly string[]) => {
    for (const [index, value] of values.entries())
      if (!allowed.includes(value))
        faults.add(`${prefix}/${field}/${index}`, "field.invalid", say("one_of", { allowed }));
  };
  known("severities", given.severities, severities);
  known("outcomes", given.outcomes, alertOutcomes);
  if (given.text.length > MAX_TEXT)
    faults.add(`${prefix}/text`, "field.too_long", say("at_most_characters", { max: MAX_TEXT }));
  const from = given.from && timestampDate(given.from);
  const until = given.until && timestampDate(given.until);
  if (from && until && !(from < until))
    faults.add(`${prefix}/from`, "field.invalid", say("period_begins_before_end"));
  const severity = new Set(given.severities);
  const outcome = new Set(given.outcomes);
  const text = given.text.toLowerCase();
  return {
    from,
    until,
    meets: ({ alert, outcome: result }) =>
      (severity.size === 0 || severity.has(alert.severity)) &&
      (outcome.size === 0 || outcome.has(result.status)) &&
      (source === "" || alert.source === source) &&
      (eventType === "" || alert.eventType === eventType) &&
      (rule === "" || result.matchedRules.includes(rule)) &&
      (incidentId === "" || result.incidentIds.includes(incidentId)) &&
      (text === "" || textsOf(alert).some((one) => one?.toLowerCase().includes(text))),
  };
}

function textsOf({ message, eventType, source, entityType, entityId }: AlertDocument["alert"]) {
  return [message, eventType, source, entityType, entityId];
}
