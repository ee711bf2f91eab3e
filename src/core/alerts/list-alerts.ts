import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListAlertsRequest,
  ListAlertsResponseSchema,
  AlertFilter as RequestedFilter,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { type Severity, severities } from "../../alerts/alert.ts";
import { validationFault } from "../../shared/fault.ts";
import { idBound } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type AlertOutcomeName, alertOutcomes } from "../../store/alert-documents.ts";
import type { AlertHead, AlertsOf } from "../../store/alert-lists.ts";
import type { ListPage } from "../../store/list-page.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { searchOfAccount } from "../page.ts";
import { readChoice } from "../read-list-filter.ts";
import { readSpan } from "../read-span.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toStoredAlert } from "./alert-to-proto.ts";
import { readSeveral, readText } from "./incident-filter.ts";

/** Conditions on alerts. All must hold. */
interface AlertFilter {
  readonly severities?: readonly Severity[];
  readonly source?: string;
  /** Name of a rule that matched the alert. */
  readonly rule?: string;
  readonly outcomes?: readonly AlertOutcomeName[];
  /** In lower case. */
  readonly text?: string;
  /** Time of arrival, inclusive. */
  readonly from?: Date;
  /** Time of arrival, exclusive. */
  readonly until?: Date;
  readonly incidentId?: string;
}

const sorts = ["newest", "oldest"] as const;

/** Maximum number of alerts that one page of a search reads: their contexts can be large. */
const MOST_READ = 2_000;

/**
 * Lists alerts that match a filter.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createListAlerts({ store }: Pick<Dependencies, "store">) {
  return async (request: ListAlertsRequest): Promise<MessageInitShape<typeof ListAlertsResponseSchema>> => {
    const isOldestFirst = readChoice("sort", request.sort, sorts) === "oldest";
    const faults = createFieldFaults();
    const filter = readAlertFilter(request.filter, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      mostRead: MOST_READ,
      list: (account, page) => listHeads(account, filter, { ...page, isOldestFirst }),
      cursorOf: ({ _id }) => _id,
      ...(!isAnsweredByIndex(filter) && { matches: (one: AlertHead) => isMatch(filter, one) }),
    });
    const account = await resolveAccount(store, request);
    const found = await account.incidents.findAlerts(entries.map(({ _id }) => _id));
    const byId = new Map(found.map((one) => [one._id, one]));
    // An alert may be removed between the two reads.
    const all = entries.flatMap(({ _id }) => byId.get(_id) ?? []);
    return { alerts: all.map(toStoredAlert), nextPageToken };
  };
}

function readAlertFilter(filter: RequestedFilter | undefined, faults: FieldFaults): AlertFilter {
  if (!filter) return {};
  const { from, until } = readSpan(filter, faults);
  return withoutUndefined({
    severities: readSeveral(filter.severities, { field: "severities", allowed: severities }, faults),
    source: readText(filter.source, "source", faults),
    rule: readText(filter.rule, "rule", faults),
    outcomes: readSeveral(filter.outcomes, { field: "outcomes", allowed: alertOutcomes }, faults),
    text: readText(filter.text, "text", faults)?.toLowerCase(),
    from,
    until,
    incidentId: readText(filter.incidentId, "incident_id", faults),
  });
}

/** The condition that an index answers: the one that few alerts meet. */
function indexedIn({ incidentId, rule, outcomes }: AlertFilter): AlertsOf {
  if (incidentId !== undefined) return { incidentId };
  if (rule !== undefined) return { rule };
  return outcomes?.length === 1 && outcomes[0] === "unmatched" ? { isUnmatched: true } : {};
}

/** Whether the query answers all conditions: then each alert that is read matches. */
function isAnsweredByIndex(filter: AlertFilter): boolean {
  const { severities: chosen, source, rule, outcomes, text, incidentId } = filter;
  if (chosen || source !== undefined || text !== undefined) return false;
  if (incidentId !== undefined) return rule === undefined && !outcomes;
  return !outcomes || (rule === undefined && "isUnmatched" in indexedIn(filter));
}

/** Alerts in order, after a position. The list ends at the other end of the time range. */
async function listHeads(
  { incidents }: Pick<AccountStore, "incidents">,
  filter: AlertFilter,
  { after, limit, isOldestFirst }: ListPage & { readonly isOldestFirst: boolean },
): Promise<AlertHead[]> {
  const [from, until] = [filter.from, filter.until].map((time) => time && idBound("alr", time));
  const [start, end] = isOldestFirst ? [from, until] : [until, from];
  const of = indexedIn(filter);
  const found = await incidents.scanAlerts({ of, after: after ?? start, limit, isOldestFirst });
  if (!end) return found;
  const beyond = found.findIndex(({ _id }) => (isOldestFirst ? _id >= end : _id < end));
  return beyond < 0 ? found : found.slice(0, beyond);
}

/** Whether an alert meets all conditions, apart from the time range. */
function isMatch(filter: AlertFilter, { alert, outcome }: AlertHead): boolean {
  const { severities: chosen, source, rule, outcomes, text, incidentId } = filter;
  if (chosen && !chosen.includes(alert.severity)) return false;
  if (source !== undefined && source !== alert.source) return false;
  if (rule !== undefined && !outcome.matchedRules.includes(rule)) return false;
  if (outcomes && !outcomes.includes(outcome.status)) return false;
  if (incidentId !== undefined && !outcome.incidentIds.includes(incidentId)) return false;
  if (text === undefined) return true;
  const { message, eventType, entityType = "", entityId = "" } = alert;
  const texts = [message, alert.source, eventType, entityType, entityId];
  return texts.some((one) => one.toLowerCase().includes(text));
}
