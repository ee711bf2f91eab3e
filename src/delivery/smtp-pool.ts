import { Readable } from "node:stream";
import SMTPConnection, {
  type SMTPConnectionAuth,
  type SMTPConnectionOptions,
  type SMTPConnectionSendInfo,
} from "nodemailer/lib/smtp-connection";

export interface SmtpPoolOptions {
  readonly connection: SMTPConnectionOptions;
  readonly auth: SMTPConnectionAuth | undefined;
  readonly maxConnections: number;
}

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** A connection or a transaction that failed. */
export class SmtpError extends Error {
  /** The server had answered DATA when it happened: it may have the message. */
  readonly dataBegun: boolean;
  /** The connection had served other messages before: a fresh one may do better. */
  readonly reused: boolean;

  constructor(cause: unknown, dataBegun: boolean, reused: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "SmtpError";
    this.dataBegun = dataBegun;
    this.reused = reused;
  }
}

export interface SmtpPool {
  /** @throws SmtpError */
  send(envelope: Envelope, source: Buffer): Promise<SMTPConnectionSendInfo>;
  /** Ends idle connections; those in use end after their message. */
  close(): void;
}

interface PooledConnection {
  readonly smtp: SMTPConnection;
  sent: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Servers close idle connections after some minutes: ours go earlier, so that none is found dead. */
const IDLE_MS = 20_000;
const MESSAGES_PER_CONNECTION = 1000;

/** Connections to one server, reused for message after message. Nothing is queued twice: who calls decides on retries. */
export function createSmtpPool({ connection, auth, maxConnections }: SmtpPoolOptions): SmtpPool {
  const idle: PooledConnection[] = [];
  const waiting: (() => void)[] = [];
  let open = 0;
  let closed = false;

  function forget(pooled: PooledConnection): void {
    const index = idle.indexOf(pooled);
    if (index < 0) return;
    idle.splice(index, 1);
    clearTimeout(pooled.idleTimer);
    released();
  }

  function released(): void {
    open--;
    waiting.shift()?.();
  }

  async function connect(): Promise<PooledConnection> {
    const smtp = new SMTPConnection(connection);
    const pooled: PooledConnection = { smtp, sent: 0, idleTimer: undefined };
    await new Promise<void>((resolve, reject) => {
      smtp.once("error", reject);
      smtp.connect((error) => (error ? reject(error) : resolve()));
    });
    if (auth) {
      await new Promise<void>((resolve, reject) => {
        smtp.once("error", reject);
        smtp.login(auth, (error) => (error ? reject(error) : resolve()));
      }).catch((error) => {
        smtp.close();
        throw error;
      });
    }
    smtp.removeAllListeners("error");
    // What happens while nothing waits for an answer only makes the connection unusable.
    smtp.on("error", () => forget(pooled));
    smtp.once("end", () => forget(pooled));
    return pooled;
  }

  async function acquire(): Promise<PooledConnection> {
    for (;;) {
      const known = idle.pop();
      if (known) {
        clearTimeout(known.idleTimer);
        return known;
      }
      if (open < maxConnections) {
        open++;
        try {
          return await connect();
        } catch (error) {
          released();
          throw new SmtpError(error, false, false);
        }
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  function release(pooled: PooledConnection, usable: boolean): void {
    pooled.sent++;
    if (!usable || closed || pooled.sent >= MESSAGES_PER_CONNECTION) {
      if (usable) pooled.smtp.quit();
      else pooled.smtp.close();
      released();
      return;
    }
    idle.push(pooled);
    pooled.idleTimer = setTimeout(() => {
      forget(pooled);
      pooled.smtp.quit();
    }, IDLE_MS);
    pooled.idleTimer.unref();
    waiting.shift()?.();
  }

  async function transact({ smtp }: PooledConnection, envelope: Envelope, message: Readable) {
    return new Promise<SMTPConnectionSendInfo>((resolve, reject) => {
      smtp.once("error", reject);
      smtp.send({ from: envelope.from, to: [...envelope.to] }, message, (error, info) => {
        smtp.removeListener("error", reject);
        if (error) reject(error);
        else resolve(info);
      });
    });
  }

  return {
    send: async (envelope, source) => {
      const pooled = await acquire();
      const reused = pooled.sent > 0;
      // Read only once the server has answered DATA.
      let dataBegun = false;
      const message = new Readable({
        read() {
          dataBegun = true;
          this.push(source);
          this.push(null);
        },
      });
      try {
        const info = await transact(pooled, envelope, message);
        release(pooled, true);
        return info;
      } catch (error) {
        release(pooled, await reset(pooled, error));
        throw new SmtpError(error, dataBegun, reused);
      }
    },
    close: () => {
      closed = true;
      for (const pooled of [...idle]) {
        forget(pooled);
        pooled.smtp.quit();
      }
    },
  };
}

/** The end of the channel (RFC 5321 section 3.8). */
const SERVICE_NOT_AVAILABLE = 421;

/** After a refusal the connection is as good as new, if the server says so (RSET, RFC 5321 section 4.1.1.5). */
async function reset({ smtp }: PooledConnection, error: unknown): Promise<boolean> {
  const code = error instanceof Error && "responseCode" in error ? error.responseCode : undefined;
  if (typeof code !== "number" || code === SERVICE_NOT_AVAILABLE) return false;
  return new Promise((resolve) => {
    smtp.once("error", () => resolve(false));
    smtp.reset((failed) => resolve(!failed));
  });
}
