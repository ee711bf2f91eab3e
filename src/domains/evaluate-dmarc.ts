import type { Survey } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { formatTags, parseTags } from "../message/tag-list.ts";
import { NO_PHRASE, type Phrase, phrase } from "../shared/phrase.ts";
import { joined } from "./evaluate-txt.ts";
import { explainValue, shortened } from "./explain-value.ts";
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
    if (another !== undefined)
      return { outcome: "wrong", problem: phrase("dmarc.several", { count: found.length }) };
    if (record !== undefined) return readPolicy(record);
    const [other] = values;
    if (other === undefined)
      return { outcome: "missing", problem: phrase("dmarc.missing", { name: `_dmarc.${domain}` }) };
    const problem =
      explainValue(wanted, other) ??
      (/^"?v\s*=\s*dmarc1/i.test(other)
        ? phrase("dmarc.beginning")
        : phrase("dmarc.other_record", { value: shortened(safeDetail(other)) }));
    return { outcome: "wrong", problem };
  };
  const weighed = weigh(observed, joined, read);
  if (weighed.outcome === "right" || weighed.outcome === "unknown")
    return { ...weighed, suggestion: undefined };
  if (weighed.outcome === "missing") {
    const above = await findAbove(survey, domain);
    if (above)
      return { ...weighed, outcome: "right", problem: NO_PHRASE, note: above, suggestion: undefined };
    return { ...weighed, suggestion: wanted };
  }
  const present = [...observed.witnesses, { answer: observed.resolver }].flatMap(({ answer }) =>
    answer.kind === "records" ? answer.records.map(joined).filter(isDmarc) : [],
  );
  return { ...weighed, suggestion: repaired(present[0]) ?? wanted };
}

function readPolicy(record: string): Reading {
  const tags = parseTags(record);
  if (!tags) return { outcome: "wrong", problem: phrase("dmarc.not_parsed") };
  const policy = tags.get("p")?.toLowerCase() ?? "none";
  if (!POLICIES.includes(policy))
    return { outcome: "wrong", problem: phrase("dmarc.policy_invalid", { policy: safeDetail(policy) }) };
  return { outcome: "right", note: phrase("dmarc.policy", { policy }) };
}

/** The existing record with an effective policy; undefined: there is nothing to keep. */
function repaired(record: string | undefined): string | undefined {
  const tags = record === undefined ? undefined : parseTags(record);
  if (!tags) return undefined;
  if (!POLICIES.includes(tags.get("p")?.toLowerCase() ?? "none")) tags.set("p", "none");
  return formatTags(tags);
}

/** A sentence about the domain above with a policy, which applies to the domains below it. */
async function findAbove(survey: Survey, domain: string): Promise<Phrase | undefined> {
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
    return phrase("dmarc.above", { name, policy: safeDetail(policy) });
  }
  return undefined;
}
