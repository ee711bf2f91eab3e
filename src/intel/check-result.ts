import type { Phrase, TextPart } from "../shared/phrase.ts";
import type { CheckId } from "./catalogue.ts";

/**
 * Status of one check:
 *
 * - `pass`, `warn`, `fail`: the property was measured
 * - `error`: the property could not be measured now; the result is unknown
 * - `not_tested`: there is nothing to measure, or the place to measure is unknown
 */
export const checkStatuses = ["pass", "warn", "fail", "error", "not_tested"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** One answer on which a result is based. */
export interface Evidence {
  readonly name: string;
  /**
   * Type of the DNS record, such as `TXT`; `HTTPS`, `SMTP` and `RDAP` for other protocols; `MAIL` for facts about the
   * domain's mail.
   */
  readonly type: string;
  /** DNS response code; `ERROR`: no answer. */
  readonly rcode: "NOERROR" | "NXDOMAIN" | "ERROR";
  /**
   * Records in zone file format. A long list is cut, and its last entry says how many records are left out. Empty:
   * there are none.
   */
  readonly data: readonly string[];
  /** Time to live of the answer. Missing: unknown. */
  readonly ttlSeconds?: number;
  /** Whether the resolver has validated its answer by DNSSEC, also where the data is that of the zone's own server. */
  readonly authenticated?: boolean;
  /** The answer was requested without validation (the CD bit). */
  readonly checkingDisabled?: true;
  /**
   * Server that answered: a resolver as `address:port`, a name server of the zone as `name (address:port)`, or the
   * host of another protocol.
   */
  readonly server?: string;
  readonly at: Date;
  /** Why there is no answer. Missing: there is an answer. */
  readonly reason?: string;
}

/** Record to publish, verbatim. */
export interface FixRecord {
  readonly name: string;
  readonly type: "TXT" | "MX" | "CNAME" | "TLSA" | "PTR";
  /** The whole value. Display code splits a TXT value of more than 255 octets. */
  readonly value: string;
}

export interface Fix {
  /** Missing: no record solves the problem. */
  readonly record?: FixRecord;
  /** Required action, in one sentence. */
  readonly text: string;
  /** Parts of `text`. Missing or empty: it is known only in English. */
  readonly textParts?: readonly TextPart[];
}

export interface CheckResult {
  readonly id: CheckId;
  readonly status: CheckStatus;
  /** Finding, in one sentence. For `error`, why the property could not be measured. */
  readonly observed: string;
  /** Parts of `observed`. Missing or empty: it is known only in English. */
  readonly observedParts?: readonly TextPart[];
  /** Expected state, in one sentence. */
  readonly expected: string;
  /** Parts of `expected`. Missing or empty: it is known only in English. */
  readonly expectedParts?: readonly TextPart[];
  readonly evidence: readonly Evidence[];
  readonly fix?: Fix;
}

/** Outcome of one check, before its name and the evidence are added. */
export type Evaluation = Pick<CheckResult, "status" | "observed" | "observedParts" | "fix">;

/** The finding of a result, with its parts. */
export const observedFields = ({ text, parts }: Phrase) => ({ observed: text, observedParts: parts });

/** The expected state of a result, with its parts. */
export const expectedFields = ({ text, parts }: Phrase) => ({ expected: text, expectedParts: parts });

/** The action of a fix, with its parts. */
export const fixFields = ({ text, parts }: Phrase) => ({ text, textParts: parts });
