import type { MxRecord } from "../dns/records.ts";
import type { Survey } from "../dns/survey.ts";
import { RETURN_PATH_LABEL } from "../message/dsn/return-path.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import type { WantedRecord } from "./wanted-records.ts";
import { type Reading, type Weighed, weigh } from "./weigh.ts";

/** Judges whether bounces to a return path domain arrive: by its own MX, or by an alias of a domain with MX records. */
export async function evaluateReturnPath(
  survey: Survey,
  wanted: WantedRecord,
  domain: string,
): Promise<Weighed> {
  const observed = await survey.observe(wanted.name, "MX");
  const show = ({ preference, exchange }: MxRecord) => `${preference} ${exchange}`;
  const read = wanted.type === "CNAME" ? readAlias(wanted) : readMx(wanted);
  const weighed = weigh(observed, show, read);
  const [target] = observed.aliases;
  // The contents of another target do not matter.
  if (wanted.type !== "CNAME" || target === undefined || observed.aliases.includes(wanted.value))
    return weighed;
  return { ...weighed, outcome: "wrong", authoritative: true, problem: misled(target, wanted, domain) };
}

/** The problem of an alias with a wrong target. */
export function misled(target: string, { value }: WantedRecord, domain: string): Phrase {
  if (target === `${value}.${domain}`) return phrase("alias.domain_appended");
  return phrase("alias.other_target", { target: safeDetail(target), value });
}

const takesMail = (records: readonly MxRecord[]) =>
  records.some(({ exchange }) => exchange !== "." && exchange !== "");

function readMx({ name }: WantedRecord) {
  return (records: readonly MxRecord[]): Reading => {
    if (takesMail(records)) return { outcome: "right" };
    return { outcome: "missing", problem: phrase("return_path.no_mx", { name }) };
  };
}

function readAlias({ name, value }: WantedRecord) {
  return (records: readonly MxRecord[], { alias }: { readonly alias: string | undefined }): Reading => {
    if (alias === value) {
      if (takesMail(records)) return { outcome: "right" };
      return { outcome: "wrong", problem: phrase("return_path.target_without_mx", { value }) };
    }
    if (records.length > 0) return { outcome: "wrong", problem: phrase("return_path.own_mx", { name }) };
    const problem = phrase("return_path.missing", { name, label: RETURN_PATH_LABEL });
    return { outcome: "missing", problem };
  };
}
