/**
 * Source of a message.
 *
 * - `http`: the HTTP API
 * - `smtp`: the SMTP relay
 * - `grpc`: a service that calls the core directly
 * - `alert`: an alert rule
 * - `dashboard`: a member with a session
 * - `report`: a report schedule
 * - `system`: Hermod itself: a notice to a sender, mail to users, forwarded mail
 */
export const messageSources = ["http", "smtp", "grpc", "dashboard", "alert", "report", "system"] as const;

export type MessageSource = (typeof messageSources)[number];
