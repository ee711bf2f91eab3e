import type { LeftOut } from "./left-out.ts";

/**
 * Words such as policies and results stand in it as the receiver wrote them, in lower case: there are more than the RFCs have.
 * Domains are in lower case, too. Whatever it says is what a stranger claims.
 */
export interface DmarcReport {
  /** By its fields: receivers declare namespaces as they like. */
  readonly schema: "rfc7489" | "rfc9990";
  /** Who has received the mail; where it does not say, the domain of its address; empty: neither is there. */
  readonly orgName: string;
  readonly email: string;
  readonly extraContact?: string;
  readonly generator?: string;
  /** What was wrong with the policy's record. */
  readonly errors: readonly string[];
  /** Empty: there is none. */
  readonly reportId: string;
  /** Mostly a day, but there is no rule. */
  readonly begin: Date;
  /** Not before the beginning. */
  readonly end: Date;
  readonly policy: DmarcPolicyPublished;
  readonly rows: readonly DmarcRow[];
  readonly leftOut: LeftOut;
}

/** `policy_published` of RFC 9990 appendix A and RFC 7489 appendix C. */
export interface DmarcPolicyPublished {
  readonly domain: string;
  /** `r` where the report does not say. */
  readonly adkim: string;
  readonly aspf: string;
  /** Missing: the report does not say; `sp` and `np` are then as `p` is. */
  readonly p?: string;
  readonly sp?: string;
  readonly np?: string;
  /** RFC 7489 only. */
  readonly pct?: number;
  readonly fo?: string;
  /** `y`: the policy was only tested. */
  readonly testing?: string;
  /** `psl` or `treewalk`. */
  readonly discoveryMethod?: string;
}

export interface DmarcRow {
  /** In its canonical form; one of IPv4 in IPv6 as IPv4. */
  readonly sourceIp: string;
  readonly count: number;
  /** What was done: `none`, `quarantine`, `reject`, and `pass` of RFC 9990; `none` where the report does not say. */
  readonly disposition: string;
  /** Passed, and by a domain that is aligned with that of the From header. */
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  /** Why the policy was not followed. */
  readonly overrides: readonly { readonly type: string; readonly comment?: string }[];
  /** Empty: the report does not say. */
  readonly headerFrom: string;
  /** Empty: the null reverse-path. */
  readonly envelopeFrom?: string;
  readonly envelopeTo?: string;
  /** The first hundred signatures, whether aligned or not. */
  readonly dkim: readonly DkimResult[];
  readonly spf: readonly SpfResult[];
}

interface AuthResult {
  /** Empty: the report does not say. */
  readonly domain: string;
  /** `none` where the report does not say. */
  readonly result: string;
  readonly humanResult?: string;
}

export interface DkimResult extends AuthResult {
  /** RFC 9990 requires it. */
  readonly selector?: string;
}

export interface SpfResult extends AuthResult {
  /** `mfrom` where the report does not say. */
  readonly scope: string;
}
