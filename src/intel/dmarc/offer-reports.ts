import { phrase, phrases } from "../../shared/phrase.ts";
import type { CheckId } from "../catalogue.ts";
import { type CheckResult, fixFields, observedFields } from "../check-result.ts";
import { askDestination } from "./authorise-reports.ts";
import { checkDmarc, type DmarcCheck } from "./check-dmarc.ts";
import { walkDmarc } from "./walk-dmarc.ts";

export interface OfferingCheck extends Omit<DmarcCheck, "reportAddress"> {
  /** Hermod's address for reports about the domain; undefined: Hermod receives none. */
  readonly reportAddress: string | undefined;
}

/** Checks with a fix that requests reports. */
const ASKING: readonly CheckId[] = ["auth.dmarc.exists", "auth.dmarc.rua"];

/**
 * Runs every `auth.dmarc.*` check. The fixes propose an address of Hermod if receivers would send reports there: its
 * domain has to agree (RFC 9990 section 4). If it has not agreed, the results name the missing record.
 */
export async function checkDmarcWithOffer({
  reportAddress,
  ...check
}: OfferingCheck): Promise<CheckResult[]> {
  if (reportAddress === undefined) return checkDmarc(check);
  const destination = reportAddress.slice(reportAddress.lastIndexOf("@") + 1);
  const walk = await walkDmarc(check.domain, check.dns);
  const { outcome } = await askDestination({ walk, site: check.domain, domain: destination }, check.dns);
  const isAgreed = outcome === "own" || outcome === "authorised";
  const results = await checkDmarc({ ...check, ...(isAgreed && { reportAddress }) });
  return outcome === "refused" ? results.map((result) => withMissing(result, destination)) : results;
}

/** Adds the record that the operator of Hermod must publish, once for all domains. */
function withMissing(result: CheckResult, destination: string): CheckResult {
  const { id, status, observed, observedParts = [] } = result;
  if (status !== "fail" && status !== "warn") return result;
  const name = `*._report._dmarc.${destination}`;
  const missing = phrase("dmarc.operator_agrees_later", { name });
  if (ASKING.includes(id))
    return { ...result, ...observedFields(phrases({ text: observed, parts: observedParts }, missing)) };
  if (id !== "auth.dmarc.rua_authorised" || !result.fix?.record?.name.endsWith(`_dmarc.${destination}`))
    return result;
  const record = { name, type: "TXT", value: "v=DMARC1" } as const;
  return { ...result, fix: { record, ...fixFields(phrase("dmarc.operator_agrees_once")) } };
}
