import type { EntryFilter } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { auditOutcomes } from "../../store/audit/entry-document.ts";
import type { AuditPage } from "../../store/audit-store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readSpan } from "../read-span.ts";

export interface FilterNeeds {
  /** Names of all actions that calls have. */
  readonly auditActions: readonly string[];
}

/** Actions that are not written by a call with that name. */
const OTHER_ACTIONS = ["account.first_run", "session.use", "suppression.bounce"];
/** Ids are never longer. */
const MAX_ID_LENGTH = 512;

/** @throws Fault request.validation_failed with all errors */
export function readFilter(
  filter: EntryFilter | undefined,
  { auditActions }: FilterNeeds,
): Omit<AuditPage, "limit" | "beforeId"> {
  if (!filter) return {};
  const faults = createFieldFaults();
  for (const [field, id] of [
    ["actor_id", filter.actorId],
    ["target_id", filter.targetId],
  ] as const) {
    if (id.length > MAX_ID_LENGTH) faults.add(`/filter/${field}`, "field.too_long", say("no_id"));
  }
  const outcome = auditOutcomes.find((one) => one === filter.outcome);
  if (filter.outcome !== "" && !outcome) {
    const message = say("none_of", { given: filter.outcome, allowed: auditOutcomes });
    faults.add("/filter/outcome", "field.invalid", message);
  }
  const actions = readAction(filter.action, [...auditActions, ...OTHER_ACTIONS], faults);
  const { from, until } = readSpan(filter, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    actorId: filter.actorId || undefined,
    targetId: filter.targetId || undefined,
    outcome,
    actions,
    from,
    until,
  };
}

/** One action, or all actions of a resource. */
function readAction(given: string, all: readonly string[], faults: FieldFaults): string[] | undefined {
  if (given === "") return undefined;
  const meant = all.filter((action) => action === given || action.startsWith(`${given}.`));
  if (meant.length === 0) {
    const resources = [...new Set(all.map((action) => action.split(".", 1)[0] ?? ""))].sort();
    const message = say("no_action", { given, allowed: resources });
    faults.add("/filter/action", "field.invalid", message);
  }
  return [...new Set(meant)];
}
