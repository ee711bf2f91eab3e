import type { Readable } from "node:stream";
import { type Acceptance, createAcceptanceLog } from "../../shared/acceptance-log.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { newId, newTraceId } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import { createMessageCheck, type MessageFault } from "./message-check.ts";
import { MessageRefused, readPieces, readToEnd } from "./read-pieces.ts";
import type { RelayRules, Submissions, Transaction } from "./relay-rules.ts";
import { type Reply, reply, replyToFault, UNCERTAIN } from "./reply.ts";
import { isUncertain, submitSurely } from "./submit-surely.ts";

export interface AcceptMessageOptions {
  readonly submissions: Pick<Submissions, "submit" | "submitStream" | "findSubmission">;
  /** Name of this server for the Received field. */
  readonly serverName: string;
  readonly maxBytes: number;
  /** Time limit for asking the core about a message after its answer was lost. */
  readonly repeatForMs: number;
  readonly now: () => Date;
  readonly log: Logger;
  /** Octets of all messages that wait in memory for their end (64 MB). */
  readonly maxAllHeldBytes?: number;
  /** Called for each message that arrived completely. */
  readonly onAnswer: (answer: Reply) => void;
}

/** Lists and texts are empty if the answer was lost and only the trace id is known. */
type Outcome = Omit<Acceptance, "clientTraceId">;

/** A message up to this size waits in memory for its end, and is submitted to the core together with others. */
const MAX_HELD_BYTES = 1024 * 1024;

/** Limit of all waiting messages of all sessions. Above it, a message is streamed to the core as it arrives. */
const MAX_ALL_HELD_BYTES = 64 * 1024 * 1024;

const NOT_ACCEPTED = "The message was not accepted because the store cannot be reached. Try again later";

const REFUSALS: Readonly<Record<MessageFault, (maxBytes: number) => Reply>> = {
  bare_line_break: () => reply(550, "5.6.0", "The message has a CR or LF that is not part of CRLF"),
  nul: () => reply(550, "5.6.0", "The message has a NUL octet"),
  line_too_long: () => reply(550, "5.6.0", "The message has a line of more than 998 octets"),
  too_large: (maxBytes) => reply(552, "5.3.4", `The message is larger than ${maxBytes} octets`),
};

/** Submits a message to the core. The reply is 250 after the store has it, otherwise the reply of the fault. */
export function createAcceptMessage(options: AcceptMessageOptions): RelayRules["acceptMessage"] {
  const { submissions, maxBytes, repeatForMs, now, log, onAnswer } = options;
  const { maxAllHeldBytes = MAX_ALL_HELD_BYTES } = options;
  const logAcceptance = createAcceptanceLog(log);
  let allHeldBytes = 0;

  /** Submits the first pieces, and the following ones if these are not all. */
  function submit(envelope: RelayedEnvelope, { begun, ended }: Held, pieces: AsyncGenerator<Buffer>) {
    const whole = ended ? Buffer.concat(begun) : undefined;
    return submitSurely<Outcome>({
      submit: () =>
        whole ? submissions.submit(envelope, whole) : pass(submissions, envelope, following(begun, pieces)),
      find: async () => {
        const traceId = await submissions.findSubmission(envelope.credential, envelope.submissionId);
        return traceId === undefined ? undefined : { traceId, messageIds: [], accountId: "", replayed: true };
      },
      repeatable: ended,
      forMs: repeatForMs,
    });
  }

  return async (stream, transaction) => {
    const arrivedAt = now();
    const traceId = newTraceId(arrivedAt);
    const reader = (stream as Readable)[Symbol.asyncIterator]();
    const pieces = readPieces(stream, reader, createMessageCheck(maxBytes));
    const submissionId = newId("sub", arrivedAt);
    const envelope = envelopeOf(transaction, { traceId, submissionId, serverName: options.serverName });
    const announced = transaction.mail.sizeBytes ?? 0;
    let heldBytes = 0;
    const count = (bytes: number) => {
      heldBytes += bytes;
      allHeldBytes += bytes;
      return heldBytes <= MAX_HELD_BYTES && allHeldBytes <= maxAllHeldBytes;
    };
    let answer: Reply;
    try {
      const held = await hold(pieces, count, announced <= MAX_HELD_BYTES);
      const outcome = await submit(envelope, held, pieces);
      answer = reply(250, "2.0.0", `queued as ${outcome.traceId || traceId}`);
      const { messageIds, accountId, replayed } = outcome;
      logAcceptance({ traceId: outcome.traceId || traceId, messageIds, accountId, replayed });
    } catch (thrown) {
      answer = refusalFor(thrown, maxBytes);
      if (answer.code < 500) log.warn({ err: thrown, traceId }, "message not accepted");
    }
    allHeldBytes -= heldBytes;
    await readToEnd(reader).catch(() => undefined);
    if (stream.readableEnded) onAnswer(answer);
    return answer;
  };
}

function refusalFor(thrown: unknown, maxBytes: number): Reply {
  if (thrown instanceof MessageRefused) return REFUSALS[thrown.reason](maxBytes);
  const failed = Fault.from(thrown);
  const answer = replyToFault(failed);
  if (isUncertain(failed)) return { ...answer, text: UNCERTAIN };
  return failed.code === "core.unavailable" ? { ...answer, text: NOT_ACCEPTED } : answer;
}

type RelayedEnvelope = ReturnType<typeof envelopeOf>;

function envelopeOf(
  { mail, recipients, ...rest }: Transaction,
  names: { readonly traceId: string; readonly submissionId: string; readonly serverName: string },
) {
  return {
    ...rest,
    ...names,
    mailFrom: mail.address,
    recipients: recipients.map((recipient) => ({ ...recipient, notify: [...recipient.notify] })),
    envelopeId: mail.envelopeId ?? "",
    returnContent: mail.returnContent ?? "",
  };
}

interface Held {
  readonly begun: Buffer[];
  readonly ended: boolean;
}

/**
 * Holds pieces in memory, and returns whether they are complete.
 * @param count called with the octets of each piece; false: there is no capacity for another piece
 * @param isSmall false: only the first piece is held
 */
async function hold(
  pieces: AsyncGenerator<Buffer>,
  count: (bytes: number) => boolean,
  isSmall: boolean,
): Promise<Held> {
  const begun: Buffer[] = [];
  for (;;) {
    const next = await pieces.next();
    if (next.done) return { begun, ended: true };
    begun.push(next.value);
    if (!count(next.value.length) || !isSmall) return { begun, ended: false };
  }
}

/**
 * Streams a message to the core as it arrives.
 * @throws Fault that is certain until the message has ended, because the core does not store an incomplete message
 */
async function pass(
  submissions: Pick<Submissions, "submitStream">,
  envelope: RelayedEnvelope,
  pieces: AsyncGenerator<Buffer>,
) {
  let ended = false;
  async function* untilEnd(): AsyncGenerator<Buffer> {
    yield* pieces;
    ended = true;
  }
  try {
    return await submissions.submitStream(envelope, untilEnd());
  } catch (thrown) {
    if (ended || !(thrown instanceof Fault) || !isUncertain(thrown)) throw thrown;
    throw fault("core.unavailable", { internal: thrown.message, cause: thrown });
  }
}

async function* following(begun: Buffer[], pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let piece = begun.shift(); piece; piece = begun.shift()) yield piece;
  yield* pieces;
}
