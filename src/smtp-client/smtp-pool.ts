import type { SmtpConnection } from "./connection.ts";
import type { Envelope } from "./envelope.ts";
import type { CountedConnection, OpenConnections } from "./open-connections.ts";
import { abandoned, SmtpError, type SmtpReply } from "./smtp-error.ts";

export interface SmtpPoolOptions {
  /** @throws SmtpError */
  readonly open: () => Promise<SmtpConnection>;
  readonly maxConnections: number;
  /** Servers close idle connections after some minutes: ours go earlier, so that none is found dead. */
  readonly idleMs?: number;
  readonly messagesPerConnection?: number;
}

export interface SendOptions {
  /** Over a connection that has not been used; those that lie idle are let go. */
  readonly fresh?: boolean;
  /** Asked before anything is sent of the message (`Delivery`); false: it is no longer to be sent from here. */
  readonly mayFinish?: (() => boolean) | undefined;
  /** Those of the message's destination, in this pool and in others; undefined: nobody counts them. */
  readonly connections?: OpenConnections | undefined;
}

export interface SmtpPool {
  /**
   * Sends one message.
   * @throws SmtpError
   */
  send(envelope: Envelope, source: Buffer, options?: SendOptions): Promise<SmtpReply>;
  /** Ends idle connections; those in use end after their message. */
  close(): void;
}

interface PooledConnection {
  readonly smtp: SmtpConnection;
  sent: number;
  idleTimer: NodeJS.Timeout | undefined;
  /** For whom it counts: the destination of its last message. */
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

/** Connections to one server, reused for message after message. Nothing is sent twice: who calls decides on retries. */
export function createSmtpPool(options: SmtpPoolOptions): SmtpPool {
  const { open, maxConnections, idleMs = IDLE_MS } = options;
  const messagesPerConnection = options.messagesPerConnection ?? MESSAGES_PER_CONNECTION;
  /** The one that was used last comes first: the others may grow old and go. */
  const idle: PooledConnection[] = [];
  const waiting: Waiting[] = [];
  /** Open, or being opened. */
  let inUse = 0;
  let established = 0;
  let closed = false;

  /** A place is free: for who waits longest, or for nobody. */
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

  /** Opens a connection in a place that is taken for it already. */
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
      // Nobody is there: the others need not find out one after the other, each waiting for its time-out.
      if (established === 0 && error instanceof SmtpError && error.down) {
        for (const { reject } of waiting.splice(0)) reject(error);
      }
      free();
      throw error;
    }
  }

  /** It counts for the destination of the message that it is used for. */
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
 * After a refusal, or when this side has changed its mind before DATA, the connection is as good as new, if the server
 * says so; after anything else it is not.
 */
async function restore(smtp: SmtpConnection, error: unknown): Promise<void> {
  const isRefusal = error instanceof SmtpError && (error.reply !== undefined || error.abandoned);
  const isUntouched = error instanceof SmtpError && error.refusedAs !== undefined;
  if (isUntouched) return;
  if (!isRefusal || !smtp.isUsable()) return smtp.close();
  await smtp.reset().catch(smtp.close);
}
