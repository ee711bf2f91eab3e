import type { CheckId } from "./catalogue.ts";
import type { Outcome } from "./score/outcomes.ts";

/**
 * How grave a finding is:
 *
 * - `critical`: mail is lost or refused, or others can send in the domain's name
 * - `warning`: it costs trust, or will become critical
 * - `info`: it is good to know
 */
export type Severity = "critical" | "warning" | "info";

/** Findings that are graver, or less grave, than the weight of their check says. */
const exceptions: Readonly<Partial<Record<CheckId, { readonly fail?: Severity; readonly warn?: Severity }>>> =
  {
    "auth.spf.all": { fail: "critical" },
    // RFC 8301 section 3.2: receivers heed no signature with a key of fewer than 1024 bits.
    "auth.dkim.strength": { fail: "critical" },
    // They fail where MTA-STS or DANE asks for a certificate, and senders then keep the mail back.
    "transport.cert_trust": { fail: "critical" },
    "transport.cert_name": { fail: "critical" },
    "transport.cert_expiry": { fail: "critical" },
    // A policy that senders cannot fetch protects as little as none, which is good to know, too.
    "transport.mta_sts.policy": { fail: "info" },
    "transport.mta_sts.mx": { fail: "critical", warn: "warning" },
    // Nobody needs TLSA records; wrong ones lose mail.
    "transport.dane": { fail: "critical", warn: "info" },
    "infra.dnssec": { fail: "critical" },
    "infra.expiry": { fail: "critical", warn: "warning" },
  };

/** @returns undefined where there is no finding. What is blocked is none of its own: the check that it needs is the finding. */
export function severityOf({ id, weight, kind }: Outcome): Severity | undefined {
  if (kind !== "fail" && kind !== "warn") return undefined;
  const exception = exceptions[id]?.[kind];
  if (exception) return exception;
  if (weight < 5) return "info";
  return kind === "fail" && weight === 10 ? "critical" : "warning";
}
