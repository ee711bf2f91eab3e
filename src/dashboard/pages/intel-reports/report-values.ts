import type { NewReport, ReportFilter } from "../../api/reports.ts";

export const scopeTypes = ["workspace", "client", "domain"] as const;
export type ScopeType = (typeof scopeTypes)[number];
/** Periods to choose from: a number of days until now, or the last calendar month. */
export const periods = ["7", "30", "90", "month"] as const;
export type Period = (typeof periods)[number];

/** Values of the form of a new report. */
export interface ReportValues {
  type: ScopeType;
  /** Id of the client or domain. */
  id: string | undefined;
  period: Period;
  /** Empty: all. */
  sections: NonNullable<NewReport["sections"]>;
}

/** A report about the subject that the list shows; otherwise about the workspace. */
export function firstValues({ scope_type: type, scope_id: id }: ReportFilter): ReportValues {
  const known = scopeTypes.find((one) => one === type);
  return { type: known ?? "workspace", id, period: "30", sections: [] };
}

const DAY_MS = 86_400_000;

/**
 * The request of the form. The page opens in place at once, because Hermod creates it first.
 * @param timezone zone of the days in the report
 */
export function reportBody(
  { type, id, period, sections }: ReportValues,
  { workspace, now, timezone }: { workspace: string | undefined; now: Date; timezone: string },
): NewReport {
  const ofScope = type === "workspace" ? workspace : id;
  return {
    scope: { type, ...(ofScope !== undefined && { id: ofScope }) },
    period: spanOf(period, now),
    format: "html",
    timezone,
    ...(sections.length > 0 && { sections }),
  };
}

function spanOf(period: Period, now: Date) {
  if (period !== "month")
    return { from: new Date(now.getTime() - Number(period) * DAY_MS).toISOString(), to: now.toISOString() };
  const first = (months: number) => new Date(now.getFullYear(), now.getMonth() + months, 1).toISOString();
  return { from: first(-1), to: first(0) };
}
