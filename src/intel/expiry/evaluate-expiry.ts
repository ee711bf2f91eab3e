import { type Phrase, phrase } from "../../shared/phrase.ts";
import { utcDay } from "../../shared/utc-day.ts";
import {
  type CheckResult,
  type Evaluation,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
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
      ...expectedFields(phrase("expiry.expected", { count: WARN_DAYS })),
      evidence: rdap.evidence,
    },
  ];
}

function evaluate(domain: string, rdap: RdapResult, now: Date): Evaluation {
  if (rdap.kind === "failed")
    return { status: "error", ...observedFields(phrase("expiry.failed", { reason: rdap.reason })) };
  if (rdap.kind === "no_server") {
    const text = phrase("expiry.no_registry", { domain, reason: rdap.reason });
    return { status: "not_tested", ...observedFields(text) };
  }
  const { registrable } = rdap;
  const registered = { domain: registrable };
  if (rdap.kind === "not_found") {
    const text = phrase("expiry.not_found", { server: rdap.server, ...registered });
    return { status: "error", ...observedFields(text) };
  }
  const { expiresAt, endings } = rdap;
  const fix = fixFields(phrase("expiry.renew", registered));
  if (endings.length > 0)
    return {
      status: "fail",
      ...observedFields(phrase("expiry.ending", { ...registered, states: endings })),
      fix: fixFields(phrase("expiry.restore", registered)),
    };
  if (!expiresAt) return { status: "not_tested", ...observedFields(phrase("expiry.no_end", registered)) };
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const day = utcDay(expiresAt);
  if (expiresAt <= now)
    return { status: "fail", ...observedFields(phrase("expiry.ended", { ...registered, day })), fix };
  const finding = observedFields(leftPhrase(registrable, day, days));
  if (days >= WARN_DAYS) return { status: "pass", ...finding };
  return { status: days < FAIL_DAYS ? "fail" : "warn", ...finding, fix };
}

function leftPhrase(domain: string, day: string, count: number): Phrase {
  if (count === 0) return phrase("expiry.hours", { domain, day });
  return count === 1 ? phrase("expiry.day", { domain, day }) : phrase("expiry.days", { domain, day, count });
}
