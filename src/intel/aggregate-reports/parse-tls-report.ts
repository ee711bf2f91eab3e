import { firstCharacters } from "../../shared/first-characters.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { countLeftOut } from "./left-out.ts";
import type { TlsFailure, TlsPolicy, TlsReport } from "./tls-report.ts";
import { reasonOf, UnreadableError } from "./unreadable-error.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum number of policies and failures together. A longer text would create objects that fill the memory. */
const MAX_ROWS = 20_000;
const MAX_LENGTH = 10_000_000;
/** Limit of policy lines and host names, and of the characters of a text. */
const MAX_LINES = 100;
const MAX_TEXT = 1_000;
const MAX_COUNT = 1_000_000_000_000;

/** A time without a zone. JavaScript would read it as local time. */
const WITHOUT_ZONE = /T[\d:.]+$/;

/**
 * Reads a TLS report (RFC 8460 section 4.4). An unreadable policy or failure is left out and counted with its reason.
 * @throws UnreadableError if the text is no such report, is cut off, does not contain its period, or has more than
 * 20,000 policies and failures
 */
export function parseTlsReport(text: string): TlsReport {
  if (text.length > MAX_LENGTH) throw new UnreadableError(`the JSON has more than ${MAX_LENGTH / 1e6} MB`);
  const report = readJson(text);
  if (!isObject(report) || (!("policies" in report) && !("date-range" in report)))
    throw new UnreadableError("the JSON is not a TLS report");
  const policies = listOf(report.policies);
  const rows = policies.reduce<number>((sum, policy) => sum + 1 + failuresOf(policy).length, 0);
  if (rows > MAX_ROWS)
    throw new UnreadableError(`the report has more than ${MAX_ROWS} policies and failures`);
  const { read, leftOut } = readEach(policies, readPolicy);
  return {
    organizationName: textOf(report, "organization-name") ?? "",
    contactInfo: textOf(report, "contact-info") ?? "",
    reportId: textOf(report, "report-id") ?? "",
    ...readRange(report["date-range"]),
    policies: read,
    leftOut,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableError(
      `the JSON is invalid: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function readPolicy(value: unknown): TlsPolicy {
  const { policy, summary } = objectOf(value);
  const domain = textOf(objectOf(policy), "policy-domain")?.toLowerCase().replace(/\.$/, "");
  if (!domain) throw new UnreadableError("the policy does not name its domain");
  const { read, leftOut } = readEach(failuresOf(value), readFailure);
  return {
    type: textOf(objectOf(policy), "policy-type")?.toLowerCase() ?? "",
    domain,
    policy: textsOf(policy, "policy-string"),
    // RFC 8460 uses both names.
    mxHost: [...textsOf(policy, "mx-host"), ...textsOf(policy, "mx-host-pattern")],
    success: countOf(summary, "total-successful-session-count"),
    failure: countOf(summary, "total-failure-session-count"),
    failures: read,
    leftOut,
  };
}

function readFailure(failure: unknown): TlsFailure {
  const resultType = textOf(objectOf(failure), "result-type")?.toLowerCase();
  if (!resultType) throw new UnreadableError("the failure does not name its result type");
  return withoutUndefined({
    resultType,
    count: countOf(failure, "failed-session-count"),
    sendingMtaIp: textOf(failure, "sending-mta-ip"),
    receivingMxHostname: textOf(failure, "receiving-mx-hostname"),
    receivingMxHelo: textOf(failure, "receiving-mx-helo"),
    receivingIp: textOf(failure, "receiving-ip"),
    // The text of the RFC uses one name, and reporters use both.
    additionalInformation:
      textOf(failure, "additional-information") ?? textOf(failure, "additional-info-uri"),
    failureReasonCode: textOf(failure, "failure-reason-code"),
  });
}

function readEach<T>(values: readonly unknown[], readOne: (value: unknown) => T) {
  const read: T[] = [];
  const leftOut = countLeftOut();
  for (const [index, value] of values.entries()) {
    try {
      read.push(readOne(value));
    } catch (error) {
      leftOut.add(index + 1, reasonOf(error));
    }
  }
  return { read, leftOut: leftOut.total() };
}

function readRange(range: unknown): Pick<TlsReport, "begin" | "end"> {
  const [begin, end] = ["start-datetime", "end-datetime"].map((name) => readTime(textOf(range, name)));
  if (begin === undefined || end === undefined)
    throw new UnreadableError("the report does not contain its period");
  return begin <= end ? { begin, end } : { begin: end, end: begin };
}

function readTime(text = ""): Date | undefined {
  const time = new Date(WITHOUT_ZONE.test(text) ? `${text}Z` : text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Some reporters write numbers as strings. */
function countOf(value: unknown, name: string): number {
  const text = textOf(value, name) ?? "";
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= MAX_COUNT))
    throw new UnreadableError(`${name} is not a valid number of sessions: ${JSON.stringify(text)}`);
  return count;
}

function failuresOf(policy: unknown): readonly unknown[] {
  return listOf(isObject(policy) ? policy["failure-details"] : undefined);
}

/** Reads a list of strings or a single string. Other values are left out. */
function textsOf(value: unknown, name: string): string[] {
  const items = listOf(isObject(value) ? value[name] : undefined).slice(0, MAX_LINES);
  return items.filter((item) => typeof item === "string").map((item) => firstCharacters(item, MAX_TEXT));
}

/** Reads a string or a number; undefined: it is missing, empty, or of another type. */
function textOf(value: unknown, name: string): string | undefined {
  const item = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (typeof item !== "string" && typeof item !== "number") return undefined;
  return firstCharacters(String(item).trim(), MAX_TEXT) || undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new UnreadableError("the value is not a JSON object");
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
