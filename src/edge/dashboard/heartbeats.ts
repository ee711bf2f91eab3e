import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { heartbeats as contract, heartbeat } from "../../../contracts/dashboard/heartbeats.ts";
import {
  type Heartbeat as Found,
  HeartbeatPingSchema,
  HeartbeatSchema,
  HeartbeatSettingsSchema,
} from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { nullBodyOf } from "../intel-body.ts";
import { createCoreFor, type DashboardParts, messageOf, pageBody, pageRequest } from "./call.ts";

/** Handlers of the routes of `dashboard.heartbeats`. */
export function heartbeats(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listHeartbeats: async ({ request, query }) => {
      const { search = "", state = "", tag = "" } = query;
      const asked = { ...pageRequest(query), search, state, tag };
      const found = await coreFor(request).heartbeats.listHeartbeats(asked);
      return { status: 200, body: pageBody(found.heartbeats.map(heartbeatBody), found.nextPageToken) };
    },
    createHeartbeat: async ({ request, body }) => {
      const settings = messageOf(HeartbeatSettingsSchema, body);
      const created = await coreFor(request).heartbeats.createHeartbeat({ settings });
      return { status: 201, body: { ...heartbeatBody(created.heartbeat), ...tokenBody(created) } };
    },
    getHeartbeat: async ({ request, params: { heartbeat_id: id } }) => {
      const found = await coreFor(request).heartbeats.getHeartbeat({ id });
      return { status: 200, body: heartbeatBody(found.heartbeat) };
    },
    updateHeartbeat: async ({ request, params: { heartbeat_id: id }, body }) => {
      const { if_revision: ifRevision = "", ...given } = body;
      const settings = messageOf(HeartbeatSettingsSchema, given);
      const updated = await coreFor(request).heartbeats.updateHeartbeat({ id, settings, ifRevision });
      return { status: 200, body: heartbeatBody(updated.heartbeat) };
    },
    pauseHeartbeat: async ({ request, params: { heartbeat_id: id } }) => {
      const paused = await coreFor(request).heartbeats.pauseHeartbeat({ id });
      return { status: 200, body: heartbeatBody(paused.heartbeat) };
    },
    resumeHeartbeat: async ({ request, params: { heartbeat_id: id } }) => {
      const resumed = await coreFor(request).heartbeats.resumeHeartbeat({ id });
      return { status: 200, body: heartbeatBody(resumed.heartbeat) };
    },
    rotateHeartbeatToken: async ({ request, params: { heartbeat_id: id } }) => {
      const rotated = await coreFor(request).heartbeats.rotateHeartbeatToken({ id });
      return { status: 200, body: { ...heartbeatBody(rotated.heartbeat), ...tokenBody(rotated) } };
    },
    deleteHeartbeat: async ({ request, params: { heartbeat_id: id }, query }) => {
      await coreFor(request).heartbeats.deleteHeartbeat({ id, ifRevision: query.if_revision ?? "" });
      return { status: 204, body: undefined };
    },
    listHeartbeatPings: async ({ request, params: { heartbeat_id: id }, query }) => {
      const asked = { id, ...pageRequest(query) };
      const found = await coreFor(request).heartbeats.listHeartbeatPings(asked);
      const pings = found.pings.map((one) => nullBodyOf<never>(HeartbeatPingSchema, one));
      return { status: 200, body: pageBody(pings, found.nextPageToken) };
    },
  };
}

function heartbeatBody(found: Found | undefined): z.output<typeof heartbeat> {
  return nullBodyOf(HeartbeatSchema, found);
}

function tokenBody({ token, pingUrl }: { readonly token: string; readonly pingUrl: string }) {
  return { token, ping_url: pingUrl || null };
}
