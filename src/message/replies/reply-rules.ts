import { decisiveText } from "./decisive-text.ts";
import { enhancedCodes } from "./enhanced-codes.ts";
import { generalText } from "./general-text.ts";
import { localFaults } from "./local-faults.ts";
import { providerReplies } from "./provider-replies.ts";
import { ABOUT_RECIPIENT, type ReplyRule } from "./reply-rule.ts";

/** Meaning of the vague enhanced codes and of the reply code alone (RFC 3463 section 3, RFC 5321 section 4.2.2). */
const codeClasses: readonly ReplyRule[] = [
  { code: [530, 534, 535, 538], category: "auth", scope: "destination", permanent: false },
  // RFC 3463: "mailbox disabled, not accepting messages". As 521 and after the message AOL used it for a host.
  { code: [550], enhanced: ["5.2.1"], phase: ["rcpt"], category: "invalid_mailbox", scope: "recipient" },
  { enhanced: ["x.1.*", "x.2.*"], phase: ABOUT_RECIPIENT, category: "other", scope: "recipient" },
  { enhanced: ["x.3.*"], category: "other", scope: "destination" },
  { enhanced: ["x.4.*"], category: "network", scope: "destination" },
  { enhanced: ["x.7.*"], phase: ["data"], category: "policy", scope: "message" },
  { enhanced: ["x.7.*"], phase: ["rcpt"], category: "policy", scope: "recipient" },
  { enhanced: ["x.7.*"], phase: ["mail"], category: "policy", scope: "sender" },
  { enhanced: ["x.7.*"], category: "policy", scope: "destination" },

  // RFC 7504 section 4: the recipient's domain accepts no mail.
  { code: [556], category: "dns", scope: "recipient" },
  // RFC 5321 section 4.2.3: storage; as a reply to the message it often means its size (RFC 1870 section 6.3).
  { code: [552], phase: ["rcpt"], category: "mailbox_full", scope: "recipient" },
  { code: [552], category: "policy", scope: "message" },
  // RFC 5321 section 3.8: the server is closing, for any command.
  { code: [421], category: "network", scope: "destination" },
  { code: ["4xx"], phase: ["connect", "ehlo", "starttls"], category: "network", scope: "destination" },
  // RFC 5321 section 3.1, RFC 7504: a greeting of 554 or 521 refuses this host.
  { code: ["5xx"], phase: ["connect", "ehlo", "starttls"], category: "policy", scope: "destination" },
  { phase: ["mail"], category: "other", scope: "sender" },
  { phase: ["rcpt"], category: "other", scope: "recipient" },
  { category: "other", scope: "message" },
];

/**
 * All rules; the first matching one decides: words of one provider, words that outweigh a code, then the enhanced code, then
 * the text, then the class of the code.
 */
export const replyRules: readonly ReplyRule[] = [
  ...localFaults,
  ...providerReplies,
  ...decisiveText,
  ...enhancedCodes,
  ...generalText,
  ...codeClasses,
];
