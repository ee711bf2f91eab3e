/** Form of the bounces for people of one kind of program. The expressions match single lines of at most 1000 characters. */
export interface TextDialect {
  /** Identifies the program. In a quoting reply ("> ...") it is not at the start of a line. */
  readonly intro: RegExp;
  /** The line before the addresses, if the text above it contains others. */
  readonly begin?: RegExp;
  /** A line that names a recipient: the address, or a pipe instead of it, and the first words about it. */
  readonly address: RegExp;
  /** The line before the undelivered message. */
  readonly stop: RegExp;
  /** True if the text about one recipient continues after a blank line. */
  readonly severalParagraphs?: true;
  readonly reportingMta?: RegExp;
  /** The refusing host, in the text about one recipient. */
  readonly remoteMta?: RegExp;
}

export const TEXT_DIALECTS: readonly TextDialect[] = [
  {
    // qmail, and Yahoo in a similar form.
    intro:
      /^(?:Hi\. This is the .{0,40}program|Sorry, we were unable to deliver your message|Message from \S+\.$)/,
    address: /^<([^<>\s]+)>:\s*(.*)$/,
    stop: /^-{2,} ?(?:Below this line is a copy|Original message follows)/,
    reportingMta: /^Hi\. This is the \S+ program at (\S+?)\.?$/,
    remoteMta: /^Connected to (\S+) but |^(\S+) does not like recipient|^Giving up on (\S+?)\.?$/,
  },
  {
    // Postfix, when a gateway left only the text of its report.
    intro: /^This is the (?:mail system at host|Postfix program at host|\S+ mail system)/,
    address: /^<([^<>\s]+)>(?: \(expanded from <[^<>]*>\))?:\s*(.*)$/,
    stop: /^(?:-{2,}|Return-Path:|Received:)/,
    reportingMta: /^This is the (?:mail system|Postfix program) at host (\S+?)\.?$/,
    remoteMta: /\bhost (\S+?)\[/,
  },
  {
    // Exim, before its bounces became reports.
    intro: /^This message was created automatically by mail delivery software/,
    address: /^ {2}(?! )(.+?):?()$/,
    stop: /^-{2,} This is a copy of/,
    remoteMta: /\bhost (\S+) \[/,
  },
  {
    // Gmail, before its bounces became reports.
    intro: /^Delivery to the following recipients? failed permanently/,
    address: /^ +([^\s<>]+@[^\s<>@]+?)()$/,
    stop: /^-{2,} Original message -{2,}/,
    severalParagraphs: true,
    remoteMta: /\bby (\S+?)\.? ?\[/,
  },
  {
    // Exchange and Exchange Online, when a gateway left only the text of their report.
    intro: /^Delivery has failed to these recipients/,
    begin: /^Diagnostic information for administrators:/,
    address: /^\s*([^\s<>()]+@[^\s<>()@]+?)()$/,
    stop: /^Original message headers:/i,
    reportingMta: /^Generating server: (\S+)/,
  },
  {
    // Exchange 2003 and older.
    intro: /^Your message did not reach some or all of the intended recipients/,
    begin: /could not be reached:|did not reach the following recipient/,
    address: /^\s*([^\s<>()]+@[^\s<>()@]+?)(?: on \d.*)?()$/,
    stop: /^-{2,}/,
    remoteMta: /<([^\s<]+) #\d/,
  },
  {
    // Sendmail, when a gateway left only the text of its report.
    intro: /^ *-{3,} The following addresses had (?:permanent fatal|transient non-fatal) errors -{3,}/,
    address: /^<?([^<>\s]+@[^<>\s@]+)>?()$/,
    stop: /^ *-{3,} (?:Transcript of session|Original message|Unsent message)/,
  },
];

/** Indicates that delivery continues. */
export const DELAY =
  /THIS IS A WARNING ONLY|has not yet been delivered|transient non-fatal errors|delivery (?:has been|is) delayed/i;
