import type { Retention, RetentionTimes } from "../../api/accounts.ts";

/** Times that an account can shorten. */
export const ownTimes = ["content_days", "message_days", "request_days", "sandbox_hours"] as const;
export type OwnTime = (typeof ownTimes)[number];

/** Values of the form; empty: the time of the installation. */
export type TimeFields = Readonly<Record<OwnTime, string>>;

export const unitOf = (name: OwnTime | "audit_days"): "days" | "hours" =>
  name === "sandbox_hours" ? "hours" : "days";

/** All retention times in the order of the page. */
export function timesOf(retention: Retention) {
  const audit = { kept: retention.audit_days, most: retention.audit_days, own: false };
  return [
    ...ownTimes.map((name) => ({ name, unit: unitOf(name), ...retention[name] })),
    { name: "audit_days" as const, unit: unitOf("audit_days"), ...audit },
  ] as const;
}

export const fieldsOf = (retention: Retention): TimeFields =>
  Object.fromEntries(
    ownTimes.map((name) => [name, retention[name].own ? String(retention[name].kept) : ""]),
  ) as unknown as TimeFields;

/** The times of a request. */
export const bodyOf = (fields: TimeFields): RetentionTimes =>
  Object.fromEntries(
    ownTimes.flatMap((name) => (fields[name].trim() === "" ? [] : [[name, Number(fields[name])]])),
  );

/** Times that become shorter, so that data is removed. */
export const shortened = (retention: Retention, fields: TimeFields): OwnTime[] =>
  ownTimes.filter((name) => {
    const { kept, most } = retention[name];
    const next = fields[name].trim() === "" ? most : Number(fields[name]);
    return Number.isFinite(next) && next < kept;
  });
