import type { LeftOut } from "./left-out.ts";

/** RFC 8460 section 4.4. All contents are unverified, and texts are kept as written. */
export interface TlsReport {
  /** Empty: missing, here and below. */
  readonly organizationName: string;
  readonly contactInfo: string;
  readonly reportId: string;
  readonly begin: Date;
  /** Not before `begin`. */
  readonly end: Date;
  /** Empty if the receiver reports that it has sent no mail. */
  readonly policies: readonly TlsPolicy[];
  /** Policies that were left out. Each policy counts its own failures. */
  readonly leftOut: LeftOut;
}

export interface TlsPolicy {
  /** `tlsa`, `sts`, `no-policy-found`, or another value from the report. */
  readonly type: string;
  /** In lower case. */
  readonly domain: string;
  /** The policy's lines or TLSA records. */
  readonly policy: readonly string[];
  readonly mxHost: readonly string[];
  /** Sessions. */
  readonly success: number;
  readonly failure: number;
  readonly failures: readonly TlsFailure[];
  readonly leftOut: LeftOut;
}

export interface TlsFailure {
  /** A value of section 4.3, or another value from the report. */
  readonly resultType: string;
  /** Sessions. */
  readonly count: number;
  readonly sendingMtaIp?: string;
  readonly receivingMxHostname?: string;
  readonly receivingMxHelo?: string;
  readonly receivingIp?: string;
  readonly additionalInformation?: string;
  readonly failureReasonCode?: string;
}
