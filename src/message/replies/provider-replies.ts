import { ABOUT_RECIPIENT, type ReplyRule } from "./reply-rule.ts";

/** Words and codes of one provider that the general rules would misclassify. */
export const providerReplies: readonly ReplyRule[] = [
  // Null MX (RFC 7505 section 4.2), and an address that Exchange does not find: neither accepts mail.
  { enhanced: ["x.1.10"], phase: ABOUT_RECIPIENT, category: "invalid_mailbox", scope: "recipient" },
  // Gmail names the key of the rate limit: "originating from your SPF domain".
  { enhanced: ["x.7.28"], category: "rate_limit", scope: "destination" },
  { text: /unusual rate/, category: "rate_limit", scope: "destination" },
  // Gmail uses these with 4.7.23, 4.7.27, 4.7.29 and 4.7.30, which have other meanings in the registry (RFC 7372, 8689).
  {
    text: /sent over a tls connection|sent without tls|requires .{0,40}\b(?:tls|ssl)\b.{0,20}connection/,
    category: "tls",
    scope: "destination",
    advice: "Offer STARTTLS when sending: this receiver accepts no unencrypted mail.",
  },
  // "rate limited because it is unauthenticated": sending more slowly does not help.
  {
    text: /rate limited because it is unauthenticated|(?:spf|dkim) (?:checks? )?did not pass/,
    category: "auth",
    scope: "sender",
  },
  { text: /reputation of the sending domain/, category: "spam", scope: "sender" },
  { text: /not in whitelist for rcpt domain/, category: "policy", scope: "destination" },

  // Amazon SES: two signatures by Hermod, or one beside the sender's.
  {
    text: /duplicate header '?dkim-signature/,
    category: "policy",
    scope: "destination",
    advice: "Set `dkim` of this transport to `rsa`: the relay accepts only one DKIM-Signature field.",
  },

  // Apple: the code means that the host sends too much at the moment.
  { text: /\[hcm\d\]/, category: "rate_limit", scope: "destination" },

  // Outlook.com. RP is a limit; SC, DY, OU and the S3140 family are its blocklist.
  { text: /\brp-00\d\b/, category: "rate_limit", scope: "destination" },
  {
    text: /\b(?:sc|dy|ou)-00\d\b|part of their network is on our block ?list/,
    category: "spam",
    scope: "destination",
    advice: "Ask for removal from the block list in Microsoft's sender support form.",
  },
  // Exchange Online: an address that is not in its directory (directory based edge blocking), not a network failure.
  {
    enhanced: ["5.4.1"],
    text: /recipient address rejected: access denied/,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  { enhanced: ["x.7.500", "x.7.650"], category: "rate_limit", scope: "destination" },
  { enhanced: ["x.2.121", "x.2.122"], category: "rate_limit", scope: "recipient" },
  { text: /recipient thread limit/, category: "rate_limit", scope: "recipient" },
  { enhanced: ["x.7.509", "x.7.515"], category: "auth", scope: "sender" },
  {
    text: /resolver\.rst\.|allowed.senders? list/,
    category: "policy",
    scope: "recipient",
    advice: "The recipient accepts mail only from chosen senders: ask to be added.",
  },
  { enhanced: ["x.4.62"], category: "dns", scope: "destination" },
  { enhanced: ["x.7.511"], category: "spam", scope: "destination" },

  // Yahoo: "permanently deferred" comes with 421 and 451, and its text says that a retry does not help.
  {
    text: /permanently deferred|retrying will not succeed/,
    category: "spam",
    scope: "destination",
    permanent: true,
  },
  { text: /temporarily deferred due to/, category: "rate_limit", scope: "destination" },
  { text: /\(au01\)|\[au01\]/, category: "auth", scope: "sender" },
  { text: /\[ph01\]/, category: "spam", scope: "message" },
  // With 5.7.9, which is "authentication mechanism too weak" in the registry.
  { text: /not accepted for policy reasons/, category: "policy", scope: "message" },
  { text: /excessive unknown recipients/, category: "rate_limit", scope: "destination" },

  // Orange and La Poste: a code at the end of a generic text ("Service refuse").
  { text: /\b(?:ofr|lpn)\d{0,3}_?416\b/, category: "invalid_mailbox", scope: "recipient" },
  // With 5.1.1.
  { text: /\b(?:ofr|lpn)\d{0,3}_?417\b/, category: "mailbox_full", scope: "recipient" },
  { text: /\b(?:ofr|lpn)\d{0,3}_(?:420|426)\b/, category: "invalid_mailbox", scope: "recipient" },
  {
    text: /\b(?:ofr|lpn)\d{0,3}_(?:104|105|107|108|109|201|999)\b/,
    category: "rate_limit",
    scope: "destination",
  },
  { text: /\b(?:ofr|lpn)\d{0,3}_(?:102|103|510|630)\b/, category: "spam", scope: "destination" },
  { text: /\b(?:ofr|lpn)\d{0,3}_(?:506|513)\b/, category: "spam", scope: "message" },

  // GMX and web.de: a mailbox may also be full by number of messages.
  { text: /too many messages on the server/, category: "mailbox_full", scope: "recipient" },
  // T-Online gives no reason; (BL) and (NOWL) are its lists.
  { text: /a problem occurred\. \(ask your postmaster/, category: "spam", scope: "destination" },

  // IronPort: the recipient is not in its table.
  { text: /#5\.1\.0 address rejected/, category: "invalid_mailbox", scope: "recipient" },

  // QQ: this recipient receives too much mail at the moment, with a request to retry later, although the code is 550.
  {
    provider: /(?:^|\.)qq\.com$/,
    text: /mailbox unavailable or access denied/,
    category: "rate_limit",
    scope: "recipient",
  },
  { text: /(?:sender|domain) frequency limited/, category: "rate_limit", scope: "sender" },
  { text: /frequency limited/, category: "rate_limit", scope: "destination" },
  // NetEase (163, 126): HL is a limit of the host, MI and RP of the session.
  {
    text: /\b(?:hl:(?:rep|icc|ifc|mep)|mi:(?:dmc|sfq|ccl|cel)|rp:(?:drc|ccl|cel|qrc|trc))\b/,
    category: "rate_limit",
    scope: "destination",
  },
  { text: /\bdt:spm\b/, category: "spam", scope: "message" },
  { text: /\bdt:rbl\b/, category: "spam", scope: "destination" },
  { text: /\bmi:(?:spb|nhd)\b|\bwm:bl[iu]\b/, category: "policy", scope: "sender" },

  // Comcast, Cox and Charter give the reason as a code.
  { text: /#rl00\d{4}\b|aup#cx(?:cnct|mxrt|thrt)/, category: "rate_limit", scope: "destination" },
  { text: /aup#cxsndr/, category: "auth", scope: "sender" },
  { text: /aup#cxdns|#es0\d{5}\b/, category: "dns", scope: "destination" },
  {
    text: /#bl0\d{5}\b|aup#(?:cxbl|cdrbl|ipbl\d{4}|in-1\d{3})/,
    category: "spam",
    scope: "destination",
  },
];
