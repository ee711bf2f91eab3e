import type { Survey } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { formatTags, parseTags } from "../message/tag-list.ts";
import { joined } from "./evaluate-txt.ts";
import { explainValue, quoted } from "./explain-value.ts";
import { type Reading, type Weighed, weigh } from "./weigh.ts";

export interface EvaluatedDmarc extends Weighed {
  readonly suggestion: string | undefined;
}

/** RFC 9989 section 4.10: maximum number of queries of a receiver. */
const MAX_QUERIES = 8;
const POLICIES = ["none", "quarantine", "reject"];

/** Receivers discard a record that does not begin exactly like this (RFC 9989 section 4.7). */
const isDmarc = (value: string) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(value);

/** Judges whether a DMARC policy applies to a domain: its own, or that of a domain above it. */
export async function evaluateDmarc(survey: Survey, domain: string, wanted: string): Promise<EvaluatedDmarc> {
  const observed = await survey.observe(`_dmarc.${domain}`, "TXT");
  const read = (records: readonly (readonly string[])[]): Reading => {
    const values = records.map(joined);
    const found = values.filter(isDmarc);
    const [record, another] = found;
    if (another !== undefined) {
      const problem = `There are ${found.length} DMARC records, so receivers use none of them. Keep one.`;
      return { outcome: "wrong", problem };
    }
    if (record !== undefined) return readPolicy(record);
    const [other] = values;
    if (other === undefined)
      return { outcome: "missing", problem: `There is no DMARC record at _dmarc.${domain}.` };
    const problem =
      explainValue(wanted, other) ??
      (/^"?v\s*=\s*dmarc1/i.test(other)
        ? "The record does not begin with exactly v=DMARC1, so receivers ignore it."
        : `The name has a record that is not a DMARC record: ${quoted(safeDetail(other))}.`);
    return { outcome: "wrong", problem };
  };
  const weighed = weigh(observed, joined, read);
  if (weighed.outcome === "right" || weighed.outcome === "unknown")
    return { ...weighed, suggestion: undefined };
  if (weighed.outcome === "missing") {
    const above = await findAbove(survey, domain);
    if (above) return { ...weighed, outcome: "right", problem: "", note: above, suggestion: undefined };
    return { ...weighed, suggestion: wanted };
  }
  const present = [...observed.witnesses, { answer: observed.resolver }].flatMap(({ answer }) =>
    answer.kind === "records" ? answer.records.map(joined).filter(isDmarc) : [],
  );
  return { ...weighed, suggestion: repaired(present[0]) ?? wanted };
}

function readPolicy(record: string): Reading {
  const tags = parseTags(record);
  if (!tags)
    return {
      outcome: "wrong",
      problem:
        "The DMARC record cannot be parsed. Write each tag once, as name=value, separated by semicolons.",
    };
  const policy = tags.get("p")?.toLowerCase() ?? "none";
  if (!POLICIES.includes(policy)) {
    const problem = `The DMARC policy p=${safeDetail(policy)} is invalid. It must be none, quarantine or reject.`;
    return { outcome: "wrong", problem };
  }
  return { outcome: "right", note: `The policy is p=${policy}.` };
}

/** The existing record with an effective policy; undefined: there is nothing to keep. */
function repaired(record: string | undefined): string | undefined {
  const tags = record === undefined ? undefined : parseTags(record);
  if (!tags) return undefined;
  if (!POLICIES.includes(tags.get("p")?.toLowerCase() ?? "none")) tags.set("p", "none");
  return formatTags(tags);
}

/** A sentence about the domain above with a policy, which applies to the domains below it. */
async function findAbove(survey: Survey, domain: string): Promise<string | undefined> {
  const labels = domain.split(".");
  // The first query was for the domain itself. A long name continues with its last seven labels.
  const start = labels.length >= MAX_QUERIES ? labels.length - (MAX_QUERIES - 1) : 1;
  for (let at = start; at < labels.length; at++) {
    const name = labels.slice(at).join(".");
    const answer = await survey.lookUp(`_dmarc.${name}`, "TXT");
    const found = answer.kind === "records" ? answer.records.map(joined).filter(isDmarc) : [];
    const [record] = found;
    if (record === undefined || found.length > 1) continue;
    const tags = parseTags(record);
    // The record of a public suffix applies only to names directly below it, and never to ours.
    if (!tags || tags.get("psd")?.toLowerCase() === "y") return undefined;
    const policy = tags.get("sp") ?? tags.get("p") ?? "none";
    return `The DMARC policy of ${name} also applies here: ${safeDetail(policy)}.`;
  }
  return undefined;
}
