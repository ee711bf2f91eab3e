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
  /** This server's name, for the Received field. */
  readonly serverName: string;
  readonly maxBytes: number;
  /** For how long the core is asked what became of a message whose answer got lost. */
  readonly repeatForMs: number;
  readonly now: () => Date;
  readonly log: Logger;
  /** Octets of all messages together that wait in memory for their ends (64 MB). */
  readonly maxAllHeldBytes?: number;
  /** Each message that arrived as a whole. */
  readonly onAnswer: (answer: Reply) => void;
}

/** Empty lists and texts where the answer was lost, and only the trace id is known. */
type Outcome = Omit<Acceptance, "clientTraceId">;

/** Up to this a message waits in memory for its end, and travels to the core together with others. */
const MAX_HELD_BYTES = 1024 * 1024;

/** What waits so of all sessions together: a message that comes while there is as much is passed on as it comes. */
const MAX_ALL_HELD_BYTES = 64 * 1024 * 1024;

const NOT_ACCEPTED = "The message was not accepted because the store cannot be reached. Try again later";

const REFUSALS: Readonly<Record<MessageFault, (maxBytes: number) => Reply>> = {
  bare_line_break: () => reply(550, "5.6.0", "The message has a CR or LF that is not part of CRLF"),
  nul: () => reply(550, "5.6.0", "The message has a NUL octet"),
  line_too_long: () => reply(550, "5.6.0", "The message has a line of more than 998 octets"),
  too_large: (maxBytes) => reply(552, "5.3.4", `The message is larger than ${maxBytes} octets`),
};

/** Hands a message to the core: 250 when the store has it, and the reply to whatever stood against it. */
export function createAcceptMessage(options: AcceptMessageOptions): RelayRules["acceptMessage"] {
  const { submissions, maxBytes, repeatForMs, now, log, onAnswer } = options;
  const { maxAllHeldBytes = MAX_ALL_HELD_BYTES } = options;
  const logAcceptance = createAcceptanceLog(log);
  let allHeldBytes = 0;

  /** Hands over what has begun, and the pieces that follow when that is not all. */
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
 * Pieces in memory, and whether they are all.
 * @param count told of the octets of each; false: there is no room for another one
 * @param isSmall false: no more than the first piece is held
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
 * Passes a message on as it comes.
 * @throws Fault that is certain while the message has not come to its end, which the core does not store then
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
