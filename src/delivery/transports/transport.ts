import type { SevenBit } from "../../message/mime/seven-bit/to-seven-bit.ts";
import type { TransportOutcome } from "../../message/replies/outcome.ts";
import type { Envelope } from "../../smtp-client/envelope.ts";
import type { OpenConnections } from "../../smtp-client/open-connections.ts";
import type { MessageDocument } from "../../store/message-documents.ts";

/** Parts of a message that a server rejects. */
export interface Conversion {
  /** Octets beyond ASCII in the header: the server has no SMTPUTF8. */
  readonly header?: boolean;
  /** Octets beyond ASCII in the body: the server has no 8BITMIME. */
  readonly body?: boolean;
}

/** One message, ready to send. */
export interface Mail {
  readonly message: MessageDocument;
  readonly envelope: Envelope;
  /** The message in the form of RFC 5322, with CRLF. */
  readonly source: Buffer;
  /** True if this worker may still send the message: checked before each server and each step towards the final dot. */
  readonly mayFinish?: (() => boolean) | undefined;
  /** Position in the transport's list of servers at which this attempt begins: `resumeAt` of an earlier outcome. */
  readonly startAt?: number;
  /** Connections to the message's destination. */
  readonly connections?: OpenConnections | undefined;
  /** The message in another form for a server that does not accept this one. */
  readonly converted: (conversion: Conversion) => Promise<SevenBit>;
}

/** A route out of Hermod. */
export interface Transport {
  /** Never rejects: errors are outcomes. */
  deliver(mail: Mail): Promise<TransportOutcome>;
  /** Closes unused connections. */
  close(): void;
}
