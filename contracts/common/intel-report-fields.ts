import { z } from "zod";
import { text } from "./text-field.ts";

/** Fields shared by several parts of a report. */

export const optional = (description: string, ...examples: string[]) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(examples.length > 0 && { examples }) });
export const count = (description: string, example = 3) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
export const noMoment = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, format: "date-time", examples: ["2026-11-22T09:30:00.000Z"] });
export const score = z
  .number()
  .nullable()
  .meta({ description: "Score from 0 to 100; `null` if nothing was measured.", examples: [72] });
export const coverage = z.number().meta({
  description: "Share of the weight of all checks that was measured, from 0 to 1.",
  examples: [0.93],
});
export const scoreModel = text("Version of the score model.", "2");
export const checkId = text("Id of the check.", "auth.dmarc.policy");
export const severity = z
  .enum(["critical", "warning", "info"])
  .meta({ description: "Severity.", examples: ["critical"] });
export const gain = z.number().meta({
  description:
    "Points that the score of the domain gains when the finding is fixed. Also 0 if another finding caps the score.",
  examples: [8.5],
});

/** Domain of an entry. */
export const domain = {
  domain_id: text("Id of the domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  domain: text("Name of the domain, in A-labels.", "example.com"),
};
