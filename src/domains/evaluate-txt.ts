import type { Survey } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { explainValue, quoted } from "./explain-value.ts";
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
      facts.alias === undefined ? "" : `The answer uses the alias (CNAME) ${safeDetail(facts.alias)}.`;
    if (values.some(isRight) && (!alone || values.length === 1)) return { outcome: "right", note: through };
    if (values.some(isRight)) {
      const problem = `There are ${values.length} TXT records with this name, so receivers use none of them. Remove all but the expected record.`;
      return { outcome: "wrong", problem };
    }
    const known = values.map((found) => explainValue(value, found)).find((words) => words !== undefined);
    const [first = ""] = values;
    const other = `The record has another value: ${quoted(safeDetail(first))}. Replace it with the expected value.`;
    const added = `The existing record has another value: ${quoted(safeDetail(first))}. Add the expected value as a separate record.`;
    return {
      outcome: "wrong",
      problem: [known ?? (alone ? other : added), through].filter(Boolean).join(" "),
    };
  };
  const weighed = weigh(observed, joined, read);
  if (weighed.outcome !== "missing") return weighed;
  const elsewhere = await findElsewhere(survey, name, domain, isRight);
  return elsewhere === undefined ? weighed : { ...weighed, problem: elsewhere };
}

function missing(name: string, { alias }: WitnessFacts): string {
  if (alias !== undefined)
    return `The alias (CNAME) points to ${safeDetail(alias)}, which has no TXT record.`;
  return `There is no TXT record with the name ${name}.`;
}

/** Finds a record at a wrong name: the full name was entered although the provider appends the domain, or vice versa. */
async function findElsewhere(
  survey: Survey,
  name: string,
  domain: string,
  isRight: (value: string) => boolean,
): Promise<string | undefined> {
  const short = name.slice(0, -domain.length - 1);
  const candidates = [
    {
      at: `${name}.${domain}`,
      words: `The domain was entered twice: the record was found at ${name}.${domain}. Enter ${quoted(short)} as the name. The provider appends the domain.`,
    },
    {
      at: domain,
      words: `The record was found at ${domain} itself. Its name must be ${quoted(short)} (${name}).`,
    },
  ];
  for (const { at, words } of candidates) {
    const answer = await survey.lookUp(at, "TXT");
    if (answer.kind === "records" && answer.records.map(joined).some(isRight)) return words;
  }
  return undefined;
}
