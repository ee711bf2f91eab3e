import { Readable } from "node:stream";
import { createTransport, type NodemailerError, type SMTPPoolOptions } from "nodemailer";
import type { SmtpTransportSettings } from "../../store/documents.ts";
import { enhancedStatusCodeOf, safeDetail, type TransportOutcome } from "../outcome.ts";
import type { Job, Transport } from "../transport.ts";

export interface SmtpTransportOptions {
  readonly settings: SmtpTransportSettings;
  /** The name given in EHLO; undefined: the machine's. */
  readonly heloName: string | undefined;
  /** Bound of connecting and of each reply. */
  readonly timeoutMs: number;
}

/** Servers close idle connections after some minutes: ours go earlier, so that none is found dead. */
const IDLE_TIMEOUT_MS = 20_000;
const MESSAGES_PER_CONNECTION = 1000;
/** A reused connection may turn out to be closed: one more try on a fresh one before the server counts as away. */
const TRIES_PER_SERVER = 2;

/** Hands messages to upstream relays, the first that can be reached. Connections are reused. */
export function createSmtpTransport({ settings, heloName, timeoutMs }: SmtpTransportOptions): Transport {
  const servers = settings.servers.map(({ host, port }) => {
    const options: SMTPPoolOptions = {
      host,
      port,
      ...tlsOptions(settings),
      ...(settings.username !== undefined && {
        auth: { user: settings.username, pass: settings.password ?? "" },
      }),
      ...(heloName !== undefined && { name: heloName }),
      maxConnections: settings.maxConnections,
      maxMessages: MESSAGES_PER_CONNECTION,
      // The queue alone decides what is tried again.
      maxRequeues: 0,
      idleTimeout: IDLE_TIMEOUT_MS,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    return { via: `smtp ${host}:${port}`, pool: createTransport({ ...options, pool: true }) };
  });

  async function attempt({ via, pool }: (typeof servers)[number], job: Job): Promise<Attempt> {
    // Read only once the server has answered DATA: from then on it may have the message.
    let dataBegun = false;
    const raw = new Readable({
      read() {
        dataBegun = true;
        this.push(job.source);
        this.push(null);
      },
    });
    try {
      const info = await pool.sendMail({
        envelope: { from: job.envelope.from, to: [...job.envelope.to] },
        raw,
      });
      return { dataBegun, connectionLost: false, outcome: delivered(via, info.response) };
    } catch (error) {
      return { dataBegun, connectionLost: connectionLost(error), outcome: classify(via, error) };
    }
  }

  return {
    deliver: async (job) => {
      let outcome: TransportOutcome | undefined;
      for (const server of servers) {
        for (let attempts = 0; attempts < TRIES_PER_SERVER; attempts++) {
          const ended = await attempt(server, job);
          outcome = ended.outcome;
          if (outcome.kind !== "unreachable") return outcome;
          // Another server might deliver it a second time: later is better than twice.
          if (ended.dataBegun) return { ...outcome, kind: "deferred" };
          if (!ended.connectionLost) break;
        }
      }
      return (
        outcome ?? { kind: "unreachable", reply: { via: "smtp", detail: "the transport has no server" } }
      );
    },
    close: () => {
      for (const { pool } of servers) pool.close();
    },
  };
}

interface Attempt {
  readonly outcome: TransportOutcome;
  /** The server has answered DATA, so that it may have the message. */
  readonly dataBegun: boolean;
  /** An open connection broke, as against one that could not be made. */
  readonly connectionLost: boolean;
}

function tlsOptions({ tls }: SmtpTransportSettings): SMTPPoolOptions {
  switch (tls) {
    case "implicit":
      return { secure: true };
    case "required":
      return { secure: false, requireTLS: true };
    case "opportunistic":
      // Against a passive listener only, so an unknown certificate is better than none (RFC 7435).
      return { secure: false, opportunisticTLS: true, tls: { rejectUnauthorized: false } };
    case "none":
      return { secure: false, ignoreTLS: true };
  }
}

function delivered(via: string, response: string): TransportOutcome {
  return { kind: "delivered", reply: reply(via, response) };
}

function reply(via: string, response: string): TransportOutcome["reply"] {
  const code = Number.parseInt(response, 10);
  const enhancedStatusCode = enhancedStatusCodeOf(response);
  return {
    via,
    ...(code >= 200 && code < 600 && { code }),
    ...(enhancedStatusCode !== undefined && { enhancedStatusCode }),
    detail: safeDetail(response),
  };
}

/** The server is closing the channel (RFC 5321 section 3.8): it has said nothing about the message. */
const SERVICE_NOT_AVAILABLE = 421;

/** What nodemailer reports, as an outcome. Only a reply to the envelope or to the message can bounce it. */
function classify(via: string, error: unknown): TransportOutcome {
  if (!isNodemailerError(error)) {
    return {
      kind: "unreachable",
      reply: { via, detail: safeDetail(error instanceof Error ? error.message : String(error)) },
    };
  }
  const { code, responseCode, response, permanent, message } = error;
  const aboutMessage = code === "EENVELOPE" || code === "EMESSAGE";
  if (response === undefined || responseCode === undefined) {
    // Without a reply these are limits that the server announced: a size, or what it cannot carry.
    return { kind: aboutMessage ? "bounced" : "unreachable", reply: { via, detail: safeDetail(message) } };
  }
  const heard = reply(via, response);
  if (!aboutMessage || responseCode === SERVICE_NOT_AVAILABLE) return { kind: "unreachable", reply: heard };
  return { kind: permanent ? "bounced" : "deferred", reply: heard };
}

function connectionLost(error: unknown): boolean {
  if (!isNodemailerError(error) || error.responseCode !== undefined) return false;
  const { code, originalCode, timeoutType } = error;
  if (timeoutType !== undefined || (code !== "ECONNECTION" && code !== "ESOCKET")) return false;
  return originalCode === undefined || originalCode === "ECONNRESET" || originalCode === "EPIPE";
}

function isNodemailerError(error: unknown): error is NodemailerError {
  return error instanceof Error && "code" in error;
}
