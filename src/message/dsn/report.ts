/** What a message that came back to us says. All text is safe to store and to show: see `safeText`. */
export type Report = DeliveryReport | ComplaintReport | OtherReport;

/** RFC 3464 section 2.3.3. `relayed`: handed to a host that sends no reports; `expanded`: to a list's members. */
export type DeliveryAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded";

/** RFC 5965 section 7.3; types that are not known here, `auth-failure` among them, are `other`. */
export type FeedbackType = "abuse" | "fraud" | "virus" | "not-spam" | "other";

export interface RecipientReport {
  /** The address that the other side delivered to; in the form of `parseAddress`, or as it came if it is none. */
  readonly finalRecipient: string;
  /** The address that we gave, which a forward may have replaced by another. */
  readonly originalRecipient?: string;
  readonly action: DeliveryAction;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly status?: string;
  /** The words of the host that refused, without their type ("smtp;"). */
  readonly diagnosticCode?: string;
  /** Name or address of the host that refused. */
  readonly remoteMta?: string;
}

/** A delivery status notification, or an older bounce in plain text read as one. */
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
  /** The envelope sender of the message complained of: our signed return path, unless redacted. */
  readonly originalMailFrom?: string;
  /** With its angle brackets. */
  readonly originalMessageId?: string;
  readonly sourceIp?: string;
  readonly arrivalDate?: Date;
}

/** No report: an automatic reply, a read receipt, a letter. */
export interface OtherReport {
  readonly kind: "other";
}

/** Recipients of one report that are read, at most; we send to one recipient per message. */
export const MAX_REPORTED_RECIPIENTS = 100;
