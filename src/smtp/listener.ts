import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Logger } from "../shared/logger.ts";
import type { TlsCertificate } from "../shared/server-tls.ts";
import { CodedSmtpServer } from "./coded-smtp-server.ts";
import { isReply, type Reply, reply, replyError } from "./relay/reply.ts";
import { createSessionSlots, type SessionSlot } from "./relay/session-slots.ts";
import { smtpReply } from "./smtp-reply.ts";

export interface SmtpListener {
  /**
   * Resolves to the port.
   * @throws Error with a code such as EADDRINUSE
   */
  listen(host: string, port: number): Promise<number>;
  /** Uses the certificate for new TLS handshakes. */
  replaceCertificate(tls: TlsCertificate): void;
  /** Accepts no new connections, answers the mail in progress within `drainMs`, and ends the other sessions. */
  close(drainMs: number): Promise<void>;
}

export interface ListenerOptions {
  /** Name in the greeting; undefined: the name of the machine. */
  readonly name: string | undefined;
  /** Certificate for STARTTLS; undefined: STARTTLS is not offered. */
  readonly tls: TlsCertificate | undefined;
  readonly maxBytes: number;
  readonly maxRecipients: number;
  /** Addresses and CIDR ranges of proxies, which use the PROXY protocol. */
  readonly proxyNetworks: readonly string[];
  readonly disabledCommands: readonly string[];
  readonly onRcptTo: NonNullable<SMTPServerOptions["onRcptTo"]>;
  readonly onData: NonNullable<SMTPServerOptions["onData"]>;
  readonly log: Logger;
}

const MAX_CLIENTS = 400;
/** A single host must not keep the others out. */
const MAX_CLIENTS_PER_ADDRESS = 50;
/** Time from the connection to the first message, and from one message to the next. */
const MESSAGE_BEGINS_WITHIN_MS = 5 * 60_000;
const MESSAGE_BEGINS_UNDER_PRESSURE_MS = 60_000;
/** Time from DATA to the end of the message. */
const MESSAGE_ENDS_WITHIN_MS = 10 * 60_000;
const PROXY_HEADER_WITHIN_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;
const GOODBYE_MS = 50;
const EVICTED_MS = 1_000;

/** Common part of all SMTP listeners: limits, timeouts, STARTTLS, and a shutdown that loses no mail. */
export function createSmtpListener(options: ListenerOptions): SmtpListener {
  const { name, tls, maxBytes, maxRecipients, proxyNetworks, disabledCommands, onRcptTo, onData, log } =
    options;
  /** No client authenticates here. Sending a message counts instead. */
  const slots = createSessionSlots({
    maxSessions: MAX_CLIENTS,
    maxUnauthenticated: MAX_CLIENTS_PER_ADDRESS,
    authenticateWithinMs: MESSAGE_BEGINS_WITHIN_MS,
    authenticateUnderPressureMs: MESSAGE_BEGINS_UNDER_PRESSURE_MS,
    onChange: () => undefined,
  });
  const slotOf = new WeakMap<SMTPServerSession, SessionSlot>();
  let underWay = 0;
  let closing = false;
  let onIdle: (() => void) | undefined;

  const server: CodedSmtpServer = new CodedSmtpServer(
    {
      ...(name !== undefined && { name }),
      ...tls,
      disabledCommands: [...disabledCommands, ...(tls ? [] : ["STARTTLS"])],
      logger: false,
      // A reverse lookup would delay the greeting, and no code uses the name.
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      size: maxBytes,
      rejectOversized: true,
      maxRecipients,
      socketTimeout: IDLE_TIMEOUT_MS,
      closeTimeout: GOODBYE_MS,
      onConnect: (session, done) => {
        const slot = slots.admit(session.remoteAddress, (reason) => evict(session, reason));
        if (!isReply(slot)) slotOf.set(session, slot);
        if (closing) done(smtpReply(421, "The server is shutting down"));
        else done(isReply(slot) ? replyError(slot) : null);
      },
      onClose: (session) => slotOf.get(session)?.release(),
      onRcptTo,
      onData: (stream, session, done) => {
        underWay++;
        slotOf.get(session)?.authenticated();
        const late = setTimeout(
          () => evict(session, reply(421, "4.4.2", "The message took too long")),
          MESSAGE_ENDS_WITHIN_MS,
        ).unref();
        onData(stream, session, (error, message) => {
          underWay--;
          clearTimeout(late);
          if (underWay === 0) onIdle?.();
          slotOf.get(session)?.unauthenticated();
          done(error, message);
        });
      },
    },
    { networks: proxyNetworks, headerWithinMs: PROXY_HEADER_WITHIN_MS },
  );

  function evict(session: SMTPServerSession, { code, enhanced, text }: Reply): void {
    const connection = [...server.connections].find((one) => one.session === session);
    connection?.send(code, `${enhanced} ${text}`);
    // A socket in a handshake belongs to TLS, which has its own timeout.
    if (!connection?._upgrading) setTimeout(() => connection?._socket.destroy(), EVICTED_MS).unref();
  }

  // A client that disconnects during a session is not an error of the server.
  server.on("error", (error) => log.debug({ err: error }, "SMTP connection failed"));

  return {
    listen: async (host, port) => {
      // Uses the error event of the inner server, because this server also emits errors of connections.
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
