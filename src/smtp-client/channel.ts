import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ReplyPhase } from "../message/replies/reply-rule.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { createReplyReader } from "./reply-reader.ts";
import {
  abandoned,
  nonsense,
  refusal,
  SmtpError,
  type SmtpErrorDetails,
  type SmtpReply,
} from "./smtp-error.ts";

/** One connection as a line of commands and replies. Whatever goes wrong ends it, and is what every later wait throws. */
export interface Channel {
  /** What is said on it. */
  readonly conversation: Conversation;
  /**
   * Sends commands to which so many replies are owed.
   * @param shown what is remembered of them, where they are a secret
   */
  write(commands: string, replies: number, shown?: string): void;
  /** Hands octets over, and waits until the system has taken them. @throws SmtpError */
  writeData(blocks: readonly Buffer[], replies: number, timeoutMs: number): Promise<void>;
  /** The next reply. Time runs until its end, however many octets come meanwhile. @throws SmtpError */
  reply(phase: ReplyPhase, timeoutMs: number): Promise<SmtpReply>;
  /** Puts something else, as TLS, in the connection's place. @throws SmtpError when the server has said too much */
  replace(make: (socket: Socket) => Promise<TLSSocket>): Promise<void>;
  /** Whether it has ended: nothing more can be sent. */
  isClosed(): boolean;
  /** Whether it is open and owes nothing. */
  isIdle(): boolean;
  /** Called once, when it has ended for whatever reason. */
  onClosed(listener: () => void): void;
  close(): void;
  /** Ends it on purpose, as `close`: what is waited for fails as `abandoned`. */
  abandon(): void;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: SmtpError) => void;
}

type Failure = readonly [message: string, details: Partial<SmtpErrorDetails>];

export function createChannel(opened: Socket): Channel {
  let socket = opened;
  let reader = createReplyReader();
  const conversation = createConversation();
  conversation.over(opened);
  const arrived: SmtpReply[] = [];
  let owed = 1; // The greeting.
  let phase: ReplyPhase = "connect";
  let waitingForReply: Waiting<SmtpReply> | undefined;
  let waitingForWrite: Waiting<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failure: Failure | undefined;
  let closedListener: (() => void) | undefined;

  function failed([message, details]: Failure): SmtpError {
    return new SmtpError(message, { phase, ...details });
  }

  function fail(...reason: Failure): void {
    if (failure) return;
    failure = reason;
    clearTimeout(timer);
    socket.destroy();
    waitingForReply?.reject(failed(failure));
    waitingForWrite?.reject(failed(failure));
    waitingForReply = undefined;
    waitingForWrite = undefined;
    closedListener?.();
  }

  function onReply(reply: SmtpReply): void {
    conversation.answered(reply);
    if (owed === 0) {
      // Most often 421 or a refusal amid the message: it says why the connection ends (RFC 5321 section 3.8).
      const heard = reply.code >= 400 ? refusal(phase, reply) : nonsense(phase, reply);
      fail(heard.message, heard.reply ? { reply } : {});
      return;
    }
    owed--;
    if (!waitingForReply) {
      arrived.push(reply);
      // A server that has answered takes no more octets.
      written();
      return;
    }
    const { resolve } = waitingForReply;
    waitingForReply = undefined;
    clearTimeout(timer);
    resolve(reply);
  }

  function written(): void {
    if (!waitingForWrite) return;
    const { resolve } = waitingForWrite;
    waitingForWrite = undefined;
    clearTimeout(timer);
    resolve();
  }

  function onData(chunk: Buffer): void {
    try {
      reader.read(chunk, onReply);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }
  const onError = (error: Error) => fail(error.message, { cause: error });
  const onEnd = () => fail("the server closed the connection", {});

  function attach(): void {
    socket.on("data", onData).on("error", onError).on("end", onEnd).on("close", onEnd);
    if (socket.destroyed) onEnd();
  }
  attach();

  function startTimer(timeoutMs: number): void {
    timer = setTimeout(() => {
      const down = phase === "connect" || undefined;
      fail(`the server did not answer within ${timeoutMs} ms`, { timedOut: true, ...(down && { down }) });
    }, timeoutMs);
  }

  return {
    conversation,
    write: (commands, replies, shown = commands) => {
      owed += replies;
      conversation.asked(shown);
      socket.write(commands);
    },
    writeData: (blocks, replies, timeoutMs) => {
      if (failure) return Promise.reject(failed(failure));
      return new Promise((resolve, reject) => {
        waitingForWrite = { resolve, reject };
        owed += replies;
        conversation.sent(
          blocks.reduce((sum, { length }) => sum + length, 0),
          replies > 0,
        );
        startTimer(timeoutMs);
        const onWritten = (error?: Error | null) => {
          if (!error && waitingForWrite?.resolve === resolve) written();
        };
        // Corked, they leave in one call of the system, uncopied.
        socket.cork();
        for (const [i, block] of blocks.entries()) {
          if (i < blocks.length - 1) socket.write(block);
          else socket.write(block, onWritten);
        }
        socket.uncork();
      });
    },
    reply: (next, timeoutMs) => {
      phase = next;
      const known = arrived.shift();
      if (known) return Promise.resolve(known);
      if (failure) return Promise.reject(failed(failure));
      return new Promise((resolve, reject) => {
        waitingForReply = { resolve, reject };
        startTimer(timeoutMs);
      });
    },
    replace: async (make) => {
      // Said in the clear, by anybody: what came too early must not be taken for part of what TLS protects.
      if (reader.isAmidReply() || arrived.length > 0) fail("the server sent more plain text", {});
      if (failure) throw new SmtpError(`after STARTTLS: ${failure[0]}`, { phase, tls: true });
      for (const [event, listener] of [
        ["data", onData],
        ["error", onError],
        ["end", onEnd],
        ["close", onEnd],
      ] as const) {
        socket.off(event, listener);
      }
      reader = createReplyReader();
      try {
        socket = await make(socket);
        conversation.over(socket);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error), {});
        throw error;
      }
      attach();
    },
    isClosed: () => failure !== undefined,
    isIdle: () => !failure && owed === 0 && arrived.length === 0 && !reader.isAmidReply() && socket.writable,
    onClosed: (listener) => {
      if (failure) listener();
      else closedListener = listener;
    },
    close: () => fail("Hermod closed the connection", {}),
    abandon: () => fail(abandoned(phase).message, { abandoned: true }),
  };
}
