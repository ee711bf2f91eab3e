import { SYSTEM_ACCOUNT } from "./system-account.ts";

/** By what a message came to be, where something depends on it. */

/** Submitted over SMTP: its sender is told by mail what became of it. */
export const SMTP_SUBMIT = "smtp.submit";

/** Came to postmaster or abuse, and goes on to the operator. */
export const FORWARD = "bounce.forward";

/** Tells a sender what became of a message (RFC 3461). Nothing tells anybody what became of it. */
export const DSN = "dsn";

/** Written by Hermod itself, to people who use it: invitations, links to reset passwords, notices of security. */
export const SYSTEM_MAIL = "system.mail";

/** A template, filled in and sent by somebody who tries it out. */
export const TEMPLATE_TEST = "template.test";

/** Written by a member and sent with a session. */
export const MEMBER_SEND = "message.send";

/** A notice of an incident, or a digest of them. */
export const ALERT = "alert.notice";

/** A report of a schedule. It is mail of the account as any other: recipients may have had enough of it. */
export const SCHEDULED_REPORT = "report.schedule";

/**
 * Account whose settings decide about a message: policies, DKIM keys, suppressions. Mail of the installation never follows
 * those of another account, although an earlier release stored it there.
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

/** Whether a message is the service's own affair: nobody has subscribed to it, and no complaint is about it. */
export function isOfService(operation: string): boolean {
  return [DSN, FORWARD, SYSTEM_MAIL, ALERT].includes(operation);
}
