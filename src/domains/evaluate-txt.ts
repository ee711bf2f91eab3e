import type { Survey } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { NO_PHRASE, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import { explainValue, shortened } from "./explain-value.ts";
import type { WantedRecord } from "./wanted-records.ts";
import { type Reading, type Weighed, type WitnessFacts, weigh } from "./weigh.ts";

/** Joins the strings of one TXT record, as its readers do (RFC 7208 section 3.3, RFC 6376 section 3.6.2.2). */
export const joined = (strings: readonly string[]) => strings.join("");

export interface EvaluateTxtOptions {
  /** Whether a value is equivalent to the expected one. */
  readonly isRight: (value: string) => boolean;
  /** The record must be the only one of its name. */
  readonly alone: boolean;
  readonly domain: string;
}

/** Judges a TXT record with a fixed value, and explains a missing or wrong one. */
export async function evaluateTxt(
  survey: Survey,
  { name, value }: Pick<WantedRecord, "name" | "value">,
  { isRight, alone, domain }: EvaluateTxtOptions,
): Promise<Weighed> {
  const observed = await survey.observe(name, "TXT");
  const read = (records: readonly (readonly string[])[], facts: WitnessFacts): Reading => {
    const values = records.map(joined);
    if (values.length === 0) return { outcome: "missing", problem: missing(name, facts) };
    const through =
      facts.alias === undefined ? NO_PHRASE : phrase("txt.through_alias", { alias: safeDetail(facts.alias) });
    if (values.some(isRight) && (!alone || values.length === 1)) return { outcome: "right", note: through };
    if (values.some(isRight))
      return { outcome: "wrong", problem: phrase("txt.several", { count: values.length }) };
    const known = values.map((found) => explainValue(value, found)).find((fault) => fault !== undefined);
    const [first = ""] = values;
    const other = phrase(alone ? "txt.other_value" : "txt.other_value_beside", {
      value: shortened(safeDetail(first)),
    });
    return { outcome: "wrong", problem: phrases(known ?? other, through) };
  };
  const weighed = weigh(observed, joined, read);
  if (weighed.outcome !== "missing") return weighed;
  const elsewhere = await findElsewhere(survey, name, domain, isRight);
  return elsewhere === undefined ? weighed : { ...weighed, problem: elsewhere };
}

function missing(name: string, { alias }: WitnessFacts): Phrase {
  if (alias !== undefined) return phrase("txt.missing_at_alias", { alias: safeDetail(alias) });
  return phrase("txt.missing", { name });
}

/** Finds a record at a wrong name: the full name was entered although the provider appends the domain, or vice versa. */
async function findElsewhere(
  survey: Survey,
  name: string,
  domain: string,
  isRight: (value: string) => boolean,
): Promise<Phrase | undefined> {
  const label = shortened(name.slice(0, -domain.length - 1));
  const twice = `${name}.${domain}`;
  const candidates = [
    { at: twice, fault: phrase("txt.domain_twice", { found: twice, label }) },
    { at: domain, fault: phrase("txt.at_domain", { found: domain, label, name }) },
  ];
  for (const { at, fault } of candidates) {
    const answer = await survey.lookUp(at, "TXT");
    if (answer.kind === "records" && answer.records.map(joined).some(isRight)) return fault;
  }
  return undefined;
}
