import { isIP } from "node:net";
import type { NodemailerError } from "nodemailer";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import type { SmtpTransportSettings } from "../../store/documents.ts";
import { enhancedStatusCodeOf, safeDetail, type TransportOutcome } from "../outcome.ts";
import { createSmtpPool, SmtpError } from "../smtp-pool.ts";
import type { Job, Transport } from "../transport.ts";

export interface SmtpTransportOptions {
  readonly settings: SmtpTransportSettings;
  /** The name given in EHLO; undefined: the machine's. */
  readonly heloName: string | undefined;
  /** Bound of connecting and of each reply. */
  readonly timeoutMs: number;
}

/** Hands messages to upstream relays, the first that can be reached. Connections are reused. */
export function createSmtpTransport({ settings, heloName, timeoutMs }: SmtpTransportOptions): Transport {
  const { username, password = "", maxConnections } = settings;
  const servers = settings.servers.map(({ host, port }) => {
    const connection: SMTPConnectionOptions = {
      host,
      port,
      ...tlsOptions(settings),
      ...(isIP(host) === 0 && { servername: host }),
      ...(heloName !== undefined && { name: heloName }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    };
    const auth = username === undefined ? undefined : { user: username, pass: password };
    return { via: `smtp ${host}:${port}`, pool: createSmtpPool({ connection, auth, maxConnections }) };
  });

  async function attempt(
    { via, pool }: (typeof servers)[number],
    { envelope, source }: Job,
  ): Promise<Attempt> {
    try {
      const { response } = await pool.send(envelope, source);
      return { outcome: { kind: "delivered", reply: reply(via, response) } };
    } catch (error) {
      const failed = error instanceof SmtpError ? error : new SmtpError(error, true, false);
      return { outcome: classify(via, failed.cause), failed };
    }
  }

  return {
    deliver: async (job) => {
      let outcome: TransportOutcome | undefined;
      for (const server of servers) {
        let ended = await attempt(server, job);
        // A connection that the server had closed meanwhile says nothing about the server.
        if (ended.outcome.kind === "unreachable" && ended.failed?.reused && !ended.failed.dataBegun) {
          ended = await attempt(server, job);
        }
        outcome = ended.outcome;
        if (outcome.kind !== "unreachable") return outcome;
        // The server may have the message, so another one might deliver it twice: later is better.
        if (ended.failed?.dataBegun && outcome.reply.code === undefined)
          return { ...outcome, kind: "deferred" };
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
  readonly failed?: SmtpError;
}

function tlsOptions({ tls }: SmtpTransportSettings): SMTPConnectionOptions {
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

function isNodemailerError(error: unknown): error is NodemailerError {
  return error instanceof Error && "code" in error;
}
