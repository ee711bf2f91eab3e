import type { MessageBody } from "../../message/content.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Destination } from "../routing/destination-limits.ts";

/** A message that waits in memory for its turn. */
export interface Entry {
  readonly message: MessageDocument;
  /** The body if it is loaded. */
  readonly body: MessageBody | undefined;
  /** Epoch of the lease under which it was read: under any other epoch it may be outdated, and no attempt begins. */
  readonly epoch: number;
}

/** A message in its turn. */
export interface Started extends Entry {
  readonly destination: Destination;
  readonly startedMs: number;
}
