import type { Inhibition, Silence } from "../alerts/mutes.ts";
import { contentRevision } from "./content-revision.ts";
import type { AccountDocument, KeyDocument, MemberDocument } from "./documents.ts";
import type { HeartbeatSettings } from "./heartbeat-documents.ts";
import type { ClientDocument, WatchedDomainDocument, WorkspaceDocument } from "./intel-documents.ts";
import type { LabelDocument } from "./label-document.ts";
import type { RetentionTimes } from "./retention-document.ts";
import type { ScheduleDocument } from "./schedule-documents.ts";
import type { PasskeyDocument } from "./user-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";

/** Revisions of resources, from their editable content only. */

export type InhibitionContent = Pick<Inhibition, "source" | "target" | "equal">;

export const inhibitionRevision = ({ source, target, equal }: InhibitionContent) =>
  contentRevision({ source, target, equal });

export function silenceRevision(silence: Omit<Silence, "accountId">): string {
  const { matchers, startsAt, endsAt, weekly, recursUntil, comment } = silence;
  return contentRevision({ matchers, startsAt, endsAt, weekly, recursUntil, comment });
}

export const workspaceRevision = ({ name }: WorkspaceDocument) => contentRevision({ name });

export function clientRevision(client: ClientDocument): string {
  const { name, externalRef, contactEmails, tags, notes, locale, timezone, status } = client;
  return contentRevision({ name, externalRef, contactEmails, tags, notes, locale, timezone, status });
}

/** A check run increments the stored `revision` and removes expired mutes. Neither is an edit. */
export function watchRevision(domain: WatchedDomainDocument): string {
  const { clientId, role, dkimSelectors, sendingIps, paused, edits } = domain;
  return contentRevision({ clientId, role, dkimSelectors, sendingIps, paused, edits });
}

/** The stored `revision` also counts rotations of secrets, and when the endpoint is disabled or enabled. */
export function webhookSettingsRevision(endpoint: WebhookEndpointDocument): string {
  const { url, description, types, tags, policies, ordered, ratePerSecond } = endpoint;
  // The time of a value stands for it: a revision must not reveal anything about a secret.
  const headers = endpoint.headers.map(({ name, setAt }) => ({ name, setAt }));
  return contentRevision({ url, description, types, tags, policies, ordered, ratePerSecond, headers });
}

/** A run increments the stored `revision`, so it is not the revision for editors. */
export function scheduleRevision(schedule: ScheduleDocument): string {
  const { name, scope, cadence, hour, timezone, format, paper, sections, locale } = schedule;
  const { branding, recipients, from, policy, paused } = schedule;
  const report = { name, scope, cadence, hour, timezone, format, paper, sections, locale, branding };
  return contentRevision({ ...report, recipients, from, policy, paused });
}

export const labelRevision = ({ name, color, logo }: LabelDocument) =>
  contentRevision({ name, color, logo: logo?.hash });

/** A pause is no edit of the settings. */
export function heartbeatRevision(heartbeat: HeartbeatSettings): string {
  const { name, schedule, graceMs, severity, eventType, source, entityType, entityId, tags } = heartbeat;
  const alert = { severity, eventType, source, entityType, entityId, tags };
  return contentRevision({ name, schedule, graceMs, ...alert });
}

type Named<T> = Pick<T, Extract<keyof T, "name">>;

export function accountRevision(account: Pick<AccountDocument, "name" | "requiresSecondFactor">): string {
  const { name, requiresSecondFactor } = account;
  return contentRevision({ name, requiresSecondFactor: requiresSecondFactor === true });
}

export function retentionRevision(times: RetentionTimes): string {
  const { contentDays, messageDays, requestDays, sandboxHours } = times;
  return contentRevision({ contentDays, messageDays, requestDays, sandboxHours });
}

export const memberRevision = ({ role }: Pick<MemberDocument, "role">) => contentRevision({ role });

type KeySettings = "name" | "scopeMode" | "scopes" | "senders" | "allowedAddresses" | "expiresAt";

export function keyRevision(key: Pick<KeyDocument, KeySettings>): string {
  const { name, scopeMode, scopes, senders, allowedAddresses, expiresAt } = key;
  return contentRevision({ name, scopeMode, scopes, senders, allowedAddresses, expiresAt });
}

export const passkeyRevision = ({ name }: Named<PasskeyDocument>) => contentRevision({ name });
