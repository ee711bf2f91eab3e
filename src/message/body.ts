import type { MessageContent } from "./content.ts";

/** What a message is made of. */
export type MessageBody =
  /** What its sender said, to be composed. */
  | { readonly kind: "composed"; readonly content: MessageContent }
  /** Finished by its sender: what goes out, but for what is put on top. */
  | { readonly kind: "raw"; readonly source: Buffer };
