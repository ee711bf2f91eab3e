import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { alertStatistics } from "../../../contracts/common/alert-statistics.ts";
import type {
  bulkIncidentsCount,
  incident,
  incidentDetails,
  storedAlert,
} from "../../../contracts/common/incident-schemas.ts";
import { incidents } from "../../../contracts/dashboard/incidents.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(incidents);

export type Incident = z.output<typeof incident>;
export type IncidentDetails = z.output<typeof incidentDetails>;
export type IncidentEntry = IncidentDetails["history"][number];
export type StoredAlert = z.output<typeof storedAlert>;
export type AlertStatistics = z.output<typeof alertStatistics>;
export type AlertDetails = Awaited<ReturnType<typeof loadAlert>>;

/** Filters of the list of incidents, as in the address. Several states or severities are separated by commas. */
export const incidentFilterNames = [
  "state",
  "severity",
  "rule",
  "text",
  "assignee",
  "from",
  "until",
  "sort",
] as const;
export type IncidentFilter = { readonly [Name in (typeof incidentFilterNames)[number]]?: string | undefined };

/** Filters of the list of alerts, likewise. */
export const alertFilterNames = [
  "severity",
  "outcome",
  "source",
  "rule",
  "text",
  "incident_id",
  "from",
  "until",
] as const;
export type AlertFilter = { readonly [Name in (typeof alertFilterNames)[number]]?: string | undefined };

const several = new Set(["state", "severity", "outcome"]);

/** A filter in the form of requests. */
function askedOf(filter: Readonly<Record<string, string | undefined>>): Record<string, string | string[]> {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(
    given.map(([name, value]) => [name, several.has(name) ? value.split(",") : value]),
  );
}

/** Incidents that match a filter. A page can be short although another follows. */
export const incidentsBy = (filter: IncidentFilter) =>
  listQuery(["incidents", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listIncidents({ query: { ...query, ...askedOf(filter) } as never, fetchOptions })),
  );

const POLL_MS = 30_000;

/** An incident with its active alerts and its history. The event stream reports its changes; time alone also changes it. */
export const incidentQuery = (incident_id: string) =>
  queryOptions({
    queryKey: ["incidents", "one", incident_id],
    queryFn: ({ signal }) =>
      call(() => client.getIncident({ params: { incident_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<IncidentDetails>((data) => data?.incident.state !== "resolved" && POLL_MS),
  });

/** Alerts that match a filter, newest first. A page can be short although another follows. */
export const alertsBy = (filter: AlertFilter) =>
  listQuery(["alerts", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listAlerts({ query: { ...query, ...askedOf(filter) } as never, fetchOptions })),
  );

const loadAlert = (alert_id: string, signal?: AbortSignal) =>
  call(() => client.getAlert({ params: { alert_id }, ...(signal && { fetchOptions: { signal } }) }));

/** An alert with the results of the rules of its time. It never changes. */
export const alertQuery = (alert_id: string) =>
  queryOptions({
    queryKey: ["alerts", "one", alert_id],
    queryFn: ({ signal }) => loadAlert(alert_id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Time spans of the statistics of alerts, in hours. */
export const alertPeriods = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const;
export type AlertPeriod = keyof typeof alertPeriods;

const HOUR_MS = 3_600_000;

/** Alerts over time, by severity and rule. */
export const alertStatisticsQuery = (period: AlertPeriod) =>
  queryOptions({
    queryKey: ["alerts", "statistics", period],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - alertPeriods[period] * HOUR_MS).toISOString();
      return call(() => client.getAlertStatistics({ query: { from }, fetchOptions: { signal } }));
    },
    refetchInterval: pollEvery(POLL_MS),
  });

/** Changes of the state of an incident without further fields. */
export const incidentActions = {
  acknowledge: (incident_id: string) => call(() => client.acknowledgeIncident({ params: { incident_id } })),
  unacknowledge: (incident_id: string) =>
    call(() => client.unacknowledgeIncident({ params: { incident_id } })),
  unsnooze: (incident_id: string) => call(() => client.unsnoozeIncident({ params: { incident_id } })),
  resolve: (incident_id: string) => call(() => client.resolveIncident({ params: { incident_id } })),
  reopen: (incident_id: string) => call(() => client.reopenIncident({ params: { incident_id } })),
} as const;
export type IncidentAction = keyof typeof incidentActions;

export const snoozeIncident = (incident_id: string, until: string) =>
  call(() => client.snoozeIncident({ params: { incident_id }, body: { until } }));

/** @param user_id `null`: nobody */
export const assignIncident = (incident_id: string, user_id: string | null) =>
  call(() => client.assignIncident({ params: { incident_id }, body: { user_id } }));

export const addIncidentNote = (incident_id: string, text: string) =>
  call(() => client.addIncidentNote({ params: { incident_id }, body: { text } }));

export type BulkIncidentAction = "acknowledge" | "resolve";
export type IncidentSelection = { readonly ids: readonly string[] } | { readonly filter: IncidentFilter };
export type IncidentCount = z.output<typeof bulkIncidentsCount>;

const bulkBody = (action: BulkIncidentAction, selection: IncidentSelection) =>
  "ids" in selection
    ? { action, ids: selection.ids }
    : { action, filter: askedOf({ ...selection.filter, sort: undefined }) };

export const incidentCountQuery = (action: BulkIncidentAction, selection: IncidentSelection) =>
  queryOptions({
    queryKey: ["incident-count", action, selection],
    queryFn: async ({ signal }) =>
      (await call(() =>
        client.bulkIncidents({ body: bulkBody(action, selection) as never, fetchOptions: { signal } }),
      )) as IncidentCount,
    // A confirmation is valid for one view of the dialog.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** @param confirmation of the count; the same one starts only one job */
export const beginBulkIncidents = (
  action: BulkIncidentAction,
  selection: IncidentSelection,
  confirmation: string,
) => call(() => client.bulkIncidents({ body: { ...bulkBody(action, selection), confirmation } as never }));
