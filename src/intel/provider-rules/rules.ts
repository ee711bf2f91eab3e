import type { CheckId } from "../catalogue.ts";
import { citation } from "./sources.ts";

export const providers = ["gmail", "yahoo", "outlook"] as const;
export type Provider = (typeof providers)[number];

/**
 * What a rule is judged by.
 *
 * - `checks`: it is met where all checks of one of the sets pass or warn
 * - `complaints`: the rate of complaints has to stay below this one
 * - `one_click`: mail that people subscribe to has one-click unsubscription (RFC 8058)
 * - `unsubscribe`: who unsubscribes gets no more mail after so many hours
 * - `tls`: mail is sent over TLS
 */
export type Need =
  | { readonly kind: "checks"; readonly anyOf: readonly (readonly CheckId[])[] }
  | { readonly kind: "complaints"; readonly below: number }
  | { readonly kind: "unsubscribe"; readonly withinHours: number }
  | { readonly kind: "one_click" | "tls" };

export interface ProviderRule {
  readonly provider: Provider;
  /** The same for the same rule of several providers. */
  readonly rule: string;
  readonly requirement: string;
  readonly need: Need;
  /** Messages in 24 hours to the provider's mailboxes from which on it holds; missing: for everybody. */
  readonly fromPerDay?: number;
  /** The provider's own page that states it. */
  readonly source: string;
  /** The day on which the rule was last compared with that page. */
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
/** "Close to 5,000", to personal mailboxes, of a domain and its subdomains together; once is for ever. */
const GMAIL_BULK = {
  ...GMAIL,
  ...citation("gmail_questions"),
  fromPerDay: 5_000,
} as const;
/** Yahoo says no number from which on a sender is a large one: its rules for those are shown to everybody. */
const YAHOO = { provider: "yahoo", ...citation("yahoo_best_practices") } as const;
/** "More than 5,000" to mailboxes of consumers: outlook.com, hotmail.com, live.com. */
const OUTLOOK_BULK = {
  provider: "outlook",
  ...citation("outlook_high_volume"),
  fromPerDay: 5_001,
} as const;

/** What a provider asks of those who send much, in one place because all three ask the same. */
function authentication(common: Omit<ProviderRule, "rule" | "requirement" | "need">): ProviderRule[] {
  return [
    { ...common, rule: "spf_and_dkim", requirement: "Mail passes SPF and DKIM.", need: spfAndDkim },
    {
      ...common,
      rule: "dmarc",
      requirement: "There is a DMARC record; the policy none is enough.",
      need: dmarc,
    },
    {
      ...common,
      rule: "alignment",
      requirement: "The domain of From is aligned with that of SPF or of DKIM.",
      need: aligned,
    },
  ];
}

const reverseDns = {
  rule: "reverse_dns",
  requirement: "Sending addresses have names that lead back to them.",
  need: reverse,
} as const;
const oneClick = {
  rule: "one_click",
  requirement: "Marketing mail has one-click unsubscription; transactional mail needs none.",
  need: { kind: "one_click" },
} as const;

/** What the large providers ask of senders. They change their rules: each says where and when it was read. */
export const providerRules: readonly ProviderRule[] = [
  { ...GMAIL, rule: "spf_or_dkim", requirement: "Mail passes SPF or DKIM.", need: spfOrDkim },
  { ...GMAIL, ...reverseDns },
  { ...GMAIL, rule: "tls", requirement: "Mail is sent over TLS.", need: { kind: "tls" } },
  {
    ...GMAIL,
    rule: "complaints_limit",
    requirement: "Fewer than 0.3 % of the mail in inboxes is reported as spam, on every day.",
    need: { kind: "complaints", below: 0.003 },
  },
  {
    ...GMAIL_BULK,
    rule: "complaints_target",
    requirement: "Fewer than 0.1 % of the mail in inboxes is reported as spam.",
    need: { kind: "complaints", below: 0.001 },
  },
  ...authentication(GMAIL_BULK),
  { ...GMAIL_BULK, ...oneClick },
  {
    ...GMAIL_BULK,
    rule: "unsubscribe_in_time",
    requirement: "Who unsubscribes gets no more mail after 48 hours.",
    need: { kind: "unsubscribe", withinHours: 48 },
  },
  ...authentication(YAHOO),
  { ...YAHOO, ...reverseDns },
  {
    ...YAHOO,
    rule: "complaints_limit",
    requirement: "Fewer than 0.3 % of the DKIM-signed mail in inboxes is reported as spam.",
    need: { kind: "complaints", below: 0.003 },
  },
  { ...YAHOO, ...oneClick },
  ...authentication(OUTLOOK_BULK),
];
