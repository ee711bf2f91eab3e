import type { Readable } from "node:stream";
import type { MessageCheck, MessageFault } from "./message-check.ts";

/** The message is refused because of its content. It was read to its end. */
export class MessageRefused extends Error {
  readonly reason: MessageFault;
  constructor(reason: MessageFault) {
    super(`The message is refused: ${reason}`);
    this.name = "MessageRefused";
    this.reason = reason;
  }
}

/** Most messages are not larger. */
const FIRST_PIECE_BYTES = 8 * 1024;
/** Size of one write of the core's client. */
const PIECE_BYTES = 32 * 1024;

/**
 * Yields the message in pieces of a useful size: a client may send single octets, and each must not cost a buffer. If
 * the consumer stops, the stream is neither closed nor read further.
 * @throws MessageRefused after it has read a refused message to its end
 * @throws Error if the client disconnects before the end of the message
 */
export async function* readPieces(
  stream: Readable,
  reader: AsyncIterator<Buffer>,
  check: MessageCheck,
): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(FIRST_PIECE_BYTES);
  let used = 0;
  for (;;) {
    const next = await reader.next();
    if (next.done) break;
    check.push(next.value);
    for (let at = 0; at < next.value.length && !check.fault; ) {
      const copied = next.value.copy(piece, used, at);
      used += copied;
      at += copied;
      if (used < piece.length) continue;
      yield piece;
      piece = Buffer.allocUnsafe(PIECE_BYTES);
      used = 0;
    }
  }
  check.end();
  if (check.fault) throw new MessageRefused(check.fault);
  // Only the end of the stream is the end of the message.
  if (!stream.readableEnded) throw new Error("The client disconnected before the end of the message.");
  if (used > 0) yield piece.subarray(0, used);
}

/** Reads and discards the rest. */
export async function readToEnd(reader: AsyncIterator<unknown>): Promise<void> {
  for (;;) if ((await reader.next()).done) return;
}
