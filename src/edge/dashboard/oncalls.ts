import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  onCallOverride,
  onCallSchedule,
  onCallScheduleVersion,
  onCallShift,
  onCallState,
} from "../../../contracts/common/on-call-schemas.ts";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type { oncalls as contract } from "../../../contracts/dashboard/oncalls.ts";
import {
  CompareOnCallScheduleVersionsResponseSchema,
  GetOnCallResponseSchema,
  GetOnCallScheduleVersionResponseSchema,
  OnCallOverrideSchema,
  OnCallScheduleSchema,
  OnCallScheduleSettingsSchema,
  OnCallShiftSchema,
  OnCallStateSchema,
  ParticipantSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { SettingVersionSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  messageOf,
  momentOf,
  pageBody,
  pageRequest,
} from "./call.ts";

type Schedule = z.output<typeof onCallSchedule>;
type Shift = z.output<typeof onCallShift>;
type State = z.output<typeof onCallState>;
type Override = z.output<typeof onCallOverride>;
type Version = z.output<typeof settingVersion>;
type Content = z.output<typeof onCallScheduleVersion>["content"];
type Difference = z.output<typeof settingDifference>;

/** Handlers of the routes of `dashboard.oncalls`. */
export function oncalls(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listOnCallSchedules: async ({ request, query }) => {
      const found = await coreFor(request).oncalls.listOnCallSchedules(pageRequest(query));
      const data = found.schedules.map((one) => bodyOf<Schedule>(OnCallScheduleSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getOnCallSchedule: async ({ request, params: { name } }) => {
      const { schedule } = await coreFor(request).oncalls.getOnCallSchedule({ name });
      return { status: 200, body: bodyOf(OnCallScheduleSchema, schedule) };
    },
    putOnCallSchedule: async ({ request, params: { name }, body: asked }) => {
      const { if_revision: ifRevision = "", layers: given, ...rest } = asked;
      const layers = given.map((layer, index) => {
        const startsAt = momentOf(layer.starts_at, `/layers/${index}/starts_at`);
        return { ...layer, starts_at: startsAt?.toISOString() };
      });
      const settings = messageOf(OnCallScheduleSettingsSchema, { ...rest, name, layers });
      const put = await coreFor(request).oncalls.putOnCallSchedule({ settings, ifRevision });
      const body = bodyOf<Schedule>(OnCallScheduleSchema, put.schedule);
      return { status: put.created ? 201 : 200, body };
    },
    deleteOnCallSchedule: async ({ request, params: { name }, query }) => {
      const ifRevision = query.if_revision ?? "";
      await coreFor(request).oncalls.deleteOnCallSchedule({ name, ifRevision });
      return { status: 204, body: undefined };
    },
    listOnCallScheduleVersions: async ({ request, params: { name }, query }) => {
      const asked = { name, ...pageRequest(query) };
      const found = await coreFor(request).oncalls.listOnCallScheduleVersions(asked);
      const data = found.versions.map((one) => bodyOf<Version>(SettingVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getOnCallScheduleVersion: async ({ request, params: { name, version } }) => {
      const found = await coreFor(request).oncalls.getOnCallScheduleVersion({ name, version });
      const { settings } = bodyOf<{ settings: Content }>(GetOnCallScheduleVersionResponseSchema, found);
      const body = { ...bodyOf<Version>(SettingVersionSchema, found.version), content: settings };
      return { status: 200, body };
    },
    compareOnCallScheduleVersions: async ({ request, params: { name }, query }) => {
      const { before = "", after = "" } = query;
      const compared = await coreFor(request).oncalls.compareOnCallScheduleVersions({ name, before, after });
      const body = bodyOf<Difference>(CompareOnCallScheduleVersionsResponseSchema, compared);
      return { status: 200, body };
    },
    restoreOnCallSchedule: async ({ request, params: { name }, body: { version, if_revision } }) => {
      const asked = { name, version, ifRevision: if_revision ?? "" };
      const { schedule } = await coreFor(request).oncalls.restoreOnCallSchedule(asked);
      return { status: 200, body: bodyOf(OnCallScheduleSchema, schedule) };
    },
    getOnCall: async ({ request, params: { name }, query }) => {
      const asked = { name, ...withoutUndefined({ at: timeOf(query.at, "/at") }) };
      const found = await coreFor(request).oncalls.getOnCall(asked);
      return { status: 200, body: bodyOf(GetOnCallResponseSchema, found) };
    },
    listOnCall: async ({ request, query: { name = "", user_id: userId = "", ...query } }) => {
      const found = await coreFor(request).oncalls.listOnCall({ name, userId, ...pageRequest(query) });
      const data = found.states.map((one) => bodyOf<State>(OnCallStateSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listOnCallShifts: async ({ request, params: { name }, query: { from, until, ...query } }) => {
      const asked = { name, ...timesOf({ from, until }), ...pageRequest(query) };
      const found = await coreFor(request).oncalls.listOnCallShifts(asked);
      const data = found.shifts.map((one) => bodyOf<Shift>(OnCallShiftSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listOnCallOverrides: async ({ request, params: { name }, query }) => {
      const found = await coreFor(request).oncalls.listOnCallOverrides({ name, ...pageRequest(query) });
      const data = found.overrides.map((one) => bodyOf<Override>(OnCallOverrideSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    addOnCallOverride: async ({ request, params: { name }, body }) => {
      const { participant, from, until, comment = "" } = body;
      const added = await coreFor(request).oncalls.addOnCallOverride({
        name,
        participant: messageOf(ParticipantSchema, participant, "/participant"),
        ...timesOf({ from, until }),
        comment,
      });
      return { status: 201, body: bodyOf(OnCallOverrideSchema, added.override) };
    },
    deleteOnCallOverride: async ({ request, params: { name, override_id: id } }) => {
      await coreFor(request).oncalls.removeOnCallOverride({ name, id });
      return { status: 204, body: undefined };
    },
    swapOnCallShifts: async ({ request, params: { name }, body: { first, second, comment = "" } }) => {
      const swapped = await coreFor(request).oncalls.swapOnCallShifts({
        name,
        first: swappedShift(first, "/first"),
        second: swappedShift(second, "/second"),
        comment,
      });
      const data = swapped.overrides.map((one) => bodyOf<Override>(OnCallOverrideSchema, one));
      return { status: 201, body: { data } };
    },
  };
}

function swappedShift(
  { from, until, participant }: z.output<(typeof contract)["swapOnCallShifts"]["body"]>["first"],
  at: string,
) {
  return {
    ...timesOf({ from, until }, at),
    ...(participant && { participant: messageOf(ParticipantSchema, participant, `${at}/participant`) }),
  };
}

interface Times {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Times of a request for the core. @param at JSON pointer to the object with them */
function timesOf({ from, until }: Times, at = "") {
  return withoutUndefined({ from: timeOf(from, `${at}/from`), until: timeOf(until, `${at}/until`) });
}

function timeOf(text: string | undefined, pointer: string) {
  const moment = momentOf(text, pointer);
  return moment && timestampFromDate(moment);
}
