import type { Readable } from "node:stream";
import type { MessageCheck, MessageFault } from "./message-check.ts";

/** The message is refused for what it holds; it was read to its end. */
export class MessageRefused extends Error {
  readonly reason: MessageFault;
  constructor(reason: MessageFault) {
    super(`The message is refused: ${reason}`);
    this.name = "MessageRefused";
    this.reason = reason;
  }
}

/** Most messages are no larger. */
const FIRST_PIECE_BYTES = 8 * 1024;
/** What the core's client sends at once. */
const PIECE_BYTES = 32 * 1024;

/**
 * The message in pieces of some size: a client may send octets one by one, and each is not to cost a buffer. The
 * stream is neither closed nor read further when nobody asks for more pieces.
 * @throws MessageRefused after reading what the check refuses to its end
 * @throws Error when the client goes away before the end of the message
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
  // Nothing but the stream's own end is the end of the message.
  if (!stream.readableEnded) throw new Error("The client disconnected before the end of the message.");
  if (used > 0) yield piece.subarray(0, used);
}

/** Reads what is left, and lets it go. */
export async function readToEnd(reader: AsyncIterator<unknown>): Promise<void> {
  for (;;) if ((await reader.next()).done) return;
}
