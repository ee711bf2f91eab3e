import type { Inhibition } from "../alerts/mutes.ts";
import type { OnCallSettings } from "../alerts/on-call/on-call-schedule.ts";
import type { RuleSettings } from "../alerts/rule.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { AlertRuleDocument } from "./alert-documents.ts";
import { ruleRevision } from "./alert-rule-store.ts";
import { type OnCallScheduleDocument, onCallRevision } from "./oncall-documents.ts";
import type { VersionedKind } from "./plain-versions.ts";
import { type InhibitionContent, inhibitionRevision, webhookSettingsRevision } from "./revisions.ts";
import type { VersionedWebhook, WebhookEndpointDocument } from "./webhook-documents.ts";

/** Settings with versions that have no secrets. */

export const versionedRule: VersionedKind<AlertRuleDocument, RuleSettings> = {
  kind: "alert_rule",
  nameOf: ({ name }) => name,
  revisionOf: ruleRevision,
  contentOf: ({ settings }) => settings,
};

export const versionedInhibition: VersionedKind<Inhibition, InhibitionContent> = {
  kind: "inhibition",
  nameOf: ({ name }) => name,
  revisionOf: inhibitionRevision,
  contentOf: ({ source, target, equal }) => ({ source, target, equal }),
};

export const versionedOnCallSchedule: VersionedKind<OnCallScheduleDocument, OnCallSettings> = {
  kind: "on_call_schedule",
  nameOf: ({ name }) => name,
  revisionOf: onCallRevision,
  contentOf: ({ settings }) => settings,
};

/** Only these fields: secrets and values of headers are no part of a version, nor is whether the endpoint is enabled. */
export const versionedWebhook: VersionedKind<WebhookEndpointDocument, VersionedWebhook> = {
  kind: "webhook",
  nameOf: ({ _id }) => _id,
  revisionOf: webhookSettingsRevision,
  contentOf: ({ url, description, types, tags, policies, ordered, ratePerSecond, headers }) => ({
    url,
    description,
    ...withoutUndefined({ types, tags, policies, ordered, ratePerSecond }),
    headers: headers.map(({ name, setAt }) => ({ name, ...withoutUndefined({ setAt }) })),
  }),
};
