import type { Readable } from "node:stream";
import { Fault } from "../../shared/fault.ts";
import { newTraceId } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import { createMessageCheck, type MessageFault } from "./message-check.ts";
import { MessageRefused, readPieces, readToEnd } from "./read-pieces.ts";
import type { RelayRules, Submissions, Transaction } from "./relay-rules.ts";
import { type Reply, reply, replyToFault } from "./reply.ts";

export interface AcceptMessageOptions {
  readonly submissions: Pick<Submissions, "submit" | "submitStream">;
  /** Of this server, for the Received field. */
  readonly serverName: string;
  readonly maxBytes: number;
  readonly now: () => Date;
  readonly log: Logger;
  /** Each message that arrived as a whole. */
  readonly onAnswer: (answer: Reply) => void;
}

/** Up to this a message waits in memory for its end, and travels to the core together with others. */
const MAX_HELD_BYTES = 1024 * 1024;

const REFUSALS: Readonly<Record<MessageFault, (maxBytes: number) => Reply>> = {
  bare_line_break: () => reply(550, "5.6.0", "The message has a CR or LF that is not part of CRLF"),
  nul: () => reply(550, "5.6.0", "The message has a NUL octet"),
  line_too_long: () => reply(550, "5.6.0", "The message has a line of more than 998 octets"),
  too_large: (maxBytes) => reply(552, "5.3.4", `The message is larger than ${maxBytes} octets`),
};

/** Hands a message to the core: 250 when the store has it, and the reply to whatever stood against it. */
export function createAcceptMessage(options: AcceptMessageOptions): RelayRules["acceptMessage"] {
  const { submissions, maxBytes, now, log, onAnswer } = options;

  return async (stream, transaction) => {
    const traceId = newTraceId(now());
    const reader = (stream as Readable)[Symbol.asyncIterator]();
    const pieces = readPieces(stream, reader, createMessageCheck(maxBytes));
    const envelope = envelopeOf(transaction, traceId, options.serverName);
    const announced = transaction.mail.sizeBytes ?? 0;
    let answer: Reply;
    try {
      const { begun, ended } = await hold(pieces, announced > MAX_HELD_BYTES ? 0 : MAX_HELD_BYTES);
      const taken = ended
        ? await submissions.submit(envelope, Buffer.concat(begun))
        : await submissions.submitStream(envelope, following(begun, pieces));
      answer = reply(250, "2.0.0", `queued as ${taken.traceId || traceId}`);
    } catch (thrown) {
      answer = refusalFor(thrown, maxBytes);
      if (answer.code < 500) log.warn({ err: thrown, traceId }, "message not taken");
    }
    await readToEnd(reader).catch(() => undefined);
    if (stream.readableEnded) onAnswer(answer);
    return answer;
  };
}

function refusalFor(thrown: unknown, maxBytes: number): Reply {
  if (thrown instanceof MessageRefused) return REFUSALS[thrown.reason](maxBytes);
  return replyToFault(Fault.from(thrown));
}

function envelopeOf(
  { credential, mail, recipients, ...rest }: Transaction,
  traceId: string,
  serverName: string,
) {
  return {
    ...rest,
    credential,
    traceId,
    serverName,
    mailFrom: mail.address,
    recipients: recipients.map((recipient) => ({ ...recipient, notify: [...recipient.notify] })),
    envelopeId: mail.envelopeId ?? "",
    returnContent: mail.returnContent ?? "",
  };
}

/** Pieces up to a size in memory, and whether that was all. */
async function hold(
  pieces: AsyncGenerator<Buffer>,
  maxBytes: number,
): Promise<{ readonly begun: Buffer[]; readonly ended: boolean }> {
  const begun: Buffer[] = [];
  for (let size = 0; size <= maxBytes; ) {
    const next = await pieces.next();
    if (next.done) return { begun, ended: true };
    begun.push(next.value);
    size += next.value.length;
  }
  return { begun, ended: false };
}

async function* following(begun: Buffer[], pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let piece = begun.shift(); piece; piece = begun.shift()) yield piece;
  yield* pieces;
}
