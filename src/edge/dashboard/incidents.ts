import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { alertStatistics } from "../../../contracts/common/alert-statistics.ts";
import type { incident } from "../../../contracts/common/incident-schemas.ts";
import type { incidents as contract } from "../../../contracts/dashboard/incidents.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import {
  GetAlertResponseSchema,
  GetAlertStatisticsResponseSchema,
  StoredAlertSchema,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import {
  CountIncidentBulkResponseSchema,
  GetIncidentResponseSchema,
  type Incident as IncidentMessage,
  IncidentSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";

type Incident = z.output<typeof incident>;
type Statistics = z.output<typeof alertStatistics>;
type Job = z.output<typeof job>;

/** Handlers of the routes of `dashboard.incidents`. */
export function incidents(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listIncidents: async ({ request, query: { limit, cursor, sort = "", ...query } }) => {
      const asked = { ...pageRequest({ limit, cursor }), filter: incidentFilterOf(query), sort };
      const found = await coreFor(request).incidents.listIncidents(asked);
      const all = found.incidents.map((one) => bodyOf<Incident>(IncidentSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getIncident: async ({ request, params }) => {
      const found = await coreFor(request).incidents.getIncident({ id: params.incident_id });
      return { status: 200, body: bodyOf(GetIncidentResponseSchema, found) };
    },
    acknowledgeIncident: async ({ request, params }) =>
      changed(await coreFor(request).incidents.acknowledgeIncident({ id: params.incident_id })),
    unacknowledgeIncident: async ({ request, params }) =>
      changed(await coreFor(request).incidents.unacknowledgeIncident({ id: params.incident_id })),
    snoozeIncident: async ({ request, params, body }) => {
      const until = momentOf(body.until, "/until");
      const asked = { id: params.incident_id, ...(until && { until: timestampFromDate(until) }) };
      return changed(await coreFor(request).incidents.snoozeIncident(asked));
    },
    unsnoozeIncident: async ({ request, params }) =>
      changed(await coreFor(request).incidents.endIncidentSnooze({ id: params.incident_id })),
    reopenIncident: async ({ request, params }) =>
      changed(await coreFor(request).incidents.reopenIncident({ id: params.incident_id })),
    assignIncident: async ({ request, params, body }) => {
      const asked = { id: params.incident_id, user: body.user_id ?? "" };
      return changed(await coreFor(request).incidents.assignIncident(asked));
    },
    addIncidentNote: async ({ request, params, body }) => {
      const asked = { id: params.incident_id, text: body.text };
      return changed(await coreFor(request).incidents.addIncidentNote(asked));
    },
    resolveIncident: async ({ request, params }) =>
      changed(await coreFor(request).incidents.resolveIncident({ id: params.incident_id })),
    bulkIncidents: async ({ request, body }) => {
      const { action, ids = [], filter, confirmation } = body;
      const { incidents: core } = coreFor(request);
      const bulk = { action, ids, ...(filter && { filter: incidentFilterOf(filter, "/filter") }) };
      if (confirmation === undefined) {
        const counted = await core.countIncidentBulk({ bulk });
        return { status: 200, body: bodyOf<never>(CountIncidentBulkResponseSchema, counted) };
      }
      const begun = await core.beginIncidentBulk({ bulk, confirmation });
      return { status: 202, body: bodyOf<Job>(JobSchema, begun.job) };
    },
    listAlerts: async ({ request, query: { limit, cursor, sort = "", ...query } }) => {
      const { severity, outcome, source, rule, text, incident_id: incidentId } = query;
      const filter = {
        ...withoutUndefined({ severities: severity, outcomes: outcome, source, rule, text, incidentId }),
        ...spanOf(query),
      };
      const asked = { ...pageRequest({ limit, cursor }), filter, sort };
      const found = await coreFor(request).alerts.listAlerts(asked);
      const all = found.alerts.map((one) => bodyOf<never>(StoredAlertSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getAlertStatistics: async ({ request, query: { step = "", rule = "", ...span } }) => {
      const found = await coreFor(request).alerts.getAlertStatistics({ step, rule, ...spanOf(span) });
      const body = bodyOf<Statistics>(GetAlertStatisticsResponseSchema, found);
      return { status: 200, body: { ...body, measured_since: body.measured_since ?? null } };
    },
    getAlert: async ({ request, params }) => {
      const found = await coreFor(request).alerts.getAlert({ id: params.alert_id });
      return { status: 200, body: bodyOf(GetAlertResponseSchema, found) };
    },
  };
}

function changed({ incident }: { readonly incident?: IncidentMessage | undefined }) {
  return { status: 200, body: bodyOf<Incident>(IncidentSchema, incident) } as const;
}

interface Span {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** @throws Fault request.validation_failed */
function spanOf(query: Span, at = "") {
  const [from, until] = [momentOf(query.from, `${at}/from`), momentOf(query.until, `${at}/until`)];
  return {
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}

interface IncidentFilterQuery extends Span {
  readonly state?: string[] | undefined;
  readonly severity?: string[] | undefined;
  readonly rule?: string | undefined;
  readonly text?: string | undefined;
  readonly assignee?: string | undefined;
}

/**
 * The filter that the core is asked by.
 * @param at where it stands in the request: nowhere, if it is the query
 * @throws Fault request.validation_failed
 */
function incidentFilterOf(query: IncidentFilterQuery, at = "") {
  const { state, severity, rule, text, assignee } = query;
  return {
    ...withoutUndefined({ states: state, severities: severity, rule, text, assignee }),
    ...spanOf(query, at),
  };
}
