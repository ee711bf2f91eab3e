import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type Fields, field, readHeader } from "./fields.ts";
import { type DeliveryReport, MAX_REPORTED_RECIPIENTS, type RecipientReport } from "./report.ts";
import { findStatus, readMessageId, readReportAddress } from "./report-values.ts";
import { decodeOctets, safeText } from "./safe-text.ts";
import { DELAY, TEXT_DIALECTS, type TextDialect } from "./text-dialects.ts";

const MAX_TEXT_LENGTH = 50_000;
const MAX_LINES = 2_000;
const MAX_LINE_LENGTH = 1_000;
/** The introduction comes first; later text may only quote a bounce. */
const MAX_INTRO_LINES = 25;
const MAX_WORDS_LINES = 30;

const FROM_A_HOST = /mailer-daemon|postmaster|mail delivery (?:sub)?system|microsoftexchange/i;

/** Parses a bounce for people by its header and its text; undefined if it is none. */
export function readTextBounce(header: Fields, text: string): DeliveryReport | undefined {
  if (!isAutomatic(header)) return undefined;
  const lines = decodeOctets(text.slice(0, MAX_TEXT_LENGTH))
    .split("\n", MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trimEnd());
  const dialect = TEXT_DIALECTS.find(({ intro }) =>
    lines.slice(0, MAX_INTRO_LINES).some((line) => intro.test(line)),
  );
  const stop = dialect ? lines.findIndex((line) => dialect.stop.test(line)) : -1;
  const reportLines = stop === -1 ? lines : lines.slice(0, stop);
  const failures = dialect ? readFailures(dialect, reportLines) : new Map<string, string[]>();
  // Exim and Gmail list the recipients of the text in the header, also if the text has another language.
  for (const address of failedRecipients(header)) if (!failures.has(address)) failures.set(address, []);
  if (failures.size === 0) return undefined;
  const action = reportLines.some((line) => DELAY.test(line)) ? "delayed" : "failed";
  const perRecipient = [...failures]
    .slice(0, MAX_REPORTED_RECIPIENTS)
    .map(([address, words]) => readFailure(dialect, address, words, action));
  return withoutUndefined({
    kind: "dsn" as const,
    perRecipient,
    reportingMta: safeText(captured(reportLines, dialect?.reportingMta)),
    originalMessageId: stop === -1 ? undefined : returnedMessageId(lines.slice(stop + 1)),
  });
}

function isAutomatic(header: Fields): boolean {
  if (header.has("x-failed-recipients") || FROM_A_HOST.test(field(header, "from") ?? "")) return true;
  if (field(header, "return-path")?.replaceAll(" ", "") === "<>") return true;
  return /^auto-(?:generated|replied)/i.test(field(header, "auto-submitted") ?? "");
}

function failedRecipients(header: Fields): string[] {
  const values = header.get("x-failed-recipients")?.flatMap((value) => value.split(",")) ?? [];
  const addresses = values.slice(0, MAX_REPORTED_RECIPIENTS).map(readReportAddress);
  return addresses.filter((address) => address !== undefined).filter((address) => address.includes("@"));
}

/** The text about each address: from its line on, to the end of the paragraph. */
function readFailures(dialect: TextDialect, lines: readonly string[]): Map<string, string[]> {
  const failures = new Map<string, string[]>();
  const begin = dialect.begin ? lines.findIndex((line) => dialect.begin?.test(line)) + 1 : 0;
  let words: string[] | undefined;
  for (const line of lines.slice(begin)) {
    const [, found, rest = ""] = dialect.address.exec(line) ?? [];
    const address = found?.includes("@") && !found.includes(" ") ? readReportAddress(found) : undefined;
    if (found !== undefined && address === undefined) {
      words = undefined;
    } else if (address !== undefined) {
      words = failures.get(address) ?? [];
      failures.set(address, words);
      if (rest !== "") words.push(rest);
    } else if (line.trim() !== "") {
      if (words && words.length < MAX_WORDS_LINES) words.push(line.trim());
    } else if (words && words.length > 0 && !dialect.severalParagraphs) {
      words = undefined;
    }
    if (failures.size > MAX_REPORTED_RECIPIENTS) break;
  }
  return failures;
}

function readFailure(
  dialect: TextDialect | undefined,
  finalRecipient: string,
  words: readonly string[],
  action: RecipientReport["action"],
): RecipientReport {
  const diagnosticCode = safeText(words.join(" "));
  return withoutUndefined({
    finalRecipient,
    action,
    status: findStatus(diagnosticCode),
    diagnosticCode,
    remoteMta: safeText(captured(words, dialect?.remoteMta)),
  });
}

function returnedMessageId(lines: readonly string[]): string | undefined {
  const start = lines.findIndex((line) => line !== "");
  return start === -1
    ? undefined
    : readMessageId(field(readHeader(lines.slice(start).join("\n")), "message-id"));
}

function captured(lines: readonly string[], expression: RegExp | undefined): string | undefined {
  if (!expression) return undefined;
  for (const line of lines) {
    const match = expression.exec(line);
    if (match) return match.slice(1).find((group) => group !== undefined);
  }
  return undefined;
}
