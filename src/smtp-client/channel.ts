import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ReplyPhase } from "../message/replies/reply-rule.ts";
import { failurePhrase, type Phrase, phrase, phrases } from "../shared/phrase.ts";
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

/** One connection as a sequence of commands and replies. Any error ends it, and every later wait throws that error. */
export interface Channel {
  /** Transcript of the connection. */
  readonly conversation: Conversation;
  /**
   * Sends commands that expect this number of replies.
   * @param shown text for the transcript if the commands are secret
   */
  write(commands: string, replies: number, shown?: string): void;
  /** Sends octets, and waits until the system has accepted them. @throws SmtpError */
  writeData(blocks: readonly Buffer[], replies: number, timeoutMs: number): Promise<void>;
  /** Returns the next reply. The timeout covers the complete reply, regardless of octets in between. @throws SmtpError */
  reply(phase: ReplyPhase, timeoutMs: number): Promise<SmtpReply>;
  /** Replaces the socket, for example with TLS. @throws SmtpError if the server has sent too much */
  replace(make: (socket: Socket) => Promise<TLSSocket>): Promise<void>;
  /** Whether the connection has ended. */
  isClosed(): boolean;
  /** Whether the connection is open and expects no reply. */
  isIdle(): boolean;
  /** Called once, when the connection has ended for any reason. */
  onClosed(listener: () => void): void;
  close(): void;
  /** Ends the connection like `close`, but waits fail as `abandoned`. */
  abandon(): void;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: SmtpError) => void;
}

type Failure = readonly [wording: Phrase, details: Partial<SmtpErrorDetails>];

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

  function failed([wording, details]: Failure): SmtpError {
    return new SmtpError(wording, { phase, ...details });
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
      // Usually 421 or a refusal during the message: it gives the reason for the end of the connection (RFC 5321 section 3.8).
      const heard = reply.code >= 400 ? refusal(phase, reply) : nonsense(phase, reply);
      fail(failurePhrase(heard), heard.reply ? { reply } : {});
      return;
    }
    owed--;
    if (!waitingForReply) {
      arrived.push(reply);
      // A server that has replied accepts no more octets.
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
      fail(failurePhrase(error), { cause: error });
    }
  }
  const onError = (error: Error) => fail(failurePhrase(error), { cause: error });
  const onEnd = () => fail(phrase("server.closed"), {});

  function attach(): void {
    socket.on("data", onData).on("error", onError).on("end", onEnd).on("close", onEnd);
    if (socket.destroyed) onEnd();
  }
  attach();

  function startTimer(timeoutMs: number): void {
    timer = setTimeout(() => {
      const down = phase === "connect" || undefined;
      fail(phrase("server.no_answer", { ms: timeoutMs }), { timedOut: true, ...(down && { down }) });
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
        // Corked, the blocks are written in one system call without a copy.
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
      // Octets that arrived too early are plain text from an unknown sender, and must not be treated as protected by TLS.
      if (reader.isAmidReply() || arrived.length > 0) fail(phrase("server.more_plain_text"), {});
      if (failure)
        throw new SmtpError(phrases(phrase("tls.after_starttls"), failure[0]), { phase, tls: true });
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
        fail(failurePhrase(error), {});
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
    close: () => fail(phrase("server.closed_by_hermod"), {}),
    abandon: () => fail(failurePhrase(abandoned(phase)), { abandoned: true }),
  };
}
