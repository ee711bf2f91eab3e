import { utcDay } from "../../shared/utc-day.ts";
import type { CheckResult, Evaluation } from "../check-result.ts";
import type { RdapResult } from "./rdap-result.ts";

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;
const FAIL_DAYS = 7;

/**
 * Judges `infra.expiry`: the remaining registration period. @param now time of the judgement, because answers are
 * cached for days
 */
export function evaluateExpiry(domain: string, rdap: RdapResult, now: Date): CheckResult[] {
  return [
    {
      id: "infra.expiry",
      ...evaluate(domain, rdap, now),
      expected: `The domain is registered for at least another ${WARN_DAYS} days.`,
      evidence: rdap.evidence,
    },
  ];
}

function evaluate(domain: string, rdap: RdapResult, now: Date): Evaluation {
  if (rdap.kind === "failed")
    return { status: "error", observed: `The registry query failed: ${rdap.reason}.` };
  if (rdap.kind === "no_server")
    return { status: "not_tested", observed: `No registry can be queried about ${domain}: ${rdap.reason}.` };
  const { registrable } = rdap;
  if (rdap.kind === "not_found")
    return {
      status: "error",
      observed: `The registry's server ${rdap.server} does not know ${registrable} (HTTP 404). The domain is not registered, or the server has no data about it.`,
    };
  const { expiresAt, endings } = rdap;
  const fix = {
    text: `Renew ${registrable} at its registrar, and enable automatic renewal.`,
  };
  if (endings.length > 0) {
    const observed = `${registrable} was not renewed and will be deleted (${endings.join(", ")}).`;
    return {
      status: "fail",
      observed,
      fix: { text: `Have the registrar restore ${registrable} immediately.` },
    };
  }
  if (!expiresAt) {
    const observed = `The registry does not state when the registration of ${registrable} ends.`;
    return { status: "not_tested", observed };
  }
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const day = utcDay(expiresAt);
  if (expiresAt <= now)
    return { status: "fail", observed: `The registration of ${registrable} ended on ${day}.`, fix };
  const left = days === 1 ? "1 day" : `${days} days`;
  const observed = `${registrable} is registered until ${day}, for another ${days === 0 ? "few hours" : left}.`;
  if (days >= WARN_DAYS) return { status: "pass", observed };
  return { status: days < FAIL_DAYS ? "fail" : "warn", observed, fix };
}
