import type { ReplyRule } from "./reply-rule.ts";

/**
 * Words that outweigh any code. Servers give 550 and even 5.1.1 for a listed host, a limit or an unwanted sender; trusting the
 * code would give up a valid address.
 */
export const decisiveText: readonly ReplyRule[] = [
  // With wrong credentials, the message can wait until they are corrected (RFC 4954 section 6).
  {
    phase: ["auth"],
    category: "auth",
    scope: "destination",
    permanent: false,
    advice: "Check user name and password of this relay.",
  },

  { text: /gr[ea]y[ -]?list|come back later/, category: "policy", scope: "recipient", greylisted: true },
  // Mimecast's text for the same.
  {
    text: /internal resources? (?:is |are )?temporarily unavailable/,
    category: "policy",
    scope: "recipient",
    greylisted: true,
  },
  // The server is still verifying the address with another server (Postfix, 450 4.1.1).
  {
    text: /unverified address|address verification in progress|could not complete recipient verify/,
    category: "other",
    scope: "recipient",
    permanent: false,
  },

  // Words about the content, with codes about the recipient.
  {
    text: /\bvirus(?:es)?\b|malware|infected|\btrojan\b/,
    category: "policy",
    scope: "message",
  },

  // The sender: "user unknown" and "does not exist" are about the return path here, never about the recipient.
  {
    text: /sender address rejected: domain (?:not found|[a-z0-9.-]{1,80} does not accept mail)|sender domain (?:must|does not|not) |domain of sender (?:address )?@? ?does not|requires valid sender domain/,
    category: "dns",
    scope: "sender",
  },
  // RFC 7505 section 4.1, with a code that Exchange uses for unknown recipients.
  { text: /does not accept mail \(nullmx\)|null mx/, category: "dns", scope: "recipient" },
  {
    text: /(?:dmarc|dkim|spf) dns lookup|lookup of (?:spf|dkim|dmarc)/,
    category: "dns",
    scope: "sender",
  },
  {
    text: /\b(?:spf|dkim|dmarc|domainkeys|openspf)\b|sender policy framework|unauthenticated|authentication checks|domain authentication fail|spoof/,
    category: "auth",
    scope: "sender",
  },
  {
    text: /not (?:allowed|permitted|authorized|authorised) to send (?:e?-?mails? )?(?:from|for|on behalf|as) /,
    category: "auth",
    scope: "sender",
  },
  {
    text: /sender(?:'s)? (?:e-?mail )?(?:address |account |domain )?(?:is )?(?:rejected|invalid|unknown|denied|not found|does(?: not|n't) exist)|\breturn[ -]?path\b|\b(?:envelope from|mail from|from) address\b|\b(?:your|sending for this) account\b|bad outbound sender|sender (?:verify|verification) failed|callout verification|verification failed for @|\b(?:invalid|unknown|no such|nonexistent|non-existent|unverified|unauthorized|forged) (?:envelope )?sender\b|complete sender verify|\babsender(?:adresse)?\b|\bexp.{1,2}diteur\b|\b(?:remitente|mittente|remetente|afzender)\b/,
    category: "policy",
    scope: "sender",
    advice: "The receiver may check whether the return path exists: its domain must accept bounces.",
  },
  {
    text: /authentication (?:is )?required|authentification requise|client was not authenticated|must (?:be authenticated|authenticate)|turn on smtp auth/,
    category: "auth",
    scope: "destination",
    permanent: false,
    advice: "This server requires SMTP AUTH: give the relay a user name and a password.",
  },
  // Neither the recipient's domain nor this installation's: it is the wrong server, regardless of its code.
  {
    text: /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed)|prohibited|rejected)|(?:unable|cannot|can't|not able) to relay|relay access|(?:cannot|can't|will not|won't|do(?:es)? not|don't) relay|not (?:permitted|allowed) to relay|allowed rcpthosts|as a relay|open relay/,
    category: "policy",
    scope: "destination",
  },

  // The host's own name. Before the limits and the lists: these sentences often end with "blocked" or "try later".
  {
    text: /reverse[ -]?(?:dns|lookup|hostname|mapping)|\brdns\b|\bptr\b|(?:find|resolve) your (?:reverse )?hostname|helo command rejected: (?:host not found|need fully)|invalid helo/,
    category: "dns",
    scope: "destination",
    advice:
      "Give the sending address a PTR record that names this host, and the host an address record (RFC 1912).",
  },

  {
    text: /receiving mail (?:at a rate|too quickly)|received too much email|mailbox (?:is )?(?:busy|receiving too)|messages to @ deferred/,
    category: "rate_limit",
    scope: "recipient",
  },
  {
    text: /daily (?:user )?(?:smtp relay )?sending (?:limit|quota)|sending (?:limit|quota) exceeded|too much mail from @/,
    category: "rate_limit",
    scope: "sender",
  },
  {
    text: /too many (?:concurrent |simultaneous |tls |open )?(?:smtp )?(?:connections|sessions)|connection (?:rate|limit|frequency)|(?:concurrent|simultaneous) connections|trop de connexions/,
    category: "rate_limit",
    scope: "destination",
  },
  {
    text: /too many recipients (?:received|this|per|in|from)|recipients? (?:this|per) hour/,
    category: "rate_limit",
    scope: "destination",
  },
  {
    text: /rate.?limit|rate control|throttl|unusual rate|too (?:fast|much mail)|slow down|excessive volume|message rate|(?:e-?mails?|messages?|mails) per (?:connection|session|minute|hour|day)|too many (?:messages|mails|e-?mails|requests|errors|invalid recipients|unknown users|bad commands)/,
    category: "rate_limit",
    scope: "destination",
  },

  // A listed link or domain inside the message, which another message may not have.
  {
    text: /\b(?:dbl|surbl|uribl)\b|having a domain present|links? .{0,30}(?:black|block) ?list/,
    category: "spam",
    scope: "message",
  },
  // The blocklist of one organization or person.
  {
    text: /badmailfrom|(?:your e-?mail address|your domain|envelope sender|sender address) (?:@ )?(?:has been |is |was )?(?:in my |on (?:our|my) )?(?:black|block)|envelope blocked/,
    category: "policy",
    scope: "sender",
  },
  // Lists and scores of the host: they are not about the recipient.
  {
    text: /\b(?:rbl|rbls|dnsbl|dnsbls|csi)\b|spamhaus|spamcop|barracuda ?(?:reputation|central)|sorbs|uceprotect|senderscore|mail-abuse|trend micro|\bers-|ipcheck\.proofpoint|dnsbl-lookup/,
    category: "spam",
    scope: "destination",
  },
  // "Address unknown" can also be about the host's address.
  {
    text: /\b(?:ip|client|host|server|source|your) address (?:(?:is|was|has been) )?(?:unknown|not|invalid|does|black|block|bann|den|disabled)/,
    category: "spam",
    scope: "destination",
  },
  {
    text: /(?:black|block|deny)[ -]?list|\breputation\b|banned sending ip|traffic not accepted from this ip|too many spams from your ip|client host \[?[0-9a-f.:]{3,45}\]? blocked|mail from \[?[0-9a-f.:]{3,45}\]? is (?:currently )?blocked|\d is blocked/,
    category: "spam",
    scope: "destination",
  },

  {
    text: /over (?:storage )?quota|over(?:draft|drawn) quota|quota (?:limit )?(?:is )?(?:exceeded|full)|quotaexceeded|exceed(?:s|ed|ing)?(?: (?:the|its|his|allowed|allocated|storage|mailbox|disk))? (?:quota|storage allocation|allocated storage)|(?:mailbox|inbox|account|mail ?box|user) (?:of @ |for @ )?(?:is |has been |storage )?full|mailbox (?:size )?limit exceeded|out of storage space|exhausted allowed storage|boite .{0,30}pleine/,
    category: "mailbox_full",
    scope: "recipient",
  },
  // A full disk is a problem of the server.
  {
    text: /(?:out of|insufficient|not enough) (?:system )?(?:storage|resources|disk)|mail system full/,
    category: "other",
    scope: "destination",
  },

  // 5.1.1 together with such words is a refusal of the sender, or of the message.
  {
    enhanced: ["x.1.0", "x.1.1"],
    text: /\b(?:blocked|spam|spammer|abuse|policy|unsolicited|junk|bulk|phishing)\b/,
    category: "spam",
    scope: "destination",
  },
  {
    enhanced: ["x.1.0", "x.1.1"],
    text: /\battachment|\b(?:message|content|mail) (?:is |was |has been |size )?(?:too (?:large|big)|rejected|refused|filtered|exceeds)|\bmalformed\b|invalid header/,
    category: "policy",
    scope: "message",
  },
];
