/** By what a message came to be, where something depends on it. */

/** Submitted over SMTP: its sender is told by mail what became of it. */
export const SMTP_SUBMIT = "smtp.submit";

/** Tells a sender what became of a message (RFC 3461). Nothing tells anybody what became of it. */
export const DSN = "dsn";
