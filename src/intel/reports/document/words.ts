import type { Responsible } from "../../../../contracts/common/intel-report-findings.ts";
import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Tone } from "./report-document.ts";

/** Names of report values in documents. */

export const severityWords = { critical: "Critical", warning: "Warning", info: "Info" } as const;

export const statusWords = {
  healthy: "Healthy",
  warning: "Warning",
  critical: "Critical",
  error: "Cannot be measured",
  pending: "Pending",
  paused: "Paused",
} as const;

export const statusTones: Readonly<Record<keyof typeof statusWords, Tone>> = {
  healthy: "good",
  warning: "warning",
  critical: "critical",
  error: "warning",
  pending: "muted",
  paused: "muted",
};

export const responsibleWords: Readonly<Record<Responsible, string>> = {
  dns: "Administrator of the domain’s DNS",
  mail_servers: "Operator of the mail servers",
  addresses: "Provider of the sending addresses",
  sending: "Operator of the sending service",
  web_server: "Operator of the MTA-STS web server",
  registration: "Holder of the domain registration",
  blacklist: "Sender of the mail, by a removal request",
};

const providerWords: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  yahoo: "Yahoo",
  outlook: "Outlook.com",
  other: "Others",
};

export function providerName(provider: string): string {
  return providerWords[provider] ?? provider;
}

export const changeWords: Readonly<Record<NonNullable<IntelReport["changes"]>[number]["kind"], string>> = {
  score: "Score",
  status: "Status",
  finding_opened: "New finding",
  finding_resolved: "Resolved",
  listed: "Listed",
  delisted: "Delisted",
};

export const listingWords = {
  listed: "Listed",
  clean: "Clean",
  refused: "The list refuses to answer",
  error: "No answer",
  unreliable: "Unreliable answer",
  pending: "Not confirmed yet",
} as const;

export const ruleWords = { met: "Met", not_met: "Not met", unknown: "Unknown" } as const;
export const ruleTones: Readonly<Record<keyof typeof ruleWords, Tone>> = {
  met: "good",
  not_met: "critical",
  unknown: "muted",
};

/** Tone of a score. */
export function scoreTone(score: number | null): Tone {
  if (score === null) return "muted";
  if (score >= 80) return "good";
  return score >= 50 ? "warning" : "critical";
}

/** Such as `1 domain` or `12 domains`. */
export function counted(count: number, noun: string, text: string, plural = `${noun}s`): string {
  return `${text} ${count === 1 ? noun : plural}`;
}
