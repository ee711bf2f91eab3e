import { ABOUT_RECIPIENT, type ReplyRule } from "./reply-rule.ts";

/**
 * Enhanced codes with one meaning (RFC 3463, RFC 5248 registry). The vague ones, x.0.0, x.1.0, x.2.0, x.2.1, x.3.*, x.5.0,
 * x.7.0 and x.7.1 above all, have many uses and come after the text.
 */
export const enhancedCodes: readonly ReplyRule[] = [
  // The owner or the domain's owner has changed since the sender knew the address (RFC 7293 section 14): mail for another
  // person.
  {
    enhanced: ["x.1.1", "x.1.3", "x.1.4", "x.1.6", "x.7.17", "x.7.18"],
    phase: ABOUT_RECIPIENT,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  { enhanced: ["x.1.2"], phase: ABOUT_RECIPIENT, category: "dns", scope: "recipient" },
  { enhanced: ["x.1.7"], category: "policy", scope: "sender" },
  { enhanced: ["x.1.8", "x.7.27"], category: "dns", scope: "sender" },
  { enhanced: ["x.2.2"], category: "mailbox_full", scope: "recipient" },
  {
    enhanced: ["x.2.3", "x.3.4", "x.7.16"],
    category: "policy",
    scope: "message",
    advice: "Send fewer messages concurrently.",
  },
  { enhanced: ["x.2.4"], category: "other", scope: "recipient" },
  { enhanced: ["x.4.3", "x.4.4"], category: "dns", scope: "recipient" },
  { enhanced: ["x.4.1", "x.4.2", "x.4.5", "x.4.6", "x.4.7"], category: "network", scope: "destination" },
  // A limit of recipients in one transaction (RFC 5321 section 4.5.3.1.10).
  { enhanced: ["x.5.3"], category: "rate_limit", scope: "message" },
  { enhanced: ["x.6.*"], category: "policy", scope: "message" },
  { enhanced: ["x.7.2"], category: "policy", scope: "recipient" },
  // RFC 7372 and RFC 8617 section 6.3.
  {
    enhanced: ["x.7.5", "x.7.7", "x.7.20", "x.7.21", "x.7.22", "x.7.23", "x.7.24", "x.7.26", "x.7.29"],
    category: "auth",
    scope: "sender",
  },
  // RFC 4954 section 6, RFC 5248: the client's own credentials.
  {
    enhanced: ["x.5.6", "x.7.8", "x.7.9", "x.7.12", "x.7.13", "x.7.14", "x.7.57"],
    category: "auth",
    scope: "destination",
    permanent: false,
  },
  // RFC 7372 section 3.3.
  { enhanced: ["x.7.25"], category: "dns", scope: "destination" },
  // RFC 7817, RFC 8689: REQUIRETLS and encryption needed.
  { enhanced: ["x.7.10", "x.7.11", "x.7.30"], category: "tls", scope: "destination" },
];
