import type { SmtpConnection } from "./connection.ts";
import type { Envelope } from "./envelope.ts";
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
}

/** Who waits gets a connection, or leave to open one, in the order of coming. */
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
  let taken = 0;
  let established = 0;
  let closed = false;

  /** A place is free: for who waits longest, or for nobody. */
  function free(): void {
    const next = waiting.shift();
    if (next) next.resolve("open_one");
    else taken--;
  }

  function removeIdle(pooled: PooledConnection): boolean {
    const index = idle.indexOf(pooled);
    if (index < 0) return false;
    idle.splice(index, 1);
    clearTimeout(pooled.idleTimer);
    return true;
  }

  /** Opens a connection in a place that is taken for it already. */
  async function connect(): Promise<PooledConnection> {
    try {
      const smtp = await open();
      const pooled: PooledConnection = { smtp, sent: 0, idleTimer: undefined };
      established++;
      smtp.onClosed(() => {
        established--;
        if (removeIdle(pooled)) free();
      });
      return pooled;
    } catch (error) {
      // Nobody is there: the others need not find out one after the other, each waiting for its time-out.
      if (established === 0 && error instanceof SmtpError && error.down) {
        for (const { reject } of waiting.splice(0)) reject(error);
      }
      free();
      throw error;
    }
  }

  async function acquire(fresh: boolean): Promise<PooledConnection> {
    for (let known = idle.pop(); known; known = idle.pop()) {
      clearTimeout(known.idleTimer);
      if (!fresh && known.smtp.isUsable()) return known;
      known.smtp.close();
      free();
    }
    if (taken < maxConnections) {
      taken++;
      return connect();
    }
    const given = await new Promise<PooledConnection | "open_one">((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
    return given === "open_one" ? connect() : given;
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
      if (isUsable) smtp.quit();
      else smtp.close();
      free();
    }
  }

  function rest(pooled: PooledConnection): void {
    idle.push(pooled);
    pooled.idleTimer = setTimeout(() => {
      if (!removeIdle(pooled)) return;
      pooled.smtp.quit();
      free();
    }, idleMs);
    pooled.idleTimer.unref();
  }

  return {
    send: async (envelope, source, { fresh = false, mayFinish } = {}) => {
      if (mayFinish?.() === false) throw abandoned("connect");
      const pooled = await acquire(fresh);
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
      for (const pooled of [...idle]) {
        removeIdle(pooled);
        pooled.smtp.quit();
        free();
      }
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
