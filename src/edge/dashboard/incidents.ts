import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { incidents as contract, incident } from "../../../contracts/dashboard/incidents.ts";
import { GetAlertResponseSchema, StoredAlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import {
  GetIncidentResponseSchema,
  IncidentSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";

type Incident = z.output<typeof incident>;

/** Handlers of the routes of `dashboard.incidents`. */
export function incidents(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listIncidents: async ({ request, query: { state = "", ...query } }) => {
      const found = await coreFor(request).incidents.listIncidents({ ...pageRequest(query), state });
      const all = found.incidents.map((one) => bodyOf<Incident>(IncidentSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getIncident: async ({ request, params }) => {
      const found = await coreFor(request).incidents.getIncident({ id: params.incident_id });
      return { status: 200, body: bodyOf(GetIncidentResponseSchema, found) };
    },
    acknowledgeIncident: async ({ request, params }) => {
      const changed = await coreFor(request).incidents.acknowledgeIncident({ id: params.incident_id });
      return { status: 200, body: bodyOf(IncidentSchema, changed.incident) };
    },
    resolveIncident: async ({ request, params }) => {
      const changed = await coreFor(request).incidents.resolveIncident({ id: params.incident_id });
      return { status: 200, body: bodyOf(IncidentSchema, changed.incident) };
    },
    listAlerts: async ({ request, query }) => {
      const found = await coreFor(request).alerts.listAlerts(pageRequest(query));
      const all = found.alerts.map((one) => bodyOf<never>(StoredAlertSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getAlert: async ({ request, params }) => {
      const found = await coreFor(request).alerts.getAlert({ id: params.alert_id });
      return { status: 200, body: bodyOf(GetAlertResponseSchema, found) };
    },
  };
}
