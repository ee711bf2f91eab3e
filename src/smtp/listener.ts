import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Logger } from "../shared/logger.ts";
import { CodedSmtpServer } from "./coded-smtp-server.ts";
import { smtpReply } from "./smtp-reply.ts";

export interface ListenerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface SmtpListener {
  /**
   * Resolves to the port.
   * @throws Error with the code EADDRINUSE and the like
   */
  listen(host: string, port: number): Promise<number>;
  /** For those who begin TLS from now on. */
  replaceCertificate(tls: ListenerTls): void;
  /** Takes no new connections, answers the mail that is under way, at most so long, and ends the others. */
  close(drainMs: number): Promise<void>;
}

export interface ListenerOptions {
  /** The name in the greeting; undefined: the machine's. */
  readonly name: string | undefined;
  /** For STARTTLS; undefined: it is not offered. */
  readonly tls: ListenerTls | undefined;
  readonly maxBytes: number;
  readonly maxRecipients: number;
  readonly disabledCommands: readonly string[];
  readonly onRcptTo: NonNullable<SMTPServerOptions["onRcptTo"]>;
  readonly onData: NonNullable<SMTPServerOptions["onData"]>;
  readonly log: Logger;
}

const MAX_CLIENTS = 200;
/** A single host must not keep the others out. */
const MAX_CLIENTS_PER_ADDRESS = 50;
const IDLE_TIMEOUT_MS = 60_000;
const GOODBYE_MS = 50;

/** What all SMTP listeners have in common: bounds, time-outs, STARTTLS, and an end that loses nothing. */
export function createSmtpListener(options: ListenerOptions): SmtpListener {
  const { name, tls, maxBytes, maxRecipients, disabledCommands, onRcptTo, onData, log } = options;
  const clients = new Map<string, number>();
  /** A session that is refused before it begins is closed too: it was never counted. */
  const counted = new WeakSet<SMTPServerSession>();
  let underWay = 0;
  let closing = false;
  let onIdle: (() => void) | undefined;

  const server = new CodedSmtpServer({
    ...(name !== undefined && { name }),
    ...tls,
    disabledCommands: [...disabledCommands, ...(tls ? [] : ["STARTTLS"])],
    logger: false,
    // It would hold up the greeting, for a name that nothing here asks about.
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    size: maxBytes,
    rejectOversized: true,
    maxRecipients,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: GOODBYE_MS,
    onConnect: (session, done) => {
      const { remoteAddress } = session;
      counted.add(session);
      const count = (clients.get(remoteAddress) ?? 0) + 1;
      clients.set(remoteAddress, count);
      if (closing) done(smtpReply(421, "The server is shutting down"));
      else if (count > MAX_CLIENTS_PER_ADDRESS)
        done(smtpReply(421, "Too many connections from your address"));
      else done();
    },
    onClose: (session) => {
      if (!counted.delete(session)) return;
      const { remoteAddress } = session;
      const count = (clients.get(remoteAddress) ?? 1) - 1;
      if (count > 0) clients.set(remoteAddress, count);
      else clients.delete(remoteAddress);
    },
    onRcptTo,
    onData: (stream, session, done) => {
      underWay++;
      onData(stream, session, (error, message) => {
        underWay--;
        if (underWay === 0) onIdle?.();
        done(error, message);
      });
    },
  });
  // Clients that go away in the middle of a session are their own affair.
  server.on("error", (error) => log.debug({ err: error }, "SMTP connection failed"));

  return {
    listen: async (host, port) => {
      // An error event of the server behind it, for this one also hears of its connections.
      server.server.listen(port, host);
      await once(server.server, "listening");
      return (server.server.address() as AddressInfo).port;
    },
    replaceCertificate: (next) => server.updateSecureContext({ ...next }),
    close: async (drainMs) => {
      closing = true;
      if (underWay > 0) {
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve;
        });
        await Promise.race([idle, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      }
      await new Promise<void>((resolve) => server.close(resolve));
      for (const connection of server.connections) connection._socket.destroy();
    },
  };
}
