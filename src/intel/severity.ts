import type { CheckId } from "./catalogue.ts";
import type { Outcome } from "./score/outcomes.ts";

/**
 * Severity of a finding:
 *
 * - `critical`: mail is lost or rejected, or others can send in the domain's name
 * - `warning`: it reduces trust, or will become critical
 * - `info`: information without urgency
 */
export type Severity = "critical" | "warning" | "info";

/** Findings with a severity that differs from the weight of their check. */
const exceptions: Readonly<Partial<Record<CheckId, { readonly fail?: Severity; readonly warn?: Severity }>>> =
  {
    "auth.spf.all": { fail: "critical" },
    // RFC 8301 section 3.2: receivers ignore signatures with a key of fewer than 1024 bits.
    "auth.dkim.strength": { fail: "critical" },
    // These fail if MTA-STS or DANE requires a certificate. Senders then hold the mail.
    "transport.cert_trust": { fail: "critical" },
    "transport.cert_name": { fail: "critical" },
    "transport.cert_expiry": { fail: "critical" },
    // A policy that senders cannot fetch protects no more than a missing one.
    "transport.mta_sts.policy": { fail: "info" },
    "transport.mta_sts.mx": { fail: "critical", warn: "warning" },
    // TLSA records are optional, but wrong ones lose mail.
    "transport.dane": { fail: "critical", warn: "info" },
    "infra.dnssec": { fail: "critical" },
    "infra.expiry": { fail: "critical", warn: "warning" },
  };

/** @returns undefined: no finding. A blocked check is no finding itself: the check that it needs is the finding. */
export function severityOf({ id, weight, kind }: Outcome): Severity | undefined {
  if (kind !== "fail" && kind !== "warn") return undefined;
  const exception = exceptions[id]?.[kind];
  if (exception) return exception;
  if (weight < 5) return "info";
  return kind === "fail" && weight === 10 ? "critical" : "warning";
}
