import type { LeftOut } from "./left-out.ts";

/**
 * Policies and results are kept as the receiver wrote them, in lower case, because receivers use more values than the
 * RFCs define. Domains are in lower case. All contents are unverified.
 */
export interface DmarcReport {
  /** Detected from the fields, because receivers declare namespaces inconsistently. */
  readonly schema: "rfc7489" | "rfc9990";
  /** Receiver of the mail. If missing, the domain of its address. Empty: both are missing. */
  readonly orgName: string;
  readonly email: string;
  readonly extraContact?: string;
  readonly generator?: string;
  /** Errors in the policy record. */
  readonly errors: readonly string[];
  /** Empty: missing. */
  readonly reportId: string;
  /** Usually a day, but no rule requires it. */
  readonly begin: Date;
  /** Not before `begin`. */
  readonly end: Date;
  readonly policy: DmarcPolicyPublished;
  readonly rows: readonly DmarcRow[];
  readonly leftOut: LeftOut;
}

/** `policy_published` of RFC 9990 appendix A and RFC 7489 appendix C. */
export interface DmarcPolicyPublished {
  readonly domain: string;
  /** `r` if the report has no value. */
  readonly adkim: string;
  readonly aspf: string;
  /** Missing: the report has no value. `sp` and `np` then equal `p`. */
  readonly p?: string;
  readonly sp?: string;
  readonly np?: string;
  /** RFC 7489 only. */
  readonly pct?: number;
  readonly fo?: string;
  /** `y`: the policy was in test mode. */
  readonly testing?: string;
  /** `psl` or `treewalk`. */
  readonly discoveryMethod?: string;
}

export interface DmarcRow {
  /** In canonical form. An IPv4-mapped IPv6 address becomes the IPv4 address. */
  readonly sourceIp: string;
  readonly count: number;
  /**
   * Action of the receiver: `none`, `quarantine`, `reject`, and `pass` of RFC 9990. `none` if the report has no
   * value.
   */
  readonly disposition: string;
  /** DKIM passed with a domain that is aligned with the From domain. */
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  /** Reasons for an override of the policy. */
  readonly overrides: readonly { readonly type: string; readonly comment?: string }[];
  /** Empty: the report has no value. */
  readonly headerFrom: string;
  /** Empty: the null reverse-path. */
  readonly envelopeFrom?: string;
  readonly envelopeTo?: string;
  /** The first 100 signatures, aligned or not. */
  readonly dkim: readonly DkimResult[];
  readonly spf: readonly SpfResult[];
}

interface AuthResult {
  /** Empty: the report has no value. */
  readonly domain: string;
  /** `none` if the report has no value. */
  readonly result: string;
  readonly humanResult?: string;
}

export interface DkimResult extends AuthResult {
  /** RFC 9990 requires it. */
  readonly selector?: string;
}

export interface SpfResult extends AuthResult {
  /** `mfrom` if the report has no value. */
  readonly scope: string;
}
