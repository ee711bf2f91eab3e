import type { DeliveryAction } from "./report.ts";

/** A report on one message to one recipient (RFC 3464). It may contain unchanged foreign text. */
export interface DsnFacts {
  readonly action: DeliveryAction;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly status: string;
  /** The address of the delivery or the failure. */
  readonly recipient: string;
  /** ORCPT of RFC 3461, decoded, for example `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** The host of the last reply: a name, or an address in brackets. */
  readonly remoteMta?: string;
  /** `smtp`: reply of that host; `x-hermod`: finding of Hermod. */
  readonly diagnostic?: { readonly type: "smtp" | "x-hermod"; readonly text: string };
  readonly lastAttemptAt?: Date;
  readonly willRetryUntil?: Date;
}

/** The message of the notice. */
export interface DsnOriginal {
  readonly arrivedAt: Date;
  readonly subject: string;
  /** With its angle brackets. */
  readonly messageId: string;
  /** ENVID of RFC 3461, decoded. */
  readonly envelopeId?: string;
  /** Source as submitted; undefined: it is past its retention. */
  readonly source?: Buffer;
  /** RET of RFC 3461; a notice that is not of a failure returns only the header. */
  readonly returnContent?: "full" | "headers";
}

/** True for an address beyond ASCII, which makes the report one of RFC 6533. */
export interface DsnStyle {
  readonly isGlobal: boolean;
}
