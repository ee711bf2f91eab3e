import type { LeftOut } from "./left-out.ts";

/** RFC 8460 section 4.4. Whatever it says is what a stranger claims; texts stand in it as they were written. */
export interface TlsReport {
  /** Empty: there is none, here and below. */
  readonly organizationName: string;
  readonly contactInfo: string;
  readonly reportId: string;
  readonly begin: Date;
  /** Not before the beginning. */
  readonly end: Date;
  /** Empty where a receiver tells that it has sent nothing. */
  readonly policies: readonly TlsPolicy[];
  /** Policies; each has its failures' own. */
  readonly leftOut: LeftOut;
}

export interface TlsPolicy {
  /** `tlsa`, `sts`, `no-policy-found`, or what else was written. */
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
  /** One of section 4.3, or what else was written. */
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
