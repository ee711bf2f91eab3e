import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: Buffer;
  readonly secure: boolean;
  readonly user: string | undefined;
  /** RFC 3461 parameters of the envelope, for a relay started with `hideDSN: false`. */
  readonly dsn: readonly unknown[];
}

export interface FakeRelay {
  readonly port: number;
  readonly received: Received[];
  /** Connections opened so far. */
  connections(): number;
  /** Sets the next answer to DATA: an error's text is the reply; undefined: accept. */
  answerData(reply: (() => Error | undefined) | undefined): void;
  answerRecipient(reply: (() => Error | undefined) | undefined): void;
  /** Drops the connection instead of answering DATA. */
  dropAfterData(drop: boolean): void;
  /** Resets all open connections. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** A reply as smtp-server sends it: `responseCode` and text. */
export function smtpReply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

const tls = (name: string) => readFileSync(path.join(import.meta.dirname, "../fixtures/tls", name));

/** An upstream relay on loopback with configurable faults. */
export async function startFakeRelay(
  options: SMTPServerOptions = {},
  port = 0,
  host = "127.0.0.1",
): Promise<FakeRelay> {
  const received: Received[] = [];
  let connections = 0;
  let dataReply: (() => Error | undefined) | undefined;
  let recipientReply: (() => Error | undefined) | undefined;
  let drop = false;
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ["AUTH", "STARTTLS"],
    key: tls("relay.key"),
    cert: tls("relay.crt"),
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? "" }),
    ...options,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onRcptTo: (_address, _session, done) => done(recipientReply?.() ?? null),
    onData: (stream, session, done) => {
      buffer(stream).then((source) => {
        if (drop) return dropConnections();
        const refused = dataReply?.();
        if (refused) return done(refused);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          source,
          secure: session.secure,
          user: session.user,
          dsn: [session.envelope.dsn, ...rcptTo.map(({ dsn }) => dsn)],
        });
        done(null, "queued as FAKE1");
      }, done);
    },
  });
  function dropConnections(): void {
    for (const connection of server.connections) connection._socket.destroy();
  }
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    answerData: (reply) => {
      dataReply = reply;
    },
    answerRecipient: (reply) => {
      recipientReply = reply;
    },
    dropAfterData: (value) => {
      drop = value;
    },
    dropConnections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
