import type { ParamNamesIn } from "../fault-texts/fault-texts.ts";
import { attemptSentences } from "./attempt-sentences.ts";
import { checkSentences } from "./check-sentences.ts";
import { deliverySentences } from "./delivery-sentences.ts";
import { domainSentences } from "./domain-sentences.ts";
import { incidentSentences } from "./incident-sentences.ts";
import { policySentences } from "./policy-sentences.ts";
import { reportSentences } from "./report-sentences.ts";

/**
 * Sentences of answers that report results and reasons, by code; a code that ends with a colon begins a sentence that the next
 * part ends. `{name}` is a param; `{name:table}` shows the words of `sentenceWords`. A list is joined by commas, a list of words
 * by "and". A released code keeps its meaning and its params.
 */
export const sentences = {
  ...attemptSentences,
  ...checkSentences,
  ...domainSentences,
  ...deliverySentences,
  ...incidentSentences,
  ...policySentences,
  ...reportSentences,
} as const;

type Sentences = typeof sentences;

export type SentenceCode = keyof Sentences;

/** Value of a param. */
export type SentenceParam = string | number | readonly string[];

/** Exactly the params of a code. */
export type SentenceParams<Code extends SentenceCode> = {
  readonly [Name in ParamNamesIn<Sentences[Code]> & string]: SentenceParam;
};

/** English words for values of params. A value without words is shown as it is. */
export const sentenceWords = {
  /** Only other languages show the param: the English text has the same in another one. */
  translated: undefined,
  and: {},
  /** A number with separators of thousands. */
  number: undefined,
  alert_name: { "": "an alert" },
  age_origin: { policy: "as set by the policy", installation: "as set by HERMOD_MAX_AGE_HOURS" },
  asker: {
    policy: "the policy",
    dane: "the domain by DANE",
    mta_sts: "the domain by MTA-STS",
    nobody: "nobody",
  },
  dkim_use: {
    both: "a signature with each of the domain's DKIM keys",
    rsa: "only an RSA signature",
    ed25519: "only an Ed25519 signature",
    none: "no DKIM signature",
  },
  /** Treatment of mail that is not aligned with the domain, by policy. */
  dmarc_effect: {
    none: "mail that is not aligned with the domain is delivered like any other",
    quarantine: "mail that is not aligned with the domain is treated as suspicious",
    reject: "mail that is not aligned with the domain is rejected",
  },
  hold: { silenced: "silenced", inhibited: "inhibited", quiet_hours: "quiet hours" },
  /** Why a lookup of a check failed. The value is the English text. */
  lookup_failure: {},
  /** Why a blacklist gave no result. The value is the English text. */
  list_failure: {},
  /** Codes of a blacklist, each with its meaning in English. */
  listing_meaning: {},
  limited: { relay: "this relay", provider: "one mail provider", sandbox: "the sandbox of one worker" },
  limit_origin: {
    policy: "as set by the policy",
    transport: "because the transport has that many connections",
    installation: "as set by HERMOD_DESTINATION_CONCURRENCY",
    sandbox: "because the sandbox writes to this installation's store",
  },
  own_alignment: {
    signature: "signed with its DKIM key and therefore aligned",
    return_path: "with a return path in the same organization but no signature of the domain",
    nothing: "without a signature or a return path of the domain",
  },
  /** Source of mail in reports of receivers: a service or an address. */
  report_source: { other: "many other addresses" },
  schedule: { policy: "the policy's", installation: "Hermod's own" },
  severity: { info: "info", warning: "warning", critical: "critical" },
  /** Why a proposed SPF record lacks a term. */
  spf_lost: {
    too_long: "the record has more than 8192 characters",
    no_record: "it references no SPF record",
    unknown: "its meaning is unknown",
    ptr: "receivers need not evaluate it",
    open: "it allows nearly all senders",
  },
  suppressed: { recipient: "the recipient", domain: "the domain of the recipient" },
  Suppressed: { recipient: "The recipient", domain: "The domain of the recipient" },
  suppression_reason: {
    hard_bounce: "hard bounce",
    complaint: "complaint",
    unsubscribe: "unsubscribe",
    manual: "manual",
  },
  tracked: { opens: "opens", clicks: "clicks" },
} as const satisfies Record<string, Readonly<Record<string, string>> | undefined>;
