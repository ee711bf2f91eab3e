import { toJson } from "@bufbuild/protobuf";
import {
  type IncidentBulk,
  IncidentFilterSchema,
  type IncidentFilter as RequestedFilter,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { type BulkIncidentAction, bulkIncidentActions } from "./alert-engine.ts";
import { type IncidentFilter, readIncidentFilter } from "./incident-filter.ts";

const MAX_IDS = 1_000;
/** Maximum length of the description of a filter for people. */
const MAX_ABOUT_LENGTH = 500;

/** Selected incidents. */
export type IncidentSelection =
  | { readonly ids: readonly string[] }
  /** In the form of the request, because it is stored. */
  | { readonly filter: RequestedFilter };

export interface ReadIncidentBulk {
  readonly action: BulkIncidentAction;
  readonly selection: IncidentSelection;
  /** The same text for requests with the same meaning. */
  readonly canonical: string;
  /** For people. */
  readonly about: string;
}

/** @throws Fault request.validation_failed with all errors */
export function readIncidentBulk(bulk: IncidentBulk | undefined): ReadIncidentBulk {
  const faults = createFieldFaults();
  const { action: given = "", ids: all = [], filter } = bulk ?? {};
  const action = bulkIncidentActions.find((one) => one === given);
  if (!action) {
    faults.add("/action", "field.invalid", say("none_of", { given, allowed: bulkIncidentActions }));
  }
  const ids = [...new Set(all)].toSorted();
  if (all.length > MAX_IDS) {
    faults.add("/ids", "field.too_many", say("give_most_ids_filter", { max: MAX_IDS }));
  }
  for (const [index, id] of all.slice(0, MAX_IDS).entries()) {
    if (!isId("inc", id)) faults.add(pointer("ids", index), "field.invalid", say("no_id_incident"));
  }
  const shown = filter && (toJson(IncidentFilterSchema, filter, { useProtoFieldName: true }) as object);
  if (ids.length > 0 && filter) {
    faults.add("/ids", "field.invalid", say("ids_or_filter"));
  } else if (ids.length === 0 && (!shown || Object.keys(shown).length === 0)) {
    faults.add("/filter", "field.required", say("filter_not_empty"));
  }
  // Errors of the filter are reported now, and not by the job.
  readIncidentFilter(filter, faults);
  if (faults.found.length > 0 || !action) throw validationFault(faults.found);
  if (!filter || !shown) {
    const canonical = JSON.stringify(["incident.bulk", action, ids]);
    return { action, selection: { ids }, canonical, about: `${ids.length} given by id` };
  }
  const entries = Object.entries(shown).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const about = entries.map(([name, value]) => `${name}=${textOf(value)}`).join(" ");
  return {
    action,
    selection: { filter },
    canonical: JSON.stringify(["incident.bulk", action, entries]),
    about:
      about.length <= MAX_ABOUT_LENGTH ? about : `${about.slice(0, MAX_ABOUT_LENGTH - 1).toWellFormed()}…`,
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * Selected incidents of a filter: those that were opened before a given time.
 * @throws Fault request.validation_failed
 */
export function frozenFilter(filter: RequestedFilter, at: Date): IncidentFilter {
  const faults = createFieldFaults();
  const read = readIncidentFilter(filter, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { ...read, until: read.until && read.until < at ? read.until : at };
}
