import type { Matchers } from "./condition.ts";
import type { RuleEffect } from "./decide.ts";
import type { QuietHours } from "./quiet-hours.ts";

/** Version of an alert rule. A version never changes. */
export interface RuleSettings {
  /** Name within the account, such as `pager`. */
  readonly name: string;
  /** Description for people. May be empty. */
  readonly description: string;
  /** Smaller values are evaluated first. */
  readonly order: number;
  readonly enabled: boolean;
  readonly matchers: Matchers;
  /** Rules after this one are not evaluated for its alerts. */
  readonly stop: boolean;
  /** Takes only alerts that no earlier rule takes; missing: takes any alert. */
  readonly onlyUnmatched?: true;
  readonly effect: RuleEffect;
  /** Notification settings; missing if the rule drops alerts. */
  readonly notify?: NotifySettings;
}

export interface NotifySettings {
  /** Recipients of mail. Without these, on-call schedules and targets only webhook endpoints receive the incidents. */
  readonly recipients: readonly string[];
  /** Names of on-call schedules; missing: none. Their participants on call at the time of a notice receive it. */
  readonly onCall?: readonly string[];
  /** Ids of alert targets that are notified in addition to the recipients; missing: none. */
  readonly targets?: readonly string[];
  /** Sender, in the form of a header field; missing: the sender of the template. */
  readonly from?: string;
  /** Name of a routing policy; missing: the default policy of the account. */
  readonly policy?: string;
  /** Name of a template of the account; missing: the built-in template. */
  readonly template?: string;
  /** Fields that the alerts of one incident share; missing: one incident per alert; empty: one incident for all. */
  readonly groupBy?: readonly string[];
  /** Wait between the opening of an incident and its first notice. */
  readonly waitMs: number;
  /** Interval between notices of news. */
  readonly intervalMs: number;
  /** Interval of repeated notices; 0: never. */
  readonly repeatMs: number;
  /** Whether the resolution of an incident is notified. */
  readonly resolvedMail: boolean;
  /** Auto-resolve after this long without an update; 0: never. */
  readonly autoResolveMs: number;
  /** Quiet hours, during which e-mails wait. */
  readonly quiet?: QuietHours;
  /** Critical alerts also wait during quiet hours. */
  readonly quietHoldsCritical: boolean;
  /** Time zone of times in e-mails, in addition to UTC. */
  readonly zone: string;
  /** Maximum number of e-mails per hour to one recipient. Further notices are sent in digests. */
  readonly ceiling: number;
  /** Interval between digests. */
  readonly digestMs: number;
  readonly escalation: Escalation;
}

/** Recipients of an incident that is not acknowledged. */
export interface Escalation {
  readonly steps: readonly EscalationStep[];
  /** Number of rounds through all steps. */
  readonly rounds: number;
}

export interface EscalationStep {
  /** Wait after the previous step; for the first step, after the first notice. */
  readonly afterMs: number;
  readonly recipients: readonly string[];
  /** Names of on-call schedules; missing: none. */
  readonly onCall?: readonly string[];
  /** Ids of alert targets; missing: none. */
  readonly targets?: readonly string[];
}

const MINUTE_MS = 60_000;

/** Default notification settings. */
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

/** Addresses that a rule names, including those of its escalation. */
export function mailedAddresses({ recipients, escalation }: NotifySettings): string[] {
  return [...new Set([...recipients, ...escalation.steps.flatMap((step) => step.recipients)])];
}

/** Whether incidents of a rule are notified by e-mail, at least by its escalation. */
export function sendsMail(notify: Pick<NotifySettings, "recipients" | "onCall" | "escalation">): boolean {
  return [notify, ...notify.escalation.steps].some(mailsFirst);
}

/** Whether the first notice of an incident is sent by e-mail. */
export function mailsFirst({
  recipients,
  onCall = [],
}: Pick<NotifySettings, "recipients" | "onCall">): boolean {
  return recipients.length + onCall.length > 0;
}

/** Whether the first notice of an incident has receivers. Escalations need them. */
export function hasReceivers({
  recipients,
  onCall = [],
  targets = [],
}: Pick<NotifySettings, "recipients" | "onCall" | "targets">): boolean {
  return recipients.length + onCall.length + targets.length > 0;
}

/** Names of the on-call schedules of a rule, including those of its escalation. */
export function namedSchedules({ onCall = [], escalation }: NotifySettings): string[] {
  return [...new Set([...onCall, ...escalation.steps.flatMap((step) => step.onCall ?? [])])];
}

/** Ids of alert targets that a rule notifies, including those of its escalation. */
export function usedTargets({ targets = [], escalation }: NotifySettings): string[] {
  return [...new Set([...targets, ...escalation.steps.flatMap((step) => step.targets ?? [])])];
}
