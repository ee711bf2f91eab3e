import type { FaultText } from "../shared/fault-text.ts";

/** A mailbox (RFC 5322 section 3.4): an address and optionally a display name. */
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
  /** The html shows `inline` parts by `cid:`. */
  readonly disposition: "attachment" | "inline";
  /** Without angle brackets (RFC 2392). */
  readonly contentId?: string;
}

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** Content of a message from its sender, before it becomes a MIME message. */
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

/** Body of a message. */
export type MessageBody =
  /** Content from its sender, to be composed. */
  | { readonly kind: "composed"; readonly content: MessageContent }
  /** Finished by its sender: sent unchanged, except for fields added on top. */
  | { readonly kind: "raw"; readonly source: Buffer };

/** Reason why content is refused: a stable code for programs and a sentence for people. */
export interface ContentFault<Code extends string = string> {
  readonly code: Code;
  readonly message: FaultText;
}
