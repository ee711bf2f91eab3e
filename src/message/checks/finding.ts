/** Severity of a finding, from none to high: `problem` harms the mail for many recipients. */
export const severities = ["ok", "info", "warning", "problem"] as const;
export type Severity = (typeof severities)[number];

/** One finding of a check. */
export interface Finding {
  /** `area.name`, stable for programs. */
  readonly code: string;
  readonly severity: Exclude<Severity, "ok">;
  /** The link, property or field; empty: the mail as a whole. */
  readonly subject: string;
  /** Reason and advice, as one sentence. */
  readonly message: string;
}

/** Result of a check of a mail. */
export interface Check {
  readonly kind: "size" | "links" | "html" | "delivery";
  /** Severity of its worst finding. */
  readonly severity: Severity;
  readonly summary: string;
  /** Worst first; at most 100. */
  readonly findings: Finding[];
  readonly findings_count: number;
}

const MAX_FINDINGS = 100;
const MAX_SUBJECT_LENGTH = 300;

/** @param summaryOf a sentence about the check as a whole */
export function checkOf(
  kind: Check["kind"],
  findings: readonly Finding[],
  summaryOf: (severity: Severity) => string,
): Check {
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  const sorted = findings.toSorted((one, other) => rank(other) - rank(one));
  const severity = sorted[0]?.severity ?? "ok";
  const shown = sorted.slice(0, MAX_FINDINGS);
  return {
    kind,
    severity,
    summary: summaryOf(severity),
    findings: shown.map((one) => ({ ...one, subject: one.subject.slice(0, MAX_SUBJECT_LENGTH) })),
    findings_count: findings.length,
  };
}
