import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { schedules as contract, schedule } from "../../../contracts/dashboard/schedules.ts";
import {
  type Schedule as Found,
  ScheduleSchema,
  ScheduleSettingsSchema,
} from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { nullBodyOf } from "../intel-body.ts";
import { askedByQuery } from "../intel-requests.ts";
import { createCoreFor, type DashboardParts, messageOf, pageBody, pageRequest } from "./call.ts";

/** Handlers of the routes of `dashboard.schedules`. */
export function schedules(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listSchedules: async ({ request, query }) => {
      const asked = { ...pageRequest(query), workspaceId: query.workspace_id ?? "" };
      const found = await askedByQuery(coreFor(request).schedules.listSchedules(asked));
      return { status: 200, body: pageBody(found.schedules.map(scheduleBody), found.nextPageToken) };
    },
    createSchedule: async ({ request, query, body }) => {
      const created = await coreFor(request).schedules.createSchedule({
        workspaceId: query.workspace_id ?? "",
        settings: messageOf(ScheduleSettingsSchema, body),
      });
      return { status: 201, body: scheduleBody(created.schedule) };
    },
    getSchedule: async ({ request, params }) => {
      const found = await coreFor(request).schedules.getSchedule({ id: params.schedule_id });
      return { status: 200, body: scheduleBody(found.schedule) };
    },
    updateSchedule: async ({ request, params, body }) => {
      const { if_revision: ifRevision = "", ...given } = body;
      const settings = messageOf(ScheduleSettingsSchema, given);
      const asked = { id: params.schedule_id, settings, ifRevision };
      const updated = await coreFor(request).schedules.updateSchedule(asked);
      return { status: 200, body: scheduleBody(updated.schedule) };
    },
    deleteSchedule: async ({ request, params, query }) => {
      const asked = { id: params.schedule_id, ifRevision: query.if_revision ?? "" };
      await coreFor(request).schedules.deleteSchedule(asked);
      return { status: 204, body: undefined };
    },
    runSchedule: async ({ request, params }) => {
      const begun = await coreFor(request).schedules.runSchedule({ id: params.schedule_id });
      return { status: 202, body: scheduleBody(begun.schedule) };
    },
  };
}

function scheduleBody(found: Found | undefined): z.output<typeof schedule> {
  return nullBodyOf(ScheduleSchema, found);
}
