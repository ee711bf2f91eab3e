import type { SmtpConnection } from "./connection.ts";
import type { Envelope } from "./envelope.ts";
import type { CountedConnection, OpenConnections } from "./open-connections.ts";
import { abandoned, SmtpError, type SmtpReply } from "./smtp-error.ts";

export interface SmtpPoolOptions {
  /** @throws SmtpError */
  readonly open: () => Promise<SmtpConnection>;
  readonly maxConnections: number;
  /** Servers close idle connections after some minutes. Hermod closes them earlier, so that no closed connection is used. */
  readonly idleMs?: number;
  readonly messagesPerConnection?: number;
}

export interface SendOptions {
  /** Uses a new connection, and closes idle ones. */
  readonly fresh?: boolean;
  /** Called before any part of the message is sent (`Delivery`). False: this worker must no longer send it. */
  readonly mayFinish?: (() => boolean) | undefined;
  /** Connections of the message's destination, in this pool and in others; undefined: they are not counted. */
  readonly connections?: OpenConnections | undefined;
}

export interface SmtpPool {
  /**
   * Sends one message.
   * @throws SmtpError
   */
  send(envelope: Envelope, source: Buffer, options?: SendOptions): Promise<SmtpReply>;
  /** Closes idle connections. Those in use close after their message. */
  close(): void;
}

interface PooledConnection {
  readonly smtp: SmtpConnection;
  sent: number;
  idleTimer: NodeJS.Timeout | undefined;
  /** Destination for which the connection counts: that of its last message. */
  countsFor: OpenConnections | undefined;
  counted: CountedConnection | undefined;
}

/** A waiting caller receives a released connection, or permission to open one, in the order of arrival. */
interface Waiting {
  readonly resolve: (given: PooledConnection | "open_one") => void;
  readonly reject: (error: SmtpError) => void;
}

const IDLE_MS = 20_000;
const MESSAGES_PER_CONNECTION = 1000;

/**
 * Connections to one server, reused for several messages. The pool never sends a message twice: the caller decides
 * about retries.
 */
export function createSmtpPool(options: SmtpPoolOptions): SmtpPool {
  const { open, maxConnections, idleMs = IDLE_MS } = options;
  const messagesPerConnection = options.messagesPerConnection ?? MESSAGES_PER_CONNECTION;
  /** The most recently used connection is first, so that the others can reach their idle timeout. */
  const idle: PooledConnection[] = [];
  const waiting: Waiting[] = [];
  /** Open connections, and those being opened. */
  let inUse = 0;
  let established = 0;
  let closed = false;

  /** Frees a slot, for the caller that waits longest if there is one. */
  function free(): void {
    const next = waiting.shift();
    if (next) next.resolve("open_one");
    else inUse--;
  }

  function removeIdle(pooled: PooledConnection): boolean {
    const index = idle.indexOf(pooled);
    if (index < 0) return false;
    idle.splice(index, 1);
    clearTimeout(pooled.idleTimer);
    pooled.counted?.wake();
    return true;
  }

  function end(pooled: PooledConnection, how: "quit" | "close"): void {
    pooled.counted?.gone();
    pooled.smtp[how]();
    free();
  }

  function endIdle(pooled: PooledConnection): void {
    if (removeIdle(pooled)) end(pooled, "quit");
  }

  /** Opens a connection in a slot that is already taken. */
  async function connect(countsFor: OpenConnections | undefined): Promise<PooledConnection> {
    const counted = countsFor?.add();
    try {
      const smtp = await open();
      const pooled: PooledConnection = { smtp, sent: 0, idleTimer: undefined, countsFor, counted };
      established++;
      smtp.onClosed(() => {
        established--;
        pooled.counted?.gone();
        if (removeIdle(pooled)) free();
      });
      return pooled;
    } catch (error) {
      counted?.gone();
      // The server is unreachable. The other callers need not wait for their own timeouts.
      if (established === 0 && error instanceof SmtpError && error.down) {
        for (const { reject } of waiting.splice(0)) reject(error);
      }
      free();
      throw error;
    }
  }

  /** Counts the connection for the destination of its message. */
  function passOn(pooled: PooledConnection, connections: OpenConnections | undefined): PooledConnection {
    if (pooled.countsFor === connections) return pooled;
    pooled.counted?.gone();
    pooled.countsFor = connections;
    pooled.counted = connections?.add();
    return pooled;
  }

  async function acquire(
    fresh: boolean,
    connections: OpenConnections | undefined,
  ): Promise<PooledConnection> {
    for (let known = idle.at(-1); known; known = idle.at(-1)) {
      removeIdle(known);
      if (!fresh && known.smtp.isUsable()) return passOn(known, connections);
      end(known, "close");
    }
    if (inUse < maxConnections) {
      inUse++;
      return connect(connections);
    }
    const given = await new Promise<PooledConnection | "open_one">((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
    return given === "open_one" ? connect(connections) : passOn(given, connections);
  }

  function release(pooled: PooledConnection): void {
    pooled.sent++;
    const { smtp } = pooled;
    const isUsable = smtp.isUsable();
    const next = isUsable && pooled.sent < messagesPerConnection ? waiting.shift() : undefined;
    if (next) {
      next.resolve(pooled);
    } else if (isUsable && pooled.sent < messagesPerConnection && !closed) {
      rest(pooled);
    } else {
      end(pooled, isUsable ? "quit" : "close");
    }
  }

  function rest(pooled: PooledConnection): void {
    idle.push(pooled);
    const restMs = Math.min(idleMs, pooled.countsFor?.restMs() ?? idleMs);
    pooled.idleTimer = setTimeout(() => endIdle(pooled), restMs);
    pooled.idleTimer.unref();
    pooled.counted?.rest(() => endIdle(pooled));
  }

  return {
    send: async (envelope, source, { fresh = false, mayFinish, connections } = {}) => {
      if (mayFinish?.() === false) throw abandoned("connect");
      const pooled = await acquire(fresh, connections);
      try {
        return await pooled.smtp.send(envelope, source, mayFinish);
      } catch (error) {
        await restore(pooled.smtp, error);
        throw error instanceof SmtpError && pooled.sent > 0 ? error.with({ reused: true }) : error;
      } finally {
        release(pooled);
      }
    },
    close: () => {
      closed = true;
      for (const pooled of [...idle]) endIdle(pooled);
    },
  };
}

/**
 * After a refusal, or if this side stopped before DATA, the connection can be reused if the server accepts RSET. After
 * any other error it cannot.
 */
async function restore(smtp: SmtpConnection, error: unknown): Promise<void> {
  const isRefusal = error instanceof SmtpError && (error.reply !== undefined || error.abandoned);
  const isUntouched = error instanceof SmtpError && error.refusedAs !== undefined;
  if (isUntouched) return;
  if (!isRefusal || !smtp.isUsable()) return smtp.close();
  await smtp.reset().catch(smtp.close);
}
