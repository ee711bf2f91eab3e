import { ABOUT_RECIPIENT, type ReplyRule } from "./reply-rule.ts";
import { unknownRecipient } from "./unknown-recipient.ts";

const POLICY_WORDS =
  /polic(?:y|ies)|prohibit|not allowed|not permitted|violat|administrative|denied by|blocked|restricted|security/;

/** Texts of servers with vague codes. Texts that cannot be about a recipient come first. */
export const generalText: readonly ReplyRule[] = [
  {
    text: /(?:must issue|requires?|support|use of|without|over) (?:an? )?(?:tls|starttls|ssl|encrypt)|\b(?:tls|tls\/sslv3|ssl|starttls|encryption)\b.{0,30}(?:required|needed|not available|handshake|negotiat|fail|not supported|mandatory)|mta-sts|starttls-not|certificate (?:verif|has expired|expired|mismatch)/,
    category: "tls",
    scope: "destination",
  },
  {
    text: /(?:temporary|internal) (?:server|system|local) (?:error|problem)|local (?:error|problem)|configuration (?:error|problem)/,
    category: "other",
    scope: "destination",
  },

  // A forbidden attachment, or a malformed or too large message.
  {
    text: /attachment|banned (?:file|content|name|part)|security issue|executable/,
    category: "policy",
    scope: "message",
  },
  {
    text: /(?:message|mail|body|letter).{0,20}(?:size|too (?:large|big|long))|size (?:limit|exceed)|taille limite/,
    category: "policy",
    scope: "message",
    advice: "The message is too large for this receiver: send a link instead of an attachment.",
  },
  {
    text: /rfc ?-?(?:5322|2822|822|5321|2821)\b|bare (?:lf|cr|linefeed|newline)|stray (?:lf|linefeed|newline)|smtplf|line (?:is )?too long|line length|invalid header|header.{0,30}(?:missing|not valid)|messages? missing|multiple .?from/,
    category: "policy",
    scope: "message",
  },

  {
    text: /\bspam|unsolicited|\bbulk\b|\bjunk\b|suspicious|phish|objectionable|content (?:was |is )?(?:denied|reject|not accept|restrict)|antispam|anti-spam|message (?:has been )?filtered|mail rejete/,
    category: "spam",
    scope: "message",
  },

  // Decision of the recipient or of the organization.
  {
    text: /rejected by (?:the )?recipients?\b|recipient.{0,40}(?:not accepting mail from|only accepts|has blocked)|user (?:in blacklist|rejected your)|blocked by the recipient|recipient (?:does not want|refuses)/,
    category: "policy",
    scope: "recipient",
  },

  {
    text: /(?:host|domain|system) (?:name )?(?:is )?(?:unknown|not found|does not exist)|unknown (?:host|mail server|domain)|dns (?:error|fail|lookup|problem|query)|unable to resolve|temporary domain failure|could not find a mail server|temporary lookup failure/,
    category: "dns",
    scope: "recipient",
  },

  // Only these make an address invalid by their text, and only as a reply to the recipient.
  ...unknownRecipient,
  {
    phase: ABOUT_RECIPIENT,
    text: /(?:user|recipient|account|mailbox|address|addressee|alias|local.?part)(?: @)?(?: that you tried to reach)?(?: (?:name|is|was))? ?(?:unknown|not found|not known|invalid|does(?: not|n't) exist|not exist|no longer|not recognized|not listed)/,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  {
    phase: ABOUT_RECIPIENT,
    text: /(?:unknown|no such|invalid|nonexistent|undeliverable|not a valid|illegal|bad destination|not our|not local|unavailable) (?:local )?(?:user|recipient|account|mailbox|address|e-?mail address|alias|customer|part|rcpt|mail user|person)|unrouteable address|recipient mailbox is not allowed|bad (?:recipient )?address syntax|no mailbox here|does(?: not|n't) have an? [a-z.]{0,30} ?account|unknown (?:to @|in (?:local|virtual|relay))/,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  {
    phase: ABOUT_RECIPIENT,
    text: /(?:user|recipient|account|mailbox|address)(?: @)?(?: that you tried to reach)?(?: (?:is|has been|was))?(?: (?:currently|temporarily))? ?(?:disabled|inactive|suspended|closed|deactivated|deleted|expired|locked|terminated|archived)|inactive (?:user|e-?mail|mailbox|account)|account has been disabled/,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  // With 5.7 the command was "rejected for policy reasons" (RFC 5321 section 4.2.3).
  {
    enhanced: ["x.7.*"],
    text: /mailbox (?:is )?(?:currently )?unavailable/,
    category: "policy",
    scope: "recipient",
  },
  // "Busy" with 450 (RFC 5321 section 4.2.3), "not found" with 550.
  {
    code: ["5xx"],
    phase: ABOUT_RECIPIENT,
    text: /mailbox (?:is )?(?:currently )?unavailable/,
    category: "invalid_mailbox",
    scope: "recipient",
  },
  { text: /recipient (?:address )?(?:is )?rejected/, category: "policy", scope: "recipient" },

  // Without the name of a list, but about the host.
  {
    text: /(?:host|\bip|client|network|connections?)(?: address)?(?: \[?[0-9a-f.:]{3,45}\]?)?(?: (?:is|was|has been|have been))?(?: (?:currently|temporarily))? ?(?:blocked|banned|denied|rejected|filtered|not accepted)|\byour ip\b|blocked for (?:spam|abuse)|is_blocked|access denied|access to (?:submit|this mail system)/,
    category: "spam",
    scope: "destination",
  },
  {
    text: /(?:server|system|service|too|load) (?:is )?(?:currently )?(?:busy|overload|high)|service (?:is )?(?:temporarily )?(?:not available|unavailable)|closing (?:transmission|connection)|connection (?:timed out|reset|refused|closed|lost)|timed? ?out|no smtp service|not accepting (?:connections|network)|too many hops|\bloop(?:ing|s| detected)|temporarily (?:not available|unavailable)/,
    category: "network",
    scope: "destination",
  },
  // A refusal before the message is seen cannot be about it.
  { phase: ["connect", "ehlo", "starttls"], text: POLICY_WORDS, category: "policy", scope: "destination" },
  { phase: ["mail"], text: POLICY_WORDS, category: "policy", scope: "sender" },
  { phase: ["rcpt"], text: POLICY_WORDS, category: "policy", scope: "recipient" },
  { text: POLICY_WORDS, category: "policy", scope: "message" },
];
