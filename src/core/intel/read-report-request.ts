import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type ReportSection, reportSections } from "../../../contracts/common/report-section-names.ts";
import type { GenerateReportRequest } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readLocale, readTimezone } from "./read-client.ts";

export const reportFormats = ["json", "html", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Requested report, as far as the request determines it. */
export interface ReportWish {
  readonly scope: { readonly type: "workspace" | "client" | "domain"; readonly id: string };
  readonly period: { readonly from: Date; readonly to: Date };
  /** The request has no `to`: the period ends at the time of each request. */
  readonly isOpenEnded: boolean;
  readonly format: ReportFormat;
  readonly paper: "a4" | "letter";
  /** undefined: all sections. */
  readonly sections: readonly ReportSection[] | undefined;
  /** undefined: locale of the client. */
  readonly locale: string | undefined;
  readonly timezone: string | undefined;
  readonly branding: { readonly name?: string; readonly color?: string };
}

const DAY_MS = 86_400_000;
const DEFAULT_MS = 30 * DAY_MS;
const MAX_MS = 366 * DAY_MS;
const SCOPES = ["workspace", "client", "domain"] as const;
const MAX_BRAND = 100;

/** Presentation and scope of a report, independent of the time of its creation. */
export type ReportAppearance<Format extends string = ReportFormat> = Omit<
  ReportWish,
  "period" | "isOpenEnded" | "format" | "timezone"
> & { readonly format: Format };

/** Fields of a request for a report. */
export type RequestedReport = RequestedAppearance & Pick<GenerateReportRequest, "from" | "to" | "timezone">;

interface RequestedAppearance
  extends Pick<GenerateReportRequest, "scope" | "format" | "paper" | "sections" | "locale"> {
  readonly branding?: { readonly name?: string | undefined; readonly color?: string | undefined } | undefined;
}

/** @throws Fault request.validation_failed */
export function readReportRequest(request: RequestedReport, now: Date): ReportWish {
  const faults = createFieldFaults();
  const { branding, ...appearance } = readReportAppearance(request, reportFormats, faults);
  const to = request.to ? timestampDate(request.to) : now;
  const from = request.from ? timestampDate(request.from) : new Date(to.getTime() - DEFAULT_MS);
  if (to > now) faults.add("/period/to", "field.invalid", say("period_ends_future_nothing_known"));
  else if (from >= to) faults.add("/period/from", "field.invalid", say("period_begins_before_end"));
  else if (to.getTime() - from.getTime() > MAX_MS)
    faults.add("/period/from", "field.invalid", say("period_366_days_most"));
  const { timezone } = request;
  const wish = {
    ...appearance,
    period: { from, to },
    isOpenEnded: !request.to,
    timezone: timezone === "" ? undefined : readTimezone(timezone, faults),
    branding,
  };
  if (faults.found.length > 0) throw validationFault(faults.found);
  return wish;
}

/** @param formats available formats; the first one is the default */
export function readReportAppearance<Format extends string>(
  { scope, format, paper, sections, locale, branding }: RequestedAppearance,
  formats: readonly [Format, ...Format[]],
  faults: FieldFaults,
): ReportAppearance<Format> {
  const type = SCOPES.find((one) => one === scope?.type);
  const id = scope?.id ?? "";
  if (!type) faults.add("/scope/type", "field.invalid", say("one_of", { allowed: SCOPES }));
  if (type && type !== "workspace" && id === "")
    faults.add("/scope/id", "field.required", say("scope_id", { type }));
  if (format !== "" && !formats.includes(format as Format))
    faults.add("/format", "field.invalid", say("one_of", { allowed: formats }));
  if (!["", "a4", "letter"].includes(paper)) faults.add("/paper", "field.invalid", say("a4_or_letter"));
  for (const [index, section] of sections.entries())
    if (!reportSections.includes(section as ReportSection))
      faults.add(`/sections/${index}`, "field.invalid", say("one_of", { allowed: reportSections }));
  return {
    scope: { type: type ?? "workspace", id },
    format: (format || formats[0]) as Format,
    paper: (paper || "a4") as "a4",
    sections: sections.length === 0 ? undefined : [...new Set(sections as ReportSection[])],
    locale: locale === "" ? undefined : readLocale(locale, faults),
    branding: readBranding(branding, "/branding", faults),
  };
}

/** @param at JSON pointer to the branding */
export function readBranding(
  { name = "", color = "" }: NonNullable<RequestedAppearance["branding"]> = {},
  at: string,
  faults: FieldFaults,
): ReportWish["branding"] {
  if ([...name].length > MAX_BRAND || /\p{Cc}/u.test(name)) {
    const message = say("up_characters_no_control_character", { max: MAX_BRAND });
    faults.add(`${at}/name`, "field.invalid", message);
  }
  if (color !== "" && !/^#[0-9a-f]{6}$/i.test(color))
    faults.add(`${at}/color`, "field.invalid", say("color"));
  return { ...(name !== "" && { name }), ...(color !== "" && { color }) };
}
