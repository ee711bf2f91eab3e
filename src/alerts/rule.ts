import type { Matchers } from "./condition.ts";
import type { RuleEffect } from "./decide.ts";
import type { QuietHours } from "./quiet-hours.ts";

/** What an account wants to become of alerts that meet conditions. A version of it never changes. */
export interface RuleSettings {
  /** As `pager`: names it within its account. */
  readonly name: string;
  /** For people; empty: none. */
  readonly description: string;
  /** Smaller ones are asked first. */
  readonly order: number;
  readonly enabled: boolean;
  readonly matchers: Matchers;
  /** Rules behind it are not asked about what it takes. */
  readonly stop: boolean;
  /** It takes only alerts that no rule before it takes; missing: it takes the others, too. */
  readonly onlyUnmatched?: true;
  readonly effect: RuleEffect;
  /** How it tells of what it takes; missing where it drops that. */
  readonly notify?: NotifySettings;
}

export interface NotifySettings {
  /** Who is mailed; empty: nobody, and endpoints alone hear of its incidents. */
  readonly recipients: readonly string[];
  /** Sender, as a header field has it; missing: the template's. */
  readonly from?: string;
  /** Name of a routing policy; missing: the account's default. */
  readonly policy?: string;
  /** Name of a template of the account's; missing: the built-in one. */
  readonly template?: string;
  /** Fields that alerts of one incident share; missing: each thing has its own; empty: one incident has all. */
  readonly groupBy?: readonly string[];
  /** From the opening of an incident to its first notice. */
  readonly waitMs: number;
  /** From one notice to the next, of what is new. */
  readonly intervalMs: number;
  /** After which the same is told again; 0: never. */
  readonly repeatMs: number;
  /** Whether it is told that an incident is over. */
  readonly resolvedMail: boolean;
  /** After so long without a word of it, a thing is taken to be well again; 0: never. */
  readonly autoResolveMs: number;
  /** In which mail waits. */
  readonly quiet?: QuietHours;
  /** In quiet hours critical alerts wait, too. */
  readonly quietHoldsCritical: boolean;
  /** In which times are written; UTC stands beside it. */
  readonly zone: string;
  /** Mails an hour to one recipient, at most; what is beyond it comes in digests. */
  readonly ceiling: number;
  /** From one digest to the next. */
  readonly digestMs: number;
  readonly escalation: Escalation;
}

/** Who hears of an incident that nobody acknowledges. */
export interface Escalation {
  readonly steps: readonly EscalationStep[];
  /** How often all steps are gone through. */
  readonly rounds: number;
}

export interface EscalationStep {
  /** Since the step before; of the first one, since the first notice. */
  readonly afterMs: number;
  readonly recipients: readonly string[];
}

const MINUTE_MS = 60_000;

/** How rules tell that say no more than whom. */
export const DEFAULT_NOTIFY: NotifySettings = {
  recipients: [],
  waitMs: 0,
  intervalMs: 5 * MINUTE_MS,
  repeatMs: 4 * 60 * MINUTE_MS,
  resolvedMail: true,
  autoResolveMs: 0,
  quietHoldsCritical: false,
  zone: "UTC",
  ceiling: 20,
  digestMs: 15 * MINUTE_MS,
  escalation: { steps: [], rounds: 1 },
};

/** Addresses that a rule mails to, those of its escalation among them. */
export function mailedAddresses({ recipients, escalation }: NotifySettings): string[] {
  return [...new Set([...recipients, ...escalation.steps.flatMap((step) => step.recipients)])];
}
