/**
 * How a message came to be.
 *
 * - `http`: by the HTTP API
 * - `smtp`: by the SMTP relay
 * - `grpc`: by a service that calls the core itself
 * - `alert`: an alert rule has made it
 * - `dashboard`: a member has sent it with a session
 * - `report`: a schedule of reports has made it
 * - `system`: Hermod has: a notice to a sender, mail to the people who use it, what it forwards
 */
export const messageSources = ["http", "smtp", "grpc", "dashboard", "alert", "report", "system"] as const;

export type MessageSource = (typeof messageSources)[number];
