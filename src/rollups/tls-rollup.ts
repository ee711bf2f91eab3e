/** Source of the TLS policy (RFC 8460 section 4.4). `other` stands for a source that no RFC defines. */
export const policyTypes = ["tlsa", "sts", "no-policy-found"] as const;
export type PolicyType = (typeof policyTypes)[number] | "other";

/** Result types of RFC 8460 section 4.3. */
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
/** `unspecified`: the report counts failures without their type. */
export type TlsResult = "success" | (typeof failureTypes)[number] | "other" | "unspecified";

/** Sessions of senders with the mail servers of a domain on one day, by result. */
export interface TlsRollup {
  readonly policyDomain: string;
  /** Day in UTC, such as `2026-03-01`: the middle of the reporting period. */
  readonly day: string;
  readonly policyType: PolicyType;
  readonly result: TlsResult;
  /** Server with the failure. Empty if the sessions succeeded, or if the report names no server. */
  readonly mxHost: string;
  readonly sessions: number;
}
