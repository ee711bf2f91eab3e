import { SYSTEM_ACCOUNT } from "./system-account.ts";

/** Operations that created a message, if something depends on them. */

/** Submitted over SMTP: its sender gets delivery notices by mail. */
export const SMTP_SUBMIT = "smtp.submit";

/** Mail to postmaster or abuse, forwarded to the operator. */
export const FORWARD = "bounce.forward";

/** A delivery notice to a sender (RFC 3461). It causes no delivery notices itself. */
export const DSN = "dsn";

/** Written by Hermod itself to its users: invitations, password reset links, security notices. */
export const SYSTEM_MAIL = "system.mail";

/** A template, filled in and sent as a test. */
export const TEMPLATE_TEST = "template.test";

/** Written by a member and sent with a session. */
export const MEMBER_SEND = "message.send";

/** A notice of an incident, or a digest of them. */
export const ALERT = "alert.notice";

/** Mail of an alert rule, sent as a test. */
export const ALERT_TEST = "alert.test";

/** A scheduled report. It is ordinary mail of the account, and recipients may unsubscribe. */
export const SCHEDULED_REPORT = "report.schedule";

/**
 * Account with the settings for a message: policies, DKIM keys, suppressions. Mail of the installation never uses those
 * of another account, although an earlier release stored it there.
 */
export function settingsAccountOf({
  accountId,
  operation,
}: {
  readonly accountId: string;
  readonly operation: string;
}): string {
  return operation === SYSTEM_MAIL || operation === FORWARD ? SYSTEM_ACCOUNT : accountId;
}

/** Whether a message belongs to the service itself: it has no subscribers, and no complaint concerns it. */
export function isOfService(operation: string): boolean {
  return [DSN, FORWARD, SYSTEM_MAIL, ALERT, ALERT_TEST].includes(operation);
}
