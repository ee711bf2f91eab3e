import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListIncidentsRequest,
  ListIncidentsResponseSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { severities } from "../../alerts/alert.ts";
import { incidentStates } from "../../alerts/incident.ts";
import { validationFault } from "../../shared/fault.ts";
import { idBound } from "../../shared/ids.ts";
import {
  type IncidentHead,
  type IncidentScan,
  type IncidentSort,
  incidentSorts,
} from "../../store/alert-lists.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageStartOf, searchOfAccount } from "../page.ts";
import { readChoice } from "../read-list-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type IncidentFilter, isAnsweredByIndex, isMatch, readIncidentFilter } from "./incident-filter.ts";
import { showIncidents } from "./shown-incidents.ts";

/**
 * Lists incidents that match a filter.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createListIncidents({ store, alertEngine }: Pick<Dependencies, "store" | "alertEngine">) {
  return async (
    request: ListIncidentsRequest,
  ): Promise<MessageInitShape<typeof ListIncidentsResponseSchema>> => {
    const { filter, sort } = readListing(request);
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list: (account, page) => listIncidents(account, { filter, sort, ...page }),
      cursorOf,
      ...(!isAnsweredByIndex(filter, sort) && {
        matches: (one: IncidentHead) => isMatch(filter, one),
      }),
    });
    const account = await resolveAccount(store, request);
    const found = await account.incidents.findMany(entries.map(({ _id }) => _id));
    const byId = new Map(found.map((one) => [one._id, one]));
    // An incident may be removed between the two reads.
    const all = entries.flatMap(({ _id }) => byId.get(_id) ?? []);
    return { incidents: await showIncidents({ store, alertEngine }, account, all), nextPageToken };
  };
}

/** @throws Fault request.validation_failed */
function readListing(request: ListIncidentsRequest): {
  readonly filter: IncidentFilter;
  readonly sort: IncidentSort;
} {
  const state = readChoice("state", request.state, incidentStates);
  const sort = readChoice("sort", request.sort, incidentSorts) ?? "newest";
  const faults = createFieldFaults();
  const filter = readIncidentFilter(request.filter, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  if (!state) return { filter, sort };
  const states = (filter.states ?? incidentStates).filter((one) => one === state);
  return { filter: { ...filter, states }, sort };
}

export interface IncidentListing {
  readonly filter: IncidentFilter;
  readonly sort: IncidentSort;
  /** `cursorOf` the last incident of the previous page; undefined: the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Incidents in order, after a position. The query answers as many conditions as an index can. The caller checks the others
 * unless `isAnsweredByIndex`.
 * @throws Fault request.validation_failed for a damaged position
 */
export async function listIncidents(
  { incidents }: Pick<AccountStore, "incidents">,
  { filter, sort, after = "", limit }: IncidentListing,
): Promise<IncidentHead[]> {
  const { states, severities: chosen, rule, from, until } = filter;
  const isByOpening = sort === "newest" || sort === "oldest";
  const isByRule = isByOpening && rule !== undefined;
  // Ids contain the time of opening.
  const start = sort === "newest" ? until : from;
  const position =
    pageStartOf(after, positionIn) ??
    (isByOpening && start ? { ...NOWHERE, _id: idBound("inc", start) } : undefined);
  const scan: IncidentScan = {
    sort,
    ...(isByRule ? { rule } : { states, severities: chosen }),
    after: position,
    limit,
  };
  const found = await incidents.scan(scan);
  const end = sort === "newest" ? from && idBound("inc", from) : until && idBound("inc", until);
  if (!isByOpening || !end) return found;
  // The list ends at the other end of the time range.
  const beyond = found.findIndex(({ _id }) => (sort === "newest" ? _id < end : _id >= end));
  return beyond < 0 ? found : found.slice(0, beyond);
}

type Position = NonNullable<IncidentScan["after"]>;

/** The other fields of a position by the time of opening are not compared. */
const NOWHERE = { updatedAt: new Date(0), severity: "info" } as const;

export function cursorOf({ updatedAt, severity, _id }: Position): string {
  return `${updatedAt.getTime()}.${severity}.${_id}`;
}

const FORM = /^(\d{1,15})\.([a-z]{1,10})\.([\w-]{1,100})$/;

function positionIn(text: string): Position | undefined {
  const [, ms, name, _id] = FORM.exec(text) ?? [];
  const severity = severities.find((one) => one === name);
  return severity && _id ? { updatedAt: new Date(Number(ms)), severity, _id } : undefined;
}
