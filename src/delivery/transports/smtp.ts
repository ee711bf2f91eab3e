import { isIP } from "node:net";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import type { SmtpTransportSettings } from "../../store/documents.ts";
import type { TransportOutcome } from "../outcome.ts";
import { classifyFailure, readReply } from "../smtp-failure.ts";
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
    return { host, via: `smtp ${host}:${port}`, pool: createSmtpPool({ connection, auth, maxConnections }) };
  });

  async function attempt(
    { host, via, pool }: (typeof servers)[number],
    { envelope, source }: Job,
  ): Promise<Attempt> {
    try {
      const { response } = await pool.send(envelope, source);
      return { outcome: { kind: "delivered", reply: readReply(via, response) } };
    } catch (error) {
      const failed = error instanceof SmtpError ? error : new SmtpError(error, true, false);
      return { outcome: classifyFailure(via, host, failed.cause), failed };
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
