import type { DeliveryAction } from "./report.ts";

/** What is told of one message to one recipient (RFC 3464). Text of strangers may stand in it as it came. */
export interface DsnFacts {
  readonly action: DeliveryAction;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly status: string;
  /** The address that was delivered to, or was not. */
  readonly recipient: string;
  /** ORCPT of RFC 3461, decoded, as `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** The host that gave the last answer: a name, or an address in brackets. */
  readonly remoteMta?: string;
  /** `smtp`: what that host said; `x-hermod`: what was found out here. */
  readonly diagnostic?: { readonly type: "smtp" | "x-hermod"; readonly text: string };
  readonly lastAttemptAt?: Date;
  readonly willRetryUntil?: Date;
}

/** The message that a notice is about. */
export interface DsnOriginal {
  readonly arrivedAt: Date;
  readonly subject: string;
  /** With its angle brackets. */
  readonly messageId: string;
  /** ENVID of RFC 3461, decoded. */
  readonly envelopeId?: string;
  /** As it was submitted; undefined: it is past its retention. */
  readonly source?: Buffer;
  /** RET of RFC 3461; a notice of anything but failure returns the header alone. */
  readonly returnContent?: "full" | "headers";
}

/** An address that is none in ASCII, so that the report is one of RFC 6533. */
export interface DsnStyle {
  readonly isGlobal: boolean;
}
