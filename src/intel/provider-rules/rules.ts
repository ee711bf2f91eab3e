import type { CheckId } from "../catalogue.ts";
import { citation } from "./sources.ts";

export const providers = ["gmail", "yahoo", "outlook"] as const;
export type Provider = (typeof providers)[number];

/**
 * Requirement of a rule.
 *
 * - `checks`: all checks of one of the sets pass or warn
 * - `complaints`: the complaint rate stays below this value
 * - `one_click`: subscribed mail has one-click unsubscription (RFC 8058)
 * - `unsubscribe`: an unsubscribed recipient gets no more mail after this number of hours
 * - `tls`: mail is sent over TLS
 */
export type Need =
  | { readonly kind: "checks"; readonly anyOf: readonly (readonly CheckId[])[] }
  | { readonly kind: "complaints"; readonly below: number }
  | { readonly kind: "unsubscribe"; readonly withinHours: number }
  | { readonly kind: "one_click" | "tls" };

export interface ProviderRule {
  readonly provider: Provider;
  /** Id of the rule, the same for all providers with this rule. */
  readonly rule: string;
  readonly requirement: string;
  readonly need: Need;
  /** Messages in 24 hours to the provider's mailboxes from which the rule applies. Missing: it applies to all senders. */
  readonly fromPerDay?: number;
  /** The provider's own page about the rule. */
  readonly source: string;
  /** Date on which the rule was last compared with that page. */
  readonly ruleCheckedAt: string;
}

const SPF = ["auth.spf.exists", "auth.spf.single", "auth.spf.syntax", "auth.spf.lookups"] as const;
const DKIM = ["auth.dkim.key", "auth.dkim.strength"] as const;
const DMARC = ["auth.dmarc.exists", "auth.dmarc.valid"] as const;
const REVERSE = ["reputation.ptr", "reputation.fcrdns"] as const;

const spfOrDkim: Need = { kind: "checks", anyOf: [SPF, DKIM] };
const spfAndDkim: Need = { kind: "checks", anyOf: [[...SPF, ...DKIM]] };
const dmarc: Need = { kind: "checks", anyOf: [DMARC] };
const aligned: Need = { kind: "checks", anyOf: [["auth.dmarc.alignment"]] };
const reverse: Need = { kind: "checks", anyOf: [REVERSE] };

const GMAIL = { provider: "gmail", ...citation("gmail_guidelines") } as const;
/** "Close to 5,000" to personal mailboxes, for a domain and its subdomains together. The status is permanent. */
const GMAIL_BULK = {
  ...GMAIL,
  ...citation("gmail_questions"),
  fromPerDay: 5_000,
} as const;
/** Yahoo publishes no volume for bulk senders, so its bulk rules are shown to all senders. */
const YAHOO = { provider: "yahoo", ...citation("yahoo_best_practices") } as const;
/** "More than 5,000" to consumer mailboxes: outlook.com, hotmail.com, live.com. */
const OUTLOOK_BULK = {
  provider: "outlook",
  ...citation("outlook_high_volume"),
  fromPerDay: 5_001,
} as const;

/** Requirements for bulk senders, which are the same for all three providers. */
function authentication(common: Omit<ProviderRule, "rule" | "requirement" | "need">): ProviderRule[] {
  return [
    { ...common, rule: "spf_and_dkim", requirement: "Mail passes SPF and DKIM.", need: spfAndDkim },
    {
      ...common,
      rule: "dmarc",
      requirement: "The domain has a DMARC record. The policy none is enough.",
      need: dmarc,
    },
    {
      ...common,
      rule: "alignment",
      requirement: "The From domain is aligned with the SPF or DKIM domain.",
      need: aligned,
    },
  ];
}

const reverseDns = {
  rule: "reverse_dns",
  requirement: "Sending addresses have reverse DNS names that resolve to them.",
  need: reverse,
} as const;
const oneClick = {
  rule: "one_click",
  requirement: "Marketing mail has one-click unsubscription. Transactional mail needs none.",
  need: { kind: "one_click" },
} as const;

/**
 * Requirements of large providers for senders. Providers change them, so each has its source and the date of the last
 * review.
 */
export const providerRules: readonly ProviderRule[] = [
  { ...GMAIL, rule: "spf_or_dkim", requirement: "Mail passes SPF or DKIM.", need: spfOrDkim },
  { ...GMAIL, ...reverseDns },
  { ...GMAIL, rule: "tls", requirement: "Mail is sent over TLS.", need: { kind: "tls" } },
  {
    ...GMAIL,
    rule: "complaints_limit",
    requirement: "Less than 0.3 % of the mail in inboxes is reported as spam, on every day.",
    need: { kind: "complaints", below: 0.003 },
  },
  {
    ...GMAIL_BULK,
    rule: "complaints_target",
    requirement: "Less than 0.1 % of the mail in inboxes is reported as spam.",
    need: { kind: "complaints", below: 0.001 },
  },
  ...authentication(GMAIL_BULK),
  { ...GMAIL_BULK, ...oneClick },
  {
    ...GMAIL_BULK,
    rule: "unsubscribe_in_time",
    requirement: "Recipients who unsubscribe get no more mail after 48 hours.",
    need: { kind: "unsubscribe", withinHours: 48 },
  },
  ...authentication(YAHOO),
  { ...YAHOO, ...reverseDns },
  {
    ...YAHOO,
    rule: "complaints_limit",
    requirement: "Less than 0.3 % of the DKIM-signed mail in inboxes is reported as spam.",
    need: { kind: "complaints", below: 0.003 },
  },
  { ...YAHOO, ...oneClick },
  ...authentication(OUTLOOK_BULK),
];
