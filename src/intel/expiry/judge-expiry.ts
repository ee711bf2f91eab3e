import { utcDay } from "../../shared/utc-day.ts";
import type { CheckResult, Judgement } from "../check-result.ts";
import type { RdapResult } from "./rdap-result.ts";

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;
const FAIL_DAYS = 7;

/** How long the domain is registered for: `infra.expiry`. @param now when that is judged, as answers are kept for days */
export function judgeExpiry(domain: string, rdap: RdapResult, now: Date): CheckResult[] {
  return [
    {
      id: "infra.expiry",
      ...judge(domain, rdap, now),
      expected: `The domain is registered for another ${WARN_DAYS} days.`,
      evidence: rdap.evidence,
    },
  ];
}

function judge(domain: string, rdap: RdapResult, now: Date): Judgement {
  if (rdap.kind === "failed")
    return { status: "error", observed: `The registry could not be asked: ${rdap.reason}.` };
  if (rdap.kind === "no_server")
    return { status: "not_tested", observed: `Nobody can be asked about ${domain}: ${rdap.reason}.` };
  const { registrable } = rdap;
  if (rdap.kind === "not_found")
    return {
      status: "error",
      observed: `The registry's server ${rdap.server} does not know ${registrable} (HTTP 404): it is not registered, or the server lacks it.`,
    };
  const { expiresAt, endings } = rdap;
  const fix = {
    text: `Renew ${registrable} at its registrar, and let it be renewed by itself from then on.`,
  };
  if (endings.length > 0) {
    const observed = `${registrable} was not renewed, and is about to be deleted (${endings.join(", ")}).`;
    return {
      status: "fail",
      observed,
      fix: { text: `Have ${registrable} restored by its registrar at once.` },
    };
  }
  if (!expiresAt) {
    const observed = `The registry does not say until when ${registrable} is registered.`;
    return { status: "not_tested", observed };
  }
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const day = utcDay(expiresAt);
  if (expiresAt <= now)
    return { status: "fail", observed: `The registration of ${registrable} has ended on ${day}.`, fix };
  const left = days === 1 ? "1 day" : `${days} days`;
  const observed = `${registrable} is registered until ${day}: for another ${days === 0 ? "few hours" : left}.`;
  if (days >= WARN_DAYS) return { status: "pass", observed };
  return { status: days < FAIL_DAYS ? "fail" : "warn", observed, fix };
}
