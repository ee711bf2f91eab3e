import { initContract } from "@ts-rest/core";
import { z } from "zod";
import {
  onCallNow,
  onCallOverride,
  onCallSchedule,
  onCallScheduleVersion,
  onCallSettings,
  onCallShift,
  onCallState,
  participant,
} from "../common/on-call-schemas.ts";
import { ifRevision, ifRevisionOrNone, ifRevisionQuery } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  differenceQuery,
  restoredVersion,
  settingDifference,
  settingVersion,
  versionNumber,
} from "../common/setting-versions.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const { name: _, ...nameless } = onCallSettings;
const replacement = z.strictObject({ ...nameless, if_revision: ifRevisionOrNone }).meta({
  id: "OnCallScheduleReplacement",
  description: "Complete settings of an on-call schedule. Settings that are left out get their default.",
});

const comment = text("Reason, at most 500 characters.", "Dentist").optional();
const ends = "End, exclusive: in the future and at most one year ahead.";

const newOverride = z
  .strictObject({
    participant,
    from: moment("Start. Missing or past: now.").optional(),
    until: moment(ends, "2026-11-29T08:00:00.000Z"),
    comment,
  })
  .meta({ id: "NewOnCallOverride", description: "An override to create." });

const swapped = (id: string, description: string) =>
  z
    .strictObject({
      from: moment("Start of the shift. Past: now."),
      until: moment(ends, "2026-11-29T08:00:00.000Z"),
      participant: participant.optional().meta({
        description: "Participant who must be on call during the whole time. Missing: any participant.",
      }),
    })
    .meta({ id, description });
const swap = z
  .strictObject({
    first: swapped("FirstSwappedShift", "Shift of one participant, or a part of it."),
    second: swapped("SecondSwappedShift", "Shift of the other participant, or a part of it."),
    comment,
  })
  .meta({ id: "OnCallSwap", description: "Two shifts to swap." });

const scheduleName = z.object({ name: z.string().meta({ description: "Name of the on-call schedule." }) });
const overrideParams = scheduleName.extend({
  override_id: z.string().meta({ description: "Id of the override." }),
});
const unknown = ["on_call_schedule.unknown"] as const;
const ofVersion = [
  "on_call_schedule.unknown",
  "on_call_schedule.version_not_found",
  "request.validation_failed",
] as const;

export const oncalls = c.router({
  listOnCallSchedules: {
    method: "GET",
    path: "/api/on-call-schedules",
    summary: "List on-call schedules",
    description: "Lists on-call schedules by name. An account has at most 200.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("OnCallScheduleList", onCallSchedule) },
    }),
  },
  getOnCallSchedule: {
    method: "GET",
    path: "/api/on-call-schedules/:name",
    pathParams: scheduleName,
    summary: "Get an on-call schedule",
    ...reading({ access: "alerts.read", faults: unknown, success: { 200: onCallSchedule } }),
  },
  putOnCallSchedule: {
    method: "PUT",
    path: "/api/on-call-schedules/:name",
    pathParams: scheduleName,
    summary: "Create or replace an on-call schedule",
    description:
      "Creates or replaces an on-call schedule. Overrides stay. Each user among the participants must be a member of the account. Changes apply to the next notification, also of open incidents.",
    body: replacement,
    ...changing({
      access: "alerts.write",
      faults: ["on_call_schedule.too_many", "resource.stale"],
      success: { 200: onCallSchedule, 201: onCallSchedule },
    }),
  },
  deleteOnCallSchedule: {
    method: "DELETE",
    path: "/api/on-call-schedules/:name",
    pathParams: scheduleName,
    summary: "Delete an on-call schedule",
    description:
      "Deletes an on-call schedule with its overrides. It is refused while alert rules name the schedule, including disabled ones. Open incidents keep the version of their rule: if that version names the schedule, the recipients of the present version are notified.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: [...unknown, "resource.in_use", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
  listOnCallScheduleVersions: {
    method: "GET",
    path: "/api/on-call-schedules/:name/versions",
    pathParams: scheduleName,
    summary: "List the versions of an on-call schedule",
    description:
      "Lists the versions of an on-call schedule without their settings, newest first. Each change stores one, and Hermod keeps the newest 100. The newest one is the present state.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: [...unknown, "request.validation_failed"],
      success: { 200: page("OnCallScheduleVersionList", settingVersion) },
    }),
  },
  getOnCallScheduleVersion: {
    method: "GET",
    path: "/api/on-call-schedules/:name/versions/:version",
    pathParams: scheduleName.extend({ version: versionNumber }),
    summary: "Get a version of an on-call schedule",
    ...reading({ access: "alerts.read", faults: ofVersion, success: { 200: onCallScheduleVersion } }),
  },
  compareOnCallScheduleVersions: {
    method: "GET",
    path: "/api/on-call-schedules/:name/diff",
    pathParams: scheduleName,
    summary: "Compare two versions of an on-call schedule",
    query: differenceQuery,
    ...reading({
      access: "alerts.read",
      faults: ofVersion,
      success: { 200: settingDifference },
    }),
  },
  restoreOnCallSchedule: {
    method: "POST",
    path: "/api/on-call-schedules/:name/restore",
    pathParams: scheduleName,
    summary: "Restore a version of an on-call schedule",
    description:
      "Stores the settings of an earlier version, under the rules of a replacement. Nothing is changed if they equal the present settings.",
    body: z
      .strictObject({ version: restoredVersion, if_revision: ifRevision })
      .meta({ id: "OnCallScheduleRestoration", description: "Version of an on-call schedule to restore." }),
    ...changing({
      access: "alerts.write",
      faults: [...ofVersion, "resource.stale"],
      success: { 200: onCallSchedule },
    }),
  },
  getOnCall: {
    method: "GET",
    path: "/api/on-call-schedules/:name/on-call",
    pathParams: scheduleName,
    summary: "Get the participant on call",
    description:
      "Returns the participant who is on call at a time, and the addresses that a notification is sent to. The shift in the answer begins at this time and ends at the latest 31 days later.",
    query: z.strictObject({ at: moment("Time. Missing: now.").optional() }),
    ...reading({
      access: "alerts.read",
      faults: [...unknown, "request.validation_failed"],
      success: { 200: onCallNow },
    }),
  },
  listOnCall: {
    method: "GET",
    path: "/api/on-call",
    summary: "List the participants on call",
    description: "Lists the participants on call now and next, by the name of the schedule.",
    query: pageQuery.extend({
      name: text("Name of the only schedule to list.", "primary").optional(),
      user_id: text(
        "Member to list the next times on call for.",
        "usr_01k9z4c3r8h2v6y0n5t7w1x3q9",
      ).optional(),
    }),
    ...reading({
      access: "alerts.read",
      faults: [...unknown, "request.validation_failed"],
      success: { 200: page("OnCallList", onCallState) },
    }),
  },
  listOnCallShifts: {
    method: "GET",
    path: "/api/on-call-schedules/:name/shifts",
    pathParams: scheduleName,
    summary: "List the shifts of an on-call schedule",
    description:
      "Lists the shifts of a time range without gaps, earliest first. The first one begins at `from`, and the last one ends at `until`. Past shifts follow from the present settings and from overrides of the last 90 days.",
    query: pageQuery.extend({
      from: moment("Start of the range. Required.").optional(),
      until: moment(
        "End of the range, exclusive: at most 93 days after `from`. Required.",
        "2026-12-22T09:30:00.000Z",
      ).optional(),
    }),
    ...reading({
      access: "alerts.read",
      faults: [...unknown, "request.validation_failed"],
      success: { 200: page("OnCallShiftList", onCallShift) },
    }),
  },
  listOnCallOverrides: {
    method: "GET",
    path: "/api/on-call-schedules/:name/overrides",
    pathParams: scheduleName,
    summary: "List the overrides of an on-call schedule",
    description: "Lists overrides, newest first. Ended overrides are listed for 90 days.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: [...unknown, "request.validation_failed"],
      success: { 200: page("OnCallOverrideList", onCallOverride) },
    }),
  },
  addOnCallOverride: {
    method: "POST",
    path: "/api/on-call-schedules/:name/overrides",
    pathParams: scheduleName,
    summary: "Add an override",
    description:
      "Puts a participant on call for a time, instead of those of the layers. If overrides overlap, the one that was added last applies.",
    body: newOverride,
    ...changing({
      access: "alerts.write",
      faults: [...unknown, "member.unknown", "on_call_override.too_many"],
      success: { 201: onCallOverride },
    }),
  },
  deleteOnCallOverride: {
    method: "DELETE",
    path: "/api/on-call-schedules/:name/overrides/:override_id",
    pathParams: overrideParams,
    summary: "Remove an override",
    description:
      "Removes an override that has not begun, and ends one that has begun. An ended override is not changed.",
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: [...unknown, "on_call_override.unknown"],
      success: { 204: c.noBody() },
    }),
  },
  swapOnCallShifts: {
    method: "POST",
    path: "/api/on-call-schedules/:name/swaps",
    pathParams: scheduleName,
    summary: "Swap two shifts",
    description:
      "Swaps two shifts of two participants: adds an override for each time, with the participant of the other one. One participant must be on call during the whole of each time. Either both overrides are stored, or none.",
    body: swap,
    ...changing({
      access: "alerts.write",
      faults: [...unknown, "on_call_override.too_many", "resource.stale"],
      success: {
        201: z.object({ data: z.array(onCallOverride) }).meta({
          id: "OnCallSwapResult",
          description: "The override of the first time, then that of the second one.",
        }),
      },
    }),
  },
});
