import type { Survey } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { allowsAll, isSpf, leadsTo, mergeSpf, missingTerms } from "../message/spf/merge-spf.ts";
import { type Phrase, phrase, phrases } from "../shared/phrase.ts";
import { joined } from "./evaluate-txt.ts";
import { type Reading, type Weighed, weigh } from "./weigh.ts";

export interface EvaluateSpfOptions {
  /** Terms that the record must allow. Empty: none is needed, and `whyNone` is the reason. */
  readonly terms: readonly string[];
  readonly whyNone: Phrase;
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
      return { outcome: "missing", problem: phrase("spf.missing", { domain }) };
    }
    if (found.length > 1)
      return { outcome: "wrong", problem: phrase("spf.several", { count: found.length }) };
    const { missing = [], note } = lacking.get(record) ?? {};
    if (missing.length > 0)
      return { outcome: "wrong", problem: phrase("spf.not_allowed", { terms: missing.join(" ") }) };
    return { outcome: "right", note: phrases(note, allowsAll(record) && phrase("spf.allows_all")) };
  };
  const weighed = weigh(observed, joined, read);
  const present = answers.find((records) => records.length > 0) ?? [];
  const isSettled = weighed.outcome === "right" || weighed.outcome === "unknown";
  const suggestion = isSettled ? undefined : mergeSpf(present, terms);
  return { ...weighed, suggestion };
}

interface Lacking {
  readonly missing: readonly string[];
  readonly note: Phrase | undefined;
}

/** Terms that neither the record nor a record that it references allows, within the lookup limit of receivers. */
async function whatIsMissing(survey: Survey, record: string, terms: readonly string[]): Promise<Lacking> {
  let missing = missingTerms(record, terms);
  const waiting = leadsTo(record);
  const seen = new Set<string>();
  let through: Phrase | undefined;
  while (missing.length > 0 && waiting.length > 0 && seen.size < MAX_LOOKUPS) {
    const name = waiting.shift()?.toLowerCase() ?? "";
    if (seen.has(name)) continue;
    seen.add(name);
    const answer = await survey.lookUp(name, "TXT");
    const [next] = answer.kind === "records" ? answer.records.map(joined).filter(isSpf) : [];
    if (next === undefined) continue;
    const left = missingTerms(next, missing);
    if (left.length < missing.length) through = phrase("spf.through", { name: safeDetail(name) });
    missing = left;
    waiting.push(...leadsTo(next));
  }
  return { missing, note: missing.length === 0 ? through : undefined };
}
