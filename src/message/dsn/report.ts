/** Content of a report that came back. All text is safe to store and to show: see `safeText`. */
export type Report = DeliveryReport | ComplaintReport | OtherReport;

/** RFC 3464 section 2.3.3. `relayed`: passed to a host that sends no reports; `expanded`: to the members of a list. */
export type DeliveryAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded";

/** RFC 5965 section 7.3; other types, such as `auth-failure`, are `other`. */
export type FeedbackType = "abuse" | "fraud" | "virus" | "not-spam" | "other";

export interface RecipientReport {
  /** Address to which the other side delivered; in the form of `parseAddress`, or unchanged if it is invalid. */
  readonly finalRecipient: string;
  /** Address that Hermod sent to, which a forward may have replaced. */
  readonly originalRecipient?: string;
  readonly action: DeliveryAction;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly status?: string;
  /** Text of the refusing host, without its type ("smtp;"). */
  readonly diagnosticCode?: string;
  /** Name or address of the refusing host. */
  readonly remoteMta?: string;
}

/** A delivery status notification, or an older bounce in plain text. */
export interface DeliveryReport {
  readonly kind: "dsn";
  /** One or more. */
  readonly perRecipient: readonly RecipientReport[];
  readonly reportingMta?: string;
  /** With its angle brackets. */
  readonly originalMessageId?: string;
  readonly originalEnvelopeId?: string;
}

/** A complaint of a feedback loop. */
export interface ComplaintReport {
  readonly kind: "arf";
  readonly feedbackType: FeedbackType;
  readonly userAgent?: string;
  /** Often empty or redacted. */
  readonly originalRecipients: readonly string[];
  /** Envelope sender of the reported message: the signed return path, unless redacted. */
  readonly originalMailFrom?: string;
  /** With its angle brackets. */
  readonly originalMessageId?: string;
  readonly sourceIp?: string;
  readonly arrivalDate?: Date;
}

/** Not a report: an automatic reply, a read receipt, a letter. */
export interface OtherReport {
  readonly kind: "other";
}

/** Maximum of recipients per report; Hermod sends to one recipient per message. */
export const MAX_REPORTED_RECIPIENTS = 100;
