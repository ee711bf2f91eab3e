import type { EntryFilter } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { AuditAction } from "../../rpc/audits.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { auditOutcomes } from "../../store/audit/entry-document.ts";
import type { AuditPage } from "../../store/audit-store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readSpan } from "../read-span.ts";
import { systemActions } from "./describe-actions.ts";

export interface FilterNeeds {
  /** Actions of all calls. */
  readonly auditActions: readonly AuditAction[];
}

/** Maximum number of actions of one filter. */
const MAX_ACTIONS = 50;
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
  const names = [...auditActions, ...systemActions].map(({ name }) => name);
  const actions = readActions(filter.action, names, faults);
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

/** Actions, or resources with all their actions, separated by commas. */
function readActions(given: string, all: readonly string[], faults: FieldFaults): string[] | undefined {
  if (given === "") return undefined;
  const wanted = given.split(",", MAX_ACTIONS + 1).map((one) => one.trim());
  if (wanted.length > MAX_ACTIONS) {
    faults.add("/filter/action", "field.invalid", say("at_most_actions", { max: MAX_ACTIONS }));
    return undefined;
  }
  const meant = new Set<string>();
  for (const one of wanted) {
    const found = all.filter((action) => action === one || action.startsWith(`${one}.`));
    for (const action of found) meant.add(action);
    if (found.length > 0) continue;
    const resources = [...new Set(all.map((action) => action.split(".", 1)[0] ?? ""))].sort();
    const message = say("no_action", { given: one, allowed: resources });
    faults.add("/filter/action", "field.invalid", message);
    return undefined;
  }
  return [...meant];
}
