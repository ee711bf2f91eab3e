import type { z } from "zod";
import { alertSeverity } from "../../../contracts/common/alert-schemas.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

export type Severity = z.infer<typeof alertSeverity>;

/** The severity that a source's word stands for. */
export type SeverityOf = (text: unknown) => Severity;

const usual = new Map<string, Severity>([
  ...["fatal", "emergency", "page", "p1", "critical", "error", "high", "alert"].map(
    (text) => [text, "critical"] as const,
  ),
  ...["warning", "warn", "medium", "p2", "p3"].map((text) => [text, "warning"] as const),
]);
const MAX_WORDS = 50;

/**
 * Severities of words, unless the URL of a source defines others.
 * @param given such as `sev1:critical,error:warning,*:info`; `*`: all other words, and a missing word
 * @throws Fault request.validation_failed
 */
export function readSeverities(given: unknown): SeverityOf {
  const own = new Map(given === undefined ? [] : readPairs(given));
  return (value) => {
    const text = typeof value === "string" ? value.trim().toLowerCase() : "";
    return own.get(text) ?? usual.get(text) ?? own.get("*") ?? "info";
  };
}

function readPairs(given: unknown): [string, Severity][] {
  const parts = typeof given === "string" ? given.split(",") : [""];
  const pairs = parts.slice(0, MAX_WORDS).map((part): [string, Severity] => {
    const end = part.lastIndexOf(":");
    const severity = alertSeverity.options.find((one) => one === part.slice(end + 1).trim());
    if (end < 1 || !severity) throw malformed();
    return [part.slice(0, end).trim().toLowerCase(), severity];
  });
  if (parts.length > MAX_WORDS) throw malformed();
  return pairs;
}

function malformed() {
  const message = say("severity_list", { allowed: alertSeverity.options, max: MAX_WORDS });
  return validationFault([{ pointer: "/severity", code: "field.invalid", message }]);
}
