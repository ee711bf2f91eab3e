import type { NewWebhook, Webhook, WebhookAlgorithm } from "../../api/webhooks.ts";
import { type HeaderValue, sentHeaders, storedHeaders } from "../../parts/header-values.ts";
import { t } from "../../texts/texts.ts";

/** Values of the form for the settings of an endpoint. */
export interface SettingValues {
  url: string;
  description: string;
  /** `all`: also types of later releases. */
  which: "all" | "chosen";
  types: string[];
  tags: string[];
  policies: string[];
  ordered: boolean;
  /** Empty: no limit. */
  rate_per_second: string;
  headers: HeaderValue[];
  algorithm: WebhookAlgorithm;
}

export const newSettings: SettingValues = {
  url: "",
  description: "",
  which: "all",
  types: [],
  tags: [],
  policies: [],
  ordered: false,
  rate_per_second: "",
  headers: [],
  algorithm: "hmac-sha256",
};

export function settingsOf(webhook: Webhook): SettingValues {
  const { url, description, types, tags, policies, ordered, rate_per_second, headers, secrets } = webhook;
  return {
    url,
    description,
    which: types.length === 0 ? "all" : "chosen",
    types: [...types],
    tags: [...tags],
    policies: [...policies],
    ordered,
    rate_per_second: rate_per_second === undefined ? "" : String(rate_per_second),
    headers: storedHeaders(headers.map(({ name }) => name)),
    algorithm: secrets[0]?.algorithm ?? "hmac-sha256",
  };
}

/** Body of a request with these settings. The algorithm is only for a new endpoint. */
export function settingsBody(values: SettingValues): Omit<NewWebhook, "algorithm"> {
  const { which, types, rate_per_second: rate, headers } = values;
  const { url, description, tags, policies, ordered } = values;
  return {
    url: url.trim(),
    description,
    types: which === "all" ? [] : types,
    tags,
    policies,
    ordered,
    ...(rate !== "" && { rate_per_second: Number(rate) }),
    headers: sentHeaders(headers),
  };
}

/** Faults of the form that the server cannot see: to the server, no types are all types. */
export function typesFault({ which, types }: SettingValues): Record<string, string> {
  return which === "chosen" && types.length === 0 ? { types: t.webhooks.chooseType } : {};
}
