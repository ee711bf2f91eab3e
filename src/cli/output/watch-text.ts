import type { Check, WatchedDomain } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { Colour, Paint } from "./paint.ts";
import { alignRows, factLines } from "./table.ts";
import { plainTime, printable, shortened } from "./text.ts";

const colours: Readonly<Record<string, Colour>> = {
  healthy: "green",
  warning: "yellow",
  critical: "red",
  error: "red",
  pending: "cyan",
  paused: "dim",
  info: "cyan",
};

/** The status of a watched domain in its color. */
export function paintSeverity(paint: Paint, status: string): string {
  const colour = colours[status];
  return colour ? paint(colour, printable(status)) : printable(status);
}

export function scoreText(score: number | undefined): string {
  return score === undefined ? "-" : String(Math.round(score * 10) / 10);
}

/** Rounded down, so that 100 % means all. */
export function percentText(share: number | undefined): string {
  return share === undefined ? "-" : `${Math.floor(share * 100)} %`;
}

/** For example `2 critical, 1 warning`. */
export function findingsText({ findings }: Pick<WatchedDomain, "findings">): string {
  const { critical = 0, warning = 0, info = 0 } = findings ?? {};
  const counts = Object.entries({ critical, warning, info }).filter(([, count]) => count > 0);
  return counts.map(([severity, count]) => `${count} ${severity}`).join(", ") || "none";
}

/** A watched domain for people: its status, its findings in order of importance with fixes, and unmeasured checks. */
export function describeWatched(paint: Paint, domain: WatchedDomain, clientName: string): string {
  const { name, nameUnicode, status, score, grade, coverage } = domain;
  const shownName = nameUnicode === name ? name : `${name} (${nameUnicode})`;
  const graded = grade === undefined ? "provisional: too few checks are measured" : grade;
  const scored = score === undefined ? "no score yet" : `score ${score} (${graded})`;
  return [
    `${paint("bold", printable(shownName))}  ${paintSeverity(paint, status)}  ${scored}, coverage ${percentText(coverage)}`,
    ...factLines(paint, factsOf(domain, clientName)),
    ...findingLines(paint, domain),
    ...unmeasuredLines(paint, domain.checks),
  ].join("\n");
}

function factsOf(domain: WatchedDomain, clientName: string): [string, string][] {
  const { id, clientId, role, dkimSelectors, sendingIps, scoreDelta7d: delta } = domain;
  const { dmarcReportAddress, tlsReportAddress } = domain;
  return [
    ["Id", id],
    ["Client", clientName === "" ? clientId : `${clientName} (${clientId})`],
    ["Role", role],
    ["Selectors", dkimSelectors.join(", ")],
    ["Sends from", sendingIps.join(", ")],
    ["7-day change", delta === undefined ? "" : `${delta > 0 ? "+" : ""}${delta}`],
    ["Blacklisted", domain.listingsOpen === 0 ? "" : String(domain.listingsOpen)],
    ["Reports to", [dmarcReportAddress, tlsReportAddress].filter(Boolean).join(", ")],
    ["Reported", plainTime(domain.reportedAt)],
    ["Checked", plainTime(domain.checkedAt) || "not yet"],
    ["Next check", plainTime(domain.nextCheckAt) || "none: it is paused"],
    ["Error", domain.lastError ?? ""],
  ];
}

const ranks = ["critical", "warning", "info"];

/** Findings with the most points to gain first, then by severity and lost points. */
function findingLines(paint: Paint, { checks, topFindings }: WatchedDomain): string[] {
  const gains = new Map(topFindings.map(({ checkId, gain }) => [checkId, gain]));
  const positionOf = ({ id }: Check) => {
    const position = [...gains.keys()].indexOf(id);
    return position < 0 ? gains.size : position;
  };
  const lostBy = ({ weight, points = weight }: Check) => weight - points;
  const findings = checks
    .filter(({ severity }) => severity !== undefined)
    .toSorted(
      (one, other) =>
        positionOf(one) - positionOf(other) ||
        ranks.indexOf(one.severity ?? "") - ranks.indexOf(other.severity ?? "") ||
        lostBy(other) - lostBy(one),
    );
  if (findings.length === 0) return [];
  const lines = findings.flatMap((check) => ["", ...findingText(paint, check, gains.get(check.id))]);
  return ["", paint("bold", "Findings, most important first"), ...lines];
}

function findingText(paint: Paint, check: Check, gain: number | undefined): string[] {
  const { id, severity = "", title, observed, expected, fix, reference, mutedUntil } = check;
  const worth = gain === undefined ? "" : `  +${Math.round(gain * 10) / 10} points`;
  const muted = mutedUntil ? `  muted until ${plainTime(mutedUntil)}` : "";
  const { text = "", record } = fix ?? {};
  return [
    `  ${paintSeverity(paint, severity)}  ${printable(title)} (${printable(id)})${worth}${muted}`,
    ...[observed, `Expected: ${expected}`, text && `Fix: ${text}`]
      .filter((line) => line !== "")
      .map((line) => `    ${printable(line)}`),
    // Unchanged, to paste into a zone file.
    ...(record ? [`    ${printable(record.zoneFile)}`] : []),
    `    ${paint("dim", printable(reference))}`,
  ];
}

const MAX_REASON_LENGTH = 160;

function unmeasuredLines(paint: Paint, checks: readonly Check[]): string[] {
  const unmeasured = checks.filter(({ points, weight }) => points === undefined && weight > 0);
  if (unmeasured.length === 0) return [];
  const rows = unmeasured.map(({ id, status, observed, unconfirmedStatus }) => [
    ...[`  ${printable(id)}`, status === "error" ? "error" : "not tested"],
    shortened(printable(observed), MAX_REASON_LENGTH) +
      (unconfirmedStatus ? ` Unconfirmed: ${unconfirmedStatus}.` : ""),
  ]);
  return ["", paint("bold", "Not measured"), ...alignRows(rows)];
}
