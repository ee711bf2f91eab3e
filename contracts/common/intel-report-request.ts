import { z } from "zod";
import { reportSections } from "./report-section-names.ts";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2030-01-01T00:00:00Z"] });

/** Presentation of a report, for reports on request and reports of a schedule. */
export const reportLayout = {
  locale: z
    .string()
    .optional()
    .meta({
      description: "Locale: `en`, or `en` and a region. Default: the locale of the client, or `en`.",
      examples: ["en-GB"],
    }),
  timezone: z
    .string()
    .optional()
    .meta({
      description: "Time zone of the IANA database. Default: the time zone of the client, or `UTC`.",
      examples: ["Europe/Berlin"],
    }),
  paper: z.enum(["a4", "letter"]).optional().meta({ description: "Paper size of a PDF. Default: `a4`." }),
} as const;

/** @param id id of the schema */
export const reportBranding = (id: string) =>
  z
    .strictObject({
      name: z
        .string()
        .optional()
        .meta({
          description: "Name of the issuer of the report: up to 100 characters.",
          examples: ["Acme Agency"],
        }),
      color: z
        .string()
        .optional()
        .meta({ description: "Color as `#rrggbb`.", examples: ["#0b5394"] }),
    })
    .optional()
    .meta({
      id,
      description:
        "Branding of the report. Default: the label of the client, or of the workspace, with its logo.",
    });

/** JSON body of POST /api/deliverability/v1/reports/generate. */
export const reportRequest = z
  .strictObject({
    scope: z
      .strictObject({
        type: z
          .enum(["workspace", "client", "domain"])
          .meta({ description: "Type of the subject of the report." }),
        id: z
          .string()
          .optional()
          .meta({
            description: "Id of the subject. Optional for a workspace.",
            examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
      })
      .meta({ id: "ReportScope", description: "Subject of the report. The report covers its domains." }),
    period: z
      .strictObject({
        from: moment("Beginning of the period, inclusive. Default: 30 days before its end.").optional(),
        to: moment("End of the period, exclusive. Default: now.").optional(),
      })
      .optional()
      .meta({
        id: "ReportPeriod",
        description: "Period for history, changes, sending and DMARC: 366 days at most.",
      }),
    format: z
      .enum(["json", "html", "pdf"])
      .optional()
      .meta({ description: "Format: `json`, or a single document as `html` or `pdf`. Default: `json`." }),
    sections: z
      .array(z.enum(reportSections))
      .optional()
      .meta({ description: "Sections of the report. Default: all sections." }),
    locale: reportLayout.locale,
    timezone: reportLayout.timezone,
    branding: reportBranding("ReportBranding"),
    paper: reportLayout.paper,
  })
  .meta({ id: "ReportRequest", description: "Report to generate." });
