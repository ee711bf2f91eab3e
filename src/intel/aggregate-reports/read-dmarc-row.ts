import ipaddr from "ipaddr.js";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { DmarcRow } from "./dmarc-report.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { elementOf, elementsOf, textOf, type XmlElement } from "./xml-element.ts";

/** A larger number is not a plausible count and would distort all totals. */
const MAX_COUNT = 1_000_000_000_000;
/** Limit of signatures and override reasons of one row. */
const MAX_RESULTS = 100;

/**
 * Reads a `record` of a report (RFC 9990 appendix A, RFC 7489 appendix C). Descriptive fields may be missing.
 * @throws UnreadableError without an address, a count or the evaluated policy
 */
export function readDmarcRow(record: XmlElement): DmarcRow {
  const row = elementOf(record, "row");
  const sourceIp = readAddress(textOf(row, "source_ip"));
  const count = readCount(textOf(row, "count"));
  const evaluated = elementOf(row, "policy_evaluated");
  if (evaluated === undefined) throw new UnreadableError("the row does not contain the evaluated policy");
  // The name from a draft, which some reporters still use.
  const identifiers = elementOf(record, "identifiers") ?? elementOf(record, "identities");
  const results = elementOf(record, "auth_results");

  return withoutUndefined({
    sourceIp,
    count,
    disposition: textIn(evaluated, "disposition") || "none",
    dkimAligned: textIn(evaluated, "dkim") === "pass",
    spfAligned: textIn(evaluated, "spf") === "pass",
    overrides: resultsOf(evaluated, "reason").map((reason) =>
      withoutUndefined({
        type: textIn(reason, "type") || "other",
        comment: textOf(reason, "comment") || undefined,
      }),
    ),
    headerFrom: textIn(identifiers, "header_from") ?? "",
    envelopeFrom: textIn(identifiers, "envelope_from"),
    envelopeTo: textIn(identifiers, "envelope_to") || undefined,
    dkim: resultsOf(results, "dkim").map((dkim) =>
      withoutUndefined({ ...readResult(dkim), selector: textOf(dkim, "selector") || undefined }),
    ),
    spf: resultsOf(results, "spf").map((spf) =>
      withoutUndefined({ ...readResult(spf), scope: textIn(spf, "scope") || "mfrom" }),
    ),
  });
}

/** The text of the element in lower case; undefined: it is missing. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  return textOf(element, name)?.toLowerCase();
}

function resultsOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(element, name).slice(0, MAX_RESULTS);
}

function readResult(result: XmlElement) {
  return {
    domain: textIn(result, "domain") ?? "",
    result: textIn(result, "result") || "none",
    humanResult: textOf(result, "human_result") || undefined,
  };
}

function readAddress(text = ""): string {
  // Full addresses only: the library also accepts 127.1.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !(text.includes(":") && ipaddr.IPv6.isValid(text)))
    throw new UnreadableError(`source_ip is not an IP address: ${JSON.stringify(text)}`);
  return ipaddr.process(text).toString();
}

function readCount(text = ""): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= MAX_COUNT))
    throw new UnreadableError(`count is not a valid number of messages: ${JSON.stringify(text)}`);
  return count;
}
