import type { Survey } from "../dns/survey.ts";
import { allowsAll, isSpf, leadsTo, mergeSpf, missingTerms } from "../message/spf/merge-spf.ts";
import { joined } from "./evaluate-txt.ts";
import { type Reading, type Weighed, weigh } from "./weigh.ts";

export interface EvaluateSpfOptions {
  /** Terms that the record must allow. Empty: none is needed, and `whyNone` is the reason. */
  readonly terms: readonly string[];
  readonly whyNone: string;
}

export interface EvaluatedSpf extends Weighed {
  readonly suggestion: string | undefined;
}

/** RFC 7208 section 4.6.4. */
const MAX_LOOKUPS = 10;
/** Maximum number of different records that name servers may answer while a change propagates. */
const MAX_VARIANTS = 3;

/**
 * Judges whether the domain's only SPF record allows this installation to send, and builds the record to publish if
 * it does not.
 */
export async function evaluateSpf(
  survey: Survey,
  domain: string,
  { terms, whyNone }: EvaluateSpfOptions,
): Promise<EvaluatedSpf> {
  const observed = await survey.observe(domain, "TXT");
  const answers = [...observed.witnesses, { answer: observed.resolver }].flatMap(({ answer }) =>
    answer.kind === "records" ? [answer.records.map(joined).filter(isSpf)] : [],
  );
  const lacking = new Map<string, Lacking>();
  for (const record of [...new Set(answers.flat())].slice(0, MAX_VARIANTS))
    lacking.set(record, await whatIsMissing(survey, record, terms));

  const read = (records: readonly (readonly string[])[]): Reading => {
    const found = records.map(joined).filter(isSpf);
    const [record] = found;
    if (record === undefined) {
      if (terms.length === 0) return { outcome: "right", note: whyNone };
      return {
        outcome: "missing",
        problem: `${domain} has no SPF record (a TXT record that begins with v=spf1).`,
      };
    }
    if (found.length > 1) {
      const problem = `There are ${found.length} SPF records, so receivers use none of them. Replace them with one record that combines them.`;
      return { outcome: "wrong", problem };
    }
    const { missing = [], note = "" } = lacking.get(record) ?? {};
    if (missing.length > 0) {
      const problem = `The SPF record does not allow this installation to send. Add ${missing.join(" ")} to the existing record. Do not publish a second record.`;
      return { outcome: "wrong", problem };
    }
    const open = allowsAll(record) ? "The record ends in +all, which allows every sender." : "";
    return { outcome: "right", note: [note, open].filter(Boolean).join(" ") };
  };
  const weighed = weigh(observed, joined, read);
  const present = answers.find((records) => records.length > 0) ?? [];
  const isSettled = weighed.outcome === "right" || weighed.outcome === "unknown";
  const suggestion = isSettled ? undefined : mergeSpf(present, terms);
  return { ...weighed, suggestion };
}

interface Lacking {
  readonly missing: readonly string[];
  readonly note: string;
}

/** Terms that neither the record nor a record that it references allows, within the lookup limit of receivers. */
async function whatIsMissing(survey: Survey, record: string, terms: readonly string[]): Promise<Lacking> {
  let missing = missingTerms(record, terms);
  const waiting = leadsTo(record);
  const seen = new Set<string>();
  let through = "";
  while (missing.length > 0 && waiting.length > 0 && seen.size < MAX_LOOKUPS) {
    const name = waiting.shift()?.toLowerCase() ?? "";
    if (seen.has(name)) continue;
    seen.add(name);
    const answer = await survey.lookUp(name, "TXT");
    const [next] = answer.kind === "records" ? answer.records.map(joined).filter(isSpf) : [];
    if (next === undefined) continue;
    const left = missingTerms(next, missing);
    if (left.length < missing.length) through = `It allows this installation through ${name}.`;
    missing = left;
    waiting.push(...leadsTo(next));
  }
  return { missing, note: missing.length === 0 ? through : "" };
}
