import type { FaultText } from "../shared/fault-text.ts";

/** A mailbox as RFC 5322 section 3.4 has it: an address and, perhaps, the name shown beside it. */
export interface Mailbox {
  /** `local@domain`; the domain as A-labels (RFC 5890), the local part as given (RFC 6531 allows UTF-8). */
  readonly address: string;
  readonly displayName?: string;
}

export interface Attachment {
  readonly filename: string;
  /** `type/subtype` with optional parameters (RFC 2045 section 5.1). */
  readonly contentType: string;
  readonly content: Uint8Array;
  /** `inline` parts are those that the html shows by `cid:`. */
  readonly disposition: "attachment" | "inline";
  /** Without angle brackets (RFC 2392). */
  readonly contentId?: string;
}

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What a sender asked to be said, before it becomes a MIME message. */
export interface MessageContent {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly headers: readonly HeaderField[];
  readonly attachments: readonly Attachment[];
}

/** What a message is made of. */
export type MessageBody =
  /** What its sender said, to be composed. */
  | { readonly kind: "composed"; readonly content: MessageContent }
  /** Finished by its sender: what goes out, but for what is put on top. */
  | { readonly kind: "raw"; readonly source: Buffer };

/** Why a piece of content is refused: a stable code for programs and a sentence for people. */
export interface ContentFault<Code extends string = string> {
  readonly code: Code;
  readonly message: FaultText;
}
