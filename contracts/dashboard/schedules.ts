import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { optional } from "../common/intel-report-fields.ts";
import { reportBranding, reportLook } from "../common/intel-report-request.ts";
import { workspaceId } from "../common/intel-schemas.ts";
import { reportSections } from "../common/report-section-names.ts";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";
import { workspaceQuery } from "./workspaces.ts";

const c = initContract();

const noMoment = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, format: "date-time", examples: ["2030-01-07T07:00:00.000Z"] });

const cadence = text(
  "`weekly`: of the week from Monday to Sunday before; `monthly`: of the month before.",
  "weekly",
);
const hour = z.int().meta({
  description: "The hour at which it is made, 0 to 23, as clocks in its time zone show it.",
  examples: [8],
});
const recipients = z.array(z.string()).meta({
  description: "Whom it goes to: up to 20 addresses. Empty: the contacts that the client has by then.",
  examples: [["it@example.com"]],
});
const from = text(
  "A verified sender of the account, perhaps with a name.",
  "Acme Agency <reports@acme.example>",
);
const sections = z.array(z.enum(reportSections)).meta({
  description: "What the report has; empty: all of it.",
  examples: [["changes", "findings", "fixes"]],
});
const name = text("1 to 100 characters: what subjects of its mail begin with.", "Weekly report");
const trigger = text("`due`, or `asked`: somebody wanted it then.", "due");
const paused = z.boolean().meta({ description: "No report is made until it is resumed." });

const period = {
  from: moment("The beginning of its period, which belongs to it.", "2029-12-31T00:00:00.000Z"),
  to: moment("The end of its period, which does not.", "2030-01-07T00:00:00.000Z"),
};

export const schedule = z
  .object({
    id: text("Id of the schedule.", "rsc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    workspace_id: workspaceId,
    name,
    scope: z
      .object({
        type: text("`workspace`, `client` or `domain`.", "client"),
        id: text("Its id.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      })
      .meta({ id: "ScheduleScope", description: "Whose domains its reports are about." }),
    cadence,
    weekday: z
      .int()
      .nullable()
      .meta({ description: "1 is Monday, 7 Sunday; null: it is monthly.", examples: [1] }),
    day: z
      .int()
      .nullable()
      .meta({ description: "Of the month, 1 to 28; null: it is weekly.", examples: [1] }),
    hour,
    timezone: text("Of the IANA database: of its days and hours, and of its reports.", "Europe/Berlin"),
    format: text("`pdf` or `html`: what is attached to its mail.", "pdf"),
    paper: text("`a4` or `letter`.", "a4"),
    sections,
    locale: optional("`en`, or `en` and a region; null: that of the client, or `en`.", "en-GB"),
    branding: z
      .object({
        name: optional("Who hands out the report; null: nobody is named.", "Acme Agency"),
        color: optional("The colour of documents; null: their own.", "#0b5394"),
      })
      .meta({ id: "ScheduleBranding", description: "Whose report it looks like." })
      .nullable()
      .meta({ description: "Null: nothing is said of it." }),
    recipients,
    from,
    routing_policy: optional("How its mail leaves; null: by the account's default policy.", "reports"),
    paused,
    created_at: moment("When it was made."),
    updated_at: moment("When somebody changed it last."),
    revision,
    next_run_at: noMoment("When the next report is due; it is made within five minutes. Null: it is paused."),
    under_way: z
      .object({
        since: moment("When it was begun."),
        trigger,
        ...period,
        attempts: z.int().meta({ description: "Attempts so far.", examples: [1] }),
        retry_at: noMoment("When it is tried again; null: it is being made."),
        reason: optional("Why the last attempt failed; null: none has.", "The server is busy."),
      })
      .meta({ id: "ScheduleWork", description: "A report that is under way." })
      .nullable()
      .meta({ description: "Null: none is." }),
    last_run: z
      .object({
        at: moment("When it ended."),
        trigger,
        ...period,
        status: text("`sent`, `failed`, or `cancelled`: the schedule was paused meanwhile.", "sent"),
        reason: optional("Why it was not sent; null: it was.", "The client is archived."),
        code: optional("The error code of that; null: it was sent.", "sender.unverified"),
        report_id: optional("The report; null: none was made.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
        message_ids: z.array(z.string()).meta({
          description: "Its messages, one for each recipient; where it failed, of those whom it went to.",
          examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
        }),
      })
      .meta({ id: "ScheduleRun", description: "What has become of a report." })
      .nullable()
      .meta({ description: "The last one; null: there was none yet." }),
  })
  .meta({ id: "Schedule", description: "By which reports are made and mailed, weekly or monthly." });

const newSchedule = z
  .strictObject({
    name,
    scope: z
      .strictObject({
        type: z.enum(["workspace", "client", "domain"]).meta({ description: "What its reports are about." }),
        id: z
          .string()
          .optional()
          .meta({
            description: "Its id; of a workspace it may be missing.",
            examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
      })
      .meta({ id: "NewScheduleScope", description: "Whose domains its reports are about." }),
    cadence: z.enum(["weekly", "monthly"]).meta({ description: cadence.description ?? "" }),
    weekday: z
      .int()
      .min(1)
      .max(7)
      .optional()
      .meta({ description: "Of a weekly one: 1 is Monday, 7 Sunday; missing: 1.", examples: [1] }),
    day: z
      .int()
      .min(1)
      .max(28)
      .optional()
      .meta({ description: "Of a monthly one: 1 to 28; missing: 1.", examples: [1] }),
    hour: z
      .int()
      .min(0)
      .max(23)
      .optional()
      .meta({ description: "0 to 23, as clocks in its time zone show it; missing: 8.", examples: [8] }),
    timezone: reportLook.timezone,
    format: z
      .enum(["pdf", "html"])
      .optional()
      .meta({ description: "What is attached to its mail: `pdf`, unless it says otherwise." }),
    paper: reportLook.paper,
    sections: sections.optional(),
    locale: reportLook.locale,
    branding: reportBranding("NewScheduleBranding"),
    recipients: recipients.optional(),
    from,
    routing_policy: z
      .string()
      .optional()
      .meta({
        description: "How its mail leaves; missing: by the account's default.",
        examples: ["reports"],
      }),
    paused: paused.optional(),
  })
  .meta({ id: "NewSchedule", description: "A schedule that is to be made." });

const scheduleParams = z.object({ schedule_id: text("The schedule's `id`.") });

const ofSettings = [
  "client.unknown",
  "client.archived",
  "watched_domain.unknown",
  "workspace.unknown",
  "sender.unverified",
] as const;

export const schedules = c.router({
  listSchedules: {
    method: "GET",
    path: "/api/intel/schedules",
    summary: "List schedules of reports",
    description: "Those of one workspace, the earliest first.",
    query: pageQuery.extend(workspaceQuery),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("ScheduleList", schedule) },
    }),
  },
  createSchedule: {
    method: "POST",
    path: "/api/intel/schedules",
    summary: "Have reports made and mailed",
    description:
      "The first is the one that is due next. Each is mailed to every recipient by itself, as a message of the account.",
    query: z.strictObject(workspaceQuery),
    body: newSchedule,
    ...changing({
      access: "intel.write",
      faults: [...ofSettings, "schedule.too_many"],
      success: { 201: schedule },
    }),
  },
  getSchedule: {
    method: "GET",
    path: "/api/intel/schedules/:schedule_id",
    pathParams: scheduleParams,
    summary: "See a schedule of reports",
    ...reading({ access: "intel.read", faults: ["schedule.unknown"], success: { 200: schedule } }),
  },
  updateSchedule: {
    method: "PUT",
    path: "/api/intel/schedules/:schedule_id",
    pathParams: scheduleParams,
    summary: "Replace, pause or resume a schedule of reports",
    description:
      "As a whole: what is missing is taken away. It holds from the next report on; one that is under way goes on, unless the schedule is paused before it is tried again.",
    body: newSchedule.extend({ paused, if_revision: ifRevision }).meta({
      id: "ScheduleReplacement",
      description: "What it is to be, as a whole.",
    }),
    ...changing({
      access: "intel.write",
      faults: [...ofSettings, "schedule.unknown", "resource.stale"],
      success: { 200: schedule },
    }),
  },
  deleteSchedule: {
    method: "DELETE",
    path: "/api/intel/schedules/:schedule_id",
    pathParams: scheduleParams,
    summary: "Remove a schedule of reports",
    description: "Reports and mail that it has made stay.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["schedule.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
  runSchedule: {
    method: "POST",
    path: "/api/intel/schedules/:schedule_id/run",
    pathParams: scheduleParams,
    summary: "Have a report made and mailed now",
    description:
      "Of the last week or month that is over, besides those that are due, and also where the schedule is paused. It is begun within seconds, and `last_run` has what became of it. A run that waits to be tried again is tried now; where one is being made, that one goes on.",
    body: c.noBody(),
    ...changing({ access: "intel.write", faults: ["schedule.unknown"], success: { 202: schedule } }),
  },
});
