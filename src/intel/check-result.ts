import type { CheckId } from "./catalogue.ts";

/**
 * What became of one check:
 *
 * - `pass`, `warn`, `fail`: it was measured
 * - `error`: it could not be measured now: nothing is known, and nothing is missing
 * - `not_tested`: there is nothing to measure, or it is not known where
 */
export const checkStatuses = ["pass", "warn", "fail", "error", "not_tested"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** One answer that a result rests on. */
export interface Evidence {
  readonly name: string;
  /** Of the record, as `TXT`; `HTTPS`, `SMTP` and `RDAP` for what else was asked, and `MAIL` for what is known of the domain's mail. */
  readonly type: string;
  /** As DNS has it; `ERROR`: no answer. */
  readonly rcode: "NOERROR" | "NXDOMAIN" | "ERROR";
  /** The records as zone files have them, of very many the first, and at last how many more; empty: there are none. */
  readonly data: readonly string[];
  /** Missing: nothing says for how long it holds. */
  readonly ttlSeconds?: number;
  /** Whether the resolver has validated its answer by DNSSEC, also where it is shown what the zone's own server has. */
  readonly authenticated?: boolean;
  /** It was asked for as it is, without being validated (the CD bit). */
  readonly checkingDisabled?: true;
  /**
   * Who has answered: a resolving server as `address:port`, one of the zone itself as `name (address:port)`, or the host of what
   * else was asked.
   */
  readonly server?: string;
  readonly at: Date;
  /** Why there is no answer; missing: there is one. */
  readonly reason?: string;
}

/** What to publish, as it stands. */
export interface FixRecord {
  readonly name: string;
  readonly type: "TXT" | "MX" | "CNAME" | "TLSA" | "PTR";
  /** The whole value; a TXT value of more than 255 octets is split where it is shown. */
  readonly value: string;
}

export interface Fix {
  /** Missing: no record helps. */
  readonly record?: FixRecord;
  /** What to do, in a sentence. */
  readonly text: string;
}

export interface CheckResult {
  readonly id: CheckId;
  readonly status: CheckStatus;
  /** What was found, in a sentence; of an error, why nothing was. */
  readonly observed: string;
  /** What ought to be there, in a sentence. */
  readonly expected: string;
  readonly evidence: readonly Evidence[];
  readonly fix?: Fix;
}

/** What became of one check, before its name and the evidence are added. */
export type Judgement = Pick<CheckResult, "status" | "observed" | "fix">;
