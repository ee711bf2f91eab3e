import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { optional } from "../common/intel-report-fields.ts";
import { reportBranding, reportLayout } from "../common/intel-report-request.ts";
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
  "`weekly`: reports about the previous week, Monday to Sunday; `monthly`: reports about the previous month.",
  "weekly",
);
const hour = z.int().meta({
  description: "Hour at which the report is created, 0 to 23, in the time zone of the schedule.",
  examples: [8],
});
const recipients = z.array(z.string()).meta({
  description: "Up to 20 addresses of recipients. Empty: the contacts of the client at that time.",
  examples: [["it@example.com"]],
});
const from = text(
  "Verified sender of the account, optionally with a name.",
  "Acme Agency <reports@acme.example>",
);
const sections = z.array(z.enum(reportSections)).meta({
  description: "Sections of the report. Empty: all.",
  examples: [["changes", "findings", "fixes"]],
});
const name = text("Name of 1 to 100 characters. The subjects of its mail begin with it.", "Weekly report");
const trigger = text("`due`, or `asked` for a report on demand.", "due");
const paused = z
  .boolean()
  .meta({ description: "Whether the schedule is paused: no report is created until it is resumed." });

const period = {
  from: moment("Start of the report period, inclusive.", "2029-12-31T00:00:00.000Z"),
  to: moment("End of the report period, exclusive.", "2030-01-07T00:00:00.000Z"),
};

export const schedule = z
  .object({
    id: text("Id of the schedule.", "rsc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    workspace_id: workspaceId,
    name,
    scope: z
      .object({
        type: text("`workspace`, `client` or `domain`.", "client"),
        id: text("Id of the workspace, client or domain.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      })
      .meta({ id: "ScheduleScope", description: "Domains that the reports cover." }),
    cadence,
    weekday: z
      .int()
      .nullable()
      .meta({
        description: "Day of the week: 1 is Monday, 7 is Sunday. `null` for a monthly schedule.",
        examples: [1],
      }),
    day: z
      .int()
      .nullable()
      .meta({ description: "Day of the month, 1 to 28. `null` for a weekly schedule.", examples: [1] }),
    hour,
    timezone: text("IANA time zone of the schedule's days and hours and of its reports.", "Europe/Berlin"),
    format: text("Format of the attached report: `pdf` or `html`.", "pdf"),
    paper: text("`a4` or `letter`.", "a4"),
    sections,
    locale: optional("`en`, or `en` and a region. `null`: the locale of the client, or `en`.", "en-GB"),
    branding: z
      .object({
        name: optional(
          "Name of the company that issues the report. `null`: no name is shown.",
          "Acme Agency",
        ),
        color: optional("Color of documents. `null`: the default color.", "#0b5394"),
      })
      .meta({ id: "ScheduleBranding", description: "Branding of the reports." })
      .nullable()
      .meta({
        description:
          "Branding of the reports. `null`: the label of the client or workspace at the time of each report.",
      }),
    recipients,
    from,
    routing_policy: optional("Routing policy of the mail. `null`: the account's default policy.", "reports"),
    paused,
    created_at: moment("Time when the schedule was created."),
    updated_at: moment("Time of the last change."),
    revision,
    next_run_at: noMoment(
      "Time when the next report is due. Hermod creates it within five minutes. `null` if the schedule is paused.",
    ),
    under_way: z
      .object({
        since: moment("Time when the report was started."),
        trigger,
        ...period,
        attempts: z.int().meta({ description: "Number of attempts so far.", examples: [1] }),
        retry_at: noMoment("Time of the next attempt. `null` while the report is being created."),
        reason: optional("Reason why the last attempt failed. `null` if none failed.", "The server is busy."),
      })
      .meta({ id: "ScheduleWork", description: "A report in progress." })
      .nullable()
      .meta({ description: "Report in progress. `null` if there is none." }),
    last_run: z
      .object({
        at: moment("Time when the run ended."),
        trigger,
        ...period,
        status: text("`sent`, `failed`, or `cancelled` if the schedule was paused during the run.", "sent"),
        reason: optional(
          "Reason why the report was not sent. `null` if it was sent.",
          "The client is archived.",
        ),
        code: optional("Error code of the failure. `null` if the report was sent.", "sender.unverified"),
        report_id: optional(
          "Id of the report. `null` if none was created.",
          "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9",
        ),
        message_ids: z.array(z.string()).meta({
          description:
            "Ids of the messages, one for each recipient. After a failure: only for recipients that were sent the report.",
          examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
        }),
      })
      .meta({ id: "ScheduleRun", description: "Result of a run." })
      .nullable()
      .meta({ description: "Last run. `null` if there was none yet." }),
  })
  .meta({ id: "Schedule", description: "A schedule that creates and mails reports, weekly or monthly." });

const newSchedule = z
  .strictObject({
    name,
    scope: z
      .strictObject({
        type: z
          .enum(["workspace", "client", "domain"])
          .meta({ description: "Kind of scope of the reports." }),
        id: z
          .string()
          .optional()
          .meta({
            description: "Id of the client, domain or workspace. Optional for a workspace.",
            examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
      })
      .meta({ id: "NewScheduleScope", description: "Domains that the reports cover." }),
    cadence: z.enum(["weekly", "monthly"]).meta({ description: cadence.description ?? "" }),
    weekday: z
      .int()
      .min(1)
      .max(7)
      .optional()
      .meta({
        description: "Day of the week for a weekly schedule: 1 is Monday, 7 is Sunday. Missing: 1.",
        examples: [1],
      }),
    day: z
      .int()
      .min(1)
      .max(28)
      .optional()
      .meta({ description: "Day of the month for a monthly schedule: 1 to 28. Missing: 1.", examples: [1] }),
    hour: z
      .int()
      .min(0)
      .max(23)
      .optional()
      .meta({ description: "Hour, 0 to 23, in the time zone of the schedule. Missing: 8.", examples: [8] }),
    timezone: reportLayout.timezone,
    format: z
      .enum(["pdf", "html"])
      .optional()
      .meta({ description: "Format of the attached report. Default: `pdf`." }),
    paper: reportLayout.paper,
    sections: sections.optional(),
    locale: reportLayout.locale,
    branding: reportBranding("NewScheduleBranding"),
    recipients: recipients.optional(),
    from,
    routing_policy: z
      .string()
      .optional()
      .meta({
        description: "Routing policy of the mail. Missing: the account's default policy.",
        examples: ["reports"],
      }),
    paused: paused.optional(),
  })
  .meta({ id: "NewSchedule", description: "A schedule to create." });

const scheduleParams = z.object({ schedule_id: text("Id of the schedule.") });

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
    description: "Lists the schedules of one workspace, oldest first.",
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
    summary: "Create a schedule of reports",
    description:
      "Creates a schedule that creates and mails reports. The first report is the one that is due next. Each recipient gets the report in a separate message of the account.",
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
    summary: "Get a schedule of reports",
    ...reading({ access: "intel.read", faults: ["schedule.unknown"], success: { 200: schedule } }),
  },
  updateSchedule: {
    method: "PUT",
    path: "/api/intel/schedules/:schedule_id",
    pathParams: scheduleParams,
    summary: "Replace, pause or resume a schedule of reports",
    description:
      "Replaces the whole schedule: fields that are left out are removed. The change applies from the next report on. A report in progress continues, unless the schedule is paused before the next attempt.",
    body: newSchedule.extend({ paused, if_revision: ifRevision }).meta({
      id: "ScheduleReplacement",
      description: "Complete settings of a schedule.",
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
    summary: "Delete a schedule of reports",
    description: "Deletes a schedule. Its reports and mail stay.",
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
    summary: "Create and mail a report now",
    description:
      "Creates and mails a report about the last complete week or month, in addition to the reports that are due. A paused schedule can also be run. The run starts within seconds, and `last_run` has its result. A run that waits for its next attempt is retried now. If a report is already being created, that run continues.",
    body: c.noBody(),
    ...changing({ access: "intel.write", faults: ["schedule.unknown"], success: { 202: schedule } }),
  },
});
