import type { SevenBit } from "../../message/mime/seven-bit/to-seven-bit.ts";
import type { TransportOutcome } from "../../message/replies/outcome.ts";
import type { Envelope } from "../../smtp-client/envelope.ts";
import type { OpenConnections } from "../../smtp-client/open-connections.ts";
import type { MessageDocument } from "../../store/message-documents.ts";

/** Parts of a message that a server rejects. */
export interface Conversion {
  /** Octets beyond ASCII in the header: it has no SMTPUTF8. */
  readonly header?: boolean;
  /** Octets beyond ASCII in the body: it has no 8BITMIME. */
  readonly body?: boolean;
}

/** One message, ready to leave. */
export interface Mail {
  readonly message: MessageDocument;
  readonly envelope: Envelope;
  /** The message as RFC 5322 has it, with CRLF. */
  readonly source: Buffer;
  /** Whether the message may still be sent from here: asked before each server and each step towards the final dot. */
  readonly mayFinish?: (() => boolean) | undefined;
  /** The place in the transport's list of servers at which this attempt begins: `resumeAt` of an earlier outcome. */
  readonly startAt?: number;
  /** Those to the message's destination. */
  readonly connections?: OpenConnections | undefined;
  /** The message as a server needs it that does not take it as it is. */
  readonly converted: (conversion: Conversion) => Promise<SevenBit>;
}

/** A way out of Hermod. */
export interface Transport {
  /** Never rejects: what goes wrong is an outcome. */
  deliver(mail: Mail): Promise<TransportOutcome>;
  /** Lets connections go that nothing uses. */
  close(): void;
}
