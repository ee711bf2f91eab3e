import type { Collection, Filter, FindCursor } from "mongodb";
import { type Severity, severities } from "../alerts/alert.ts";
import { type Incident, type IncidentState, incidentStates } from "../alerts/incident.ts";
import type { AlertDocument } from "./alert-documents.ts";
import type { ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";

/** Condition on alerts that an index answers. */
export type AlertsOf =
  | { readonly incidentId: string }
  | { readonly rule: string }
  | { readonly isUnmatched: true }
  | Record<never, never>;

export interface AlertScan extends ListPage {
  readonly of: AlertsOf;
  readonly isOldestFirst?: boolean;
}

/** An alert without its context, its links and its keys, which can be large. */
export type AlertHead = Pick<AlertDocument, "_id" | "accountId" | "at" | "status" | "outcome"> & {
  readonly alert: Omit<AlertDocument["alert"], "context">;
};

const HEAD = { accountId: 1, at: 1, status: 1, outcome: 1, alert: 1 } as const;
/** Alerts that are in memory with their context, each with up to 256 KB. */
const BATCH = 32;

/** One page of an account's alerts, in the order of their arrival. */
export async function scanAlerts(
  alerts: Collection<AlertDocument>,
  accountId: string,
  { of, isOldestFirst = false, after, limit }: AlertScan,
): Promise<AlertHead[]> {
  const behind = after !== undefined && { _id: isOldestFirst ? { $gt: after } : { $lt: after } };
  const filter: Filter<AlertDocument> = { accountId, ...conditionOf(of), ...behind };
  const found = alerts
    .find<AlertDocument>(filter, { projection: HEAD, batchSize: BATCH })
    .sort({ _id: isOldestFirst ? 1 : -1 })
    .limit(limit);
  return guarded(headsIn(found));
}

async function headsIn(found: FindCursor<AlertDocument>): Promise<AlertHead[]> {
  const heads: AlertHead[] = [];
  for await (const { alert: whole, ...rest } of found) {
    const { context: _, ...alert } = whole;
    heads.push({ ...rest, alert });
  }
  return heads;
}

function conditionOf(of: AlertsOf): Filter<AlertDocument> {
  if ("incidentId" in of) return { "outcome.incidentIds": of.incidentId };
  if ("rule" in of) return { "outcome.matchedRules": of.rule };
  return "isUnmatched" in of ? { "outcome.status": "unmatched" } : {};
}

/**
 * - `newest`, `oldest`: by the time of opening
 * - `updated`: the last change first
 * - `severity`: the highest severity first, then the newest
 */
export const incidentSorts = ["newest", "oldest", "updated", "severity"] as const;
export type IncidentSort = (typeof incidentSorts)[number];

/** An incident without its recipients and its notice. */
export type IncidentHead = Pick<
  Incident,
  | "_id"
  | "accountId"
  | "ruleName"
  | "state"
  | "severity"
  | "title"
  | "firing"
  | "latest"
  | "openedAt"
  | "updatedAt"
  | "assignee"
>;

const INCIDENT_HEAD = {
  accountId: 1,
  ruleName: 1,
  state: 1,
  severity: 1,
  title: 1,
  firing: 1,
  latest: 1,
  openedAt: 1,
  updatedAt: 1,
  assignee: 1,
} as const;

export interface IncidentScan {
  readonly sort: IncidentSort;
  /** Undefined: all. */
  readonly states?: readonly IncidentState[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
  /** Name of the rule. Only with the sorts `newest` and `oldest`, without states and severities. */
  readonly rule?: string | undefined;
  /** Last incident of the previous page. Only the id is compared if the sort is by the time of opening. */
  readonly after?: Pick<IncidentHead, "_id" | "updatedAt" | "severity"> | undefined;
  readonly limit: number;
}

/** The last change first, then the newest. */
function byUpdate(a: IncidentHead, b: IncidentHead): number {
  return b.updatedAt.getTime() - a.updatedAt.getTime() || (a._id < b._id ? 1 : -1);
}

/** One page of an account's incidents. An index has the fields of each query, and its order. */
export async function scanIncidents(
  incidents: Collection<Incident>,
  accountId: string,
  { sort, states = incidentStates, severities: chosen = severities, rule, after, limit }: IncidentScan,
): Promise<IncidentHead[]> {
  const find = (filter: Filter<Incident>, order: Record<string, 1 | -1>, most: number) =>
    guarded(
      incidents.find<IncidentHead>(filter, { projection: INCIDENT_HEAD }).sort(order).limit(most).toArray(),
    );
  const state = { $in: [...states] };
  const severity = { $in: [...chosen] };

  async function updatedIn(one: IncidentState): Promise<IncidentHead[]> {
    const order = { updatedAt: -1, _id: -1 } as const;
    const those = { accountId, state: one };
    if (!after) return find(those, order, limit);
    const { updatedAt, _id } = after;
    const same = await find({ ...those, updatedAt, _id: { $lt: _id } }, { _id: -1 }, limit);
    if (same.length === limit) return same;
    const earlier = { ...those, updatedAt: { $lt: updatedAt } };
    return [...same, ...(await find(earlier, order, limit - same.length))];
  }

  switch (sort) {
    case "newest":
    case "oldest": {
      const isAll = states.length === incidentStates.length && chosen.length === severities.length;
      const some = rule !== undefined ? { ruleName: rule } : isAll ? {} : { state, severity };
      const behind = after && { _id: sort === "newest" ? { $lt: after._id } : { $gt: after._id } };
      return find({ accountId, ...some, ...behind }, { _id: sort === "newest" ? -1 : 1 }, limit);
    }
    case "updated": {
      // A query for each state: the planner of MongoDB may sort for a list of states.
      const lists = await Promise.all(states.map((one) => updatedIn(one)));
      return lists.flat().sort(byUpdate).slice(0, limit);
    }
    case "severity": {
      const left = severities.toReversed().filter((one) => chosen.includes(one));
      const start = after ? Math.max(0, left.indexOf(after.severity)) : 0;
      const found: IncidentHead[] = [];
      for (const one of left.slice(start)) {
        const behind = one === after?.severity ? { _id: { $lt: after._id } } : {};
        const filter = { accountId, state, severity: one, ...behind };
        found.push(...(await find(filter, { _id: -1 }, limit - found.length)));
        if (found.length === limit) break;
      }
      return found;
    }
  }
}
