import { z } from "zod";
import { reportSections } from "./report-section-names.ts";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2030-01-01T00:00:00Z"] });

/** What a report that is asked for looks like: of one that is made now, and of those of a schedule. */
export const reportLook = {
  locale: z
    .string()
    .optional()
    .meta({
      description: "`en`, or `en` and a region; missing: that of the client, or `en`.",
      examples: ["en-GB"],
    }),
  timezone: z
    .string()
    .optional()
    .meta({
      description: "Of the IANA database; missing: that of the client, or `UTC`.",
      examples: ["Europe/Berlin"],
    }),
  paper: z
    .enum(["a4", "letter"])
    .optional()
    .meta({ description: "Of a PDF: `a4`, unless it says otherwise." }),
} as const;

/** @param id of the schema */
export const reportBranding = (id: string) =>
  z
    .strictObject({
      name: z
        .string()
        .optional()
        .meta({ description: "Who hands it out: up to 100 characters.", examples: ["Acme Agency"] }),
      color: z
        .string()
        .optional()
        .meta({ description: "As `#rrggbb`.", examples: ["#0b5394"] }),
    })
    .optional()
    .meta({ id, description: "Whose report it looks like." });

/** The JSON body of POST /api/deliverability/v1/reports/generate. */
export const reportRequest = z
  .strictObject({
    scope: z
      .strictObject({
        type: z.enum(["workspace", "client", "domain"]).meta({ description: "What it is about." }),
        id: z
          .string()
          .optional()
          .meta({
            description: "Its id; of a workspace it may be missing.",
            examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
      })
      .meta({ id: "ReportScope", description: "Whose domains the report is about." }),
    period: z
      .strictObject({
        from: moment("Its beginning, which belongs to it; missing: thirty days before its end.").optional(),
        to: moment("Its end, which does not; missing: now.").optional(),
      })
      .optional()
      .meta({ id: "ReportPeriod", description: "Of history, changes, sending and DMARC: 366 days at most." }),
    format: z
      .enum(["json", "html", "pdf"])
      .optional()
      .meta({ description: "`json`, unless it says otherwise; `html` and `pdf`: one document each." }),
    sections: z
      .array(z.enum(reportSections))
      .optional()
      .meta({ description: "What it has; missing: all of it." }),
    locale: reportLook.locale,
    timezone: reportLook.timezone,
    branding: reportBranding("ReportBranding"),
    paper: reportLook.paper,
  })
  .meta({ id: "ReportRequest", description: "A report to be made." });
