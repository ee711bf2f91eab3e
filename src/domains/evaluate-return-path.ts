import type { MxRecord } from "../dns/records.ts";
import type { Survey } from "../dns/survey.ts";
import { RETURN_PATH_LABEL } from "../message/dsn/return-path.ts";
import { safeDetail } from "../message/replies/outcome.ts";
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
export function misled(target: string, { value }: WantedRecord, domain: string): string {
  if (target === `${value}.${domain}`)
    return "The domain was appended to the target of the alias. Enter the target with a dot at its end.";
  return `The alias points to ${safeDetail(target)} instead of ${value}.`;
}

const takesMail = (records: readonly MxRecord[]) =>
  records.some(({ exchange }) => exchange !== "." && exchange !== "");

function readMx({ name }: WantedRecord) {
  return (records: readonly MxRecord[]): Reading => {
    if (takesMail(records)) return { outcome: "right" };
    const problem = `${name} has no MX record, so bounces do not arrive. The operator of this installation has to publish it.`;
    return { outcome: "missing", problem };
  };
}

function readAlias({ name, value }: WantedRecord) {
  return (records: readonly MxRecord[], { alias }: { readonly alias: string | undefined }): Reading => {
    if (alias === value) {
      if (takesMail(records)) return { outcome: "right" };
      const problem = `The alias is correct, but ${value} has no MX record. The operator of this installation has to publish it.`;
      return { outcome: "wrong", problem };
    }
    if (records.length > 0) {
      const problem = `${name} has its own MX records. Replace them with the alias (CNAME).`;
      return { outcome: "wrong", problem };
    }
    const problem = `The name ${name} has no alias (CNAME). Most providers expect ${RETURN_PATH_LABEL} as the name.`;
    return { outcome: "missing", problem };
  };
}
