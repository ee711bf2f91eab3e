import { providerRules } from "./rules.ts";

/** A published limit of a provider for a sender's complaint or hard bounce rate. */
export interface ProviderLimit {
  /** A mailbox provider, or `ses` of the relay providers. */
  readonly provider: string;
  readonly measure: "complaints" | "bounces";
  /** `target`: the provider recommends to stay below it; `limit`: the provider takes action from this rate on. */
  readonly level: "target" | "limit";
  /** Share of messages, 0 to 1. */
  readonly rate: number;
  /** The provider's own page. */
  readonly source: string;
}

/**
 * "Reputation metrics messages" of the developer guide: from `target` on an account is under review, from `limit` on
 * sending may be paused.
 */
const SES = {
  provider: "ses",
  source: "https://docs.aws.amazon.com/ses/latest/dg/monitor-sender-reputation.html",
} as const;

/** Gmail and Yahoo publish no bounce rate. Outlook.com publishes neither rate. */
export const providerLimits: readonly ProviderLimit[] = [
  ...providerRules.flatMap(({ provider, rule, need, source }): ProviderLimit[] => {
    if (need.kind !== "complaints") return [];
    const level = rule === "complaints_target" ? "target" : "limit";
    return [{ provider, measure: "complaints", level, rate: need.below, source }];
  }),
  { ...SES, measure: "complaints", level: "target", rate: 0.001 },
  { ...SES, measure: "complaints", level: "limit", rate: 0.005 },
  { ...SES, measure: "bounces", level: "target", rate: 0.05 },
  { ...SES, measure: "bounces", level: "limit", rate: 0.1 },
];
