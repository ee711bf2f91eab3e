/** What asked for TLS (RFC 8460 section 4.4); `other` is what no RFC knows. */
export const policyTypes = ["tlsa", "sts", "no-policy-found"] as const;
export type PolicyType = (typeof policyTypes)[number] | "other";

/** Of section 4.3. */
export const failureTypes = [
  "starttls-not-supported",
  "certificate-host-mismatch",
  "certificate-expired",
  "certificate-not-trusted",
  "validation-failure",
  "tlsa-invalid",
  "dnssec-invalid",
  "dane-required",
  "sts-policy-fetch-error",
  "sts-policy-invalid",
  "sts-webpki-invalid",
] as const;
/** `unspecified`: the report counts failures without saying what has failed. */
export type TlsResult = "success" | (typeof failureTypes)[number] | "other" | "unspecified";

/** Sessions of senders with the mail servers of a domain on one day, by what became of them. */
export interface TlsRollup {
  readonly policyDomain: string;
  /** In UTC, as `2026-03-01`: the middle of the time that the report is about. */
  readonly day: string;
  readonly policyType: PolicyType;
  readonly result: TlsResult;
  /** The server where it failed; empty: it did not, or nobody says where. */
  readonly mxHost: string;
  readonly sessions: number;
}
