import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { workspaceId } from "./intel-schemas.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

const noMoment = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, format: "date-time", examples: ["2030-01-07T07:00:00.000Z"] });

export const reportId = text("Id of the report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9");
export const reportSteps = z
  .object({
    done: z.int().meta({ description: "Number of completed steps.", examples: [1] }),
    total: z.int().meta({ description: "Number of steps.", examples: [2] }),
  })
  .meta({ id: "StoredReportSteps", description: "Progress of a report." });

export const report = z
  .object({
    id: reportId,
    workspace_id: workspaceId,
    scope: z
      .object({
        type: text("`workspace`, `client` or `domain`.", "client"),
        id: text("Id of the workspace, client or domain.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
        name: z
          .string()
          .nullable()
          .meta({
            description: "Name when the report was generated; `null` before that.",
            examples: ["Nordwind AG"],
          }),
      })
      .meta({ id: "StoredReportScope", description: "Subject of the report." }),
    period: z
      .object({
        from: moment("Beginning of the period, inclusive."),
        to: moment("End of the period, exclusive."),
      })
      .meta({ id: "StoredReportPeriod", description: "Period of the report." }),
    format: text(
      "Format in which the report was requested: `json`, `html` or `pdf`. Each report can be fetched in all of them.",
      "pdf",
    ),
    paper: z
      .string()
      .nullable()
      .meta({ description: "Paper size of the requested PDF; `null` for other formats.", examples: ["a4"] }),
    state: text(
      "`queued` or `running`: a job creates the report; `ready`: it can be fetched, shared and removed; `failed` or `cancelled`: the job has ended without a report.",
      "ready",
    ),
    progress: reportSteps.nullable().meta({ description: "Progress of the job; `null` if none is running." }),
    created_at: moment("Time of the request."),
    generated_at: noMoment("Time when the report was generated; `null` if it is not ready."),
    expires_at: noMoment("Time at which Hermod removes the report; `null` if it is not ready."),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Reason why the report was not created; `null` if there is none." }),
    reason_parts: partsOf("reason"),
  })
  .meta({ id: "StoredReport", description: "A report. It never changes." });

export const reportLink = z
  .object({
    id: text("Id of the link.", "rpl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    workspace_id: workspaceId,
    report_id: reportId,
    report_name: text("Name of the subject of the report.", "Nordwind AG"),
    note: z
      .string()
      .nullable()
      .meta({ description: "Note for members; `null` if there is none.", examples: ["For the board"] }),
    state: text("`active`, `expired` or `revoked`. Only an active link opens the report.", "active"),
    created_at: moment("Time when the link was created."),
    expires_at: moment("Time at which the link expires, with the report at the latest."),
    revoked_at: noMoment("Time when a member revoked the link; `null` if none did."),
    opens: z.int().meta({
      description:
        "Number of times that the report was opened. Programs that fetch links of mail count, too.",
      examples: [3],
    }),
    downloads: z.int().meta({ description: "Number of times that the PDF was downloaded.", examples: [1] }),
    first_opened_at: noMoment("Time of the first opening or download; `null` if there was none."),
    last_opened_at: noMoment("Time of the latest opening or download; `null` if there was none."),
  })
  .meta({ id: "ReportLink", description: "A link that opens a report without a session." });
