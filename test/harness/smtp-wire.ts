import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { eventually } from "./start-hermod.ts";

/** The bytes of an SMTP session, both ways: nothing is added, nothing retried. */
export interface SmtpWire {
  /** All that was heard since the last `take`. */
  heard(): string;
  write(bytes: string | Buffer): void;
  /** The next complete reply, all of its lines; what the server closes with counts. */
  reply(): Promise<string>;
  /** Sends one line and resolves to the reply. */
  say(line: string): Promise<string>;
  /** STARTTLS and the handshake. */
  startTls(options?: tls.ConnectionOptions): Promise<tls.TLSSocket>;
  /** Resolves when the server has closed the session. */
  readonly ended: Promise<unknown>;
  close(): void;
  readonly socket: net.Socket;
}

/** As long as the most patient clients wait after a message. */
const REPLY_TIMEOUT_MS = 300_000;
const REPLY = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/;

/** Connects and, unless told otherwise, waits for the greeting. */
export async function openWire(port: number, { greeted = true, secure = false } = {}): Promise<SmtpWire> {
  let socket: net.Socket = secure
    ? tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : net.connect(port, "127.0.0.1");
  let heard = "";
  let closed = false;
  let end: (value?: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const listen = (to: net.Socket) => {
    to.on("data", (chunk) => {
      heard += chunk.toString("latin1");
    });
    to.on("error", () => undefined);
    to.on("end", () => end());
    to.on("close", () => {
      closed = true;
      end();
    });
  };
  listen(socket);
  await once(socket, secure ? "secureConnect" : "connect");

  const reply = () =>
    eventually(async () => {
      const [found] = REPLY.exec(heard) ?? [];
      if (found === undefined && closed) return heard;
      if (found !== undefined) heard = heard.slice(found.length);
      return found;
    }, REPLY_TIMEOUT_MS);
  const say = (line: string) => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  if (greeted) await reply();
  return {
    heard: () => heard,
    write: (bytes) => void socket.write(bytes),
    reply,
    say,
    startTls: async (options) => {
      const answer = await say("STARTTLS");
      if (!answer.startsWith("220")) throw new Error(answer);
      socket.removeAllListeners("data");
      const secured = tls.connect({ socket, rejectUnauthorized: false, ...options });
      listen(secured);
      await once(secured, "secureConnect");
      socket = secured;
      return secured;
    },
    ended,
    close: () => socket.destroy(),
    get socket() {
      return socket;
    },
  };
}

export const plain = (username: string, password: string) =>
  `AUTH PLAIN ${Buffer.from(`\0${username}\0${password}`).toString("base64")}`;

/** A session past STARTTLS and AUTH. */
export async function openAuthenticated(
  port: number,
  username = "key",
  password = "secret",
): Promise<SmtpWire> {
  const wire = await openWire(port);
  await wire.say("EHLO client.test");
  await wire.startTls();
  await wire.say("EHLO client.test");
  const answer = await wire.say(plain(username, password));
  if (!answer.startsWith("235")) throw new Error(answer);
  return wire;
}
