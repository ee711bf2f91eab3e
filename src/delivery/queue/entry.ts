import type { MessageBody } from "../../message/content.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Destination } from "../routing/destination-limits.ts";

/** A message that waits in memory for its turn. */
export interface Entry {
  readonly message: MessageDocument;
  /** When it is at hand. */
  readonly body: MessageBody | undefined;
  /** The epoch of the lease under which it was read: under any other one it may be old news, and is not begun. */
  readonly epoch: number;
}

/** A message whose turn has come. */
export interface Started extends Entry {
  readonly destination: Destination;
  readonly startedMs: number;
}
