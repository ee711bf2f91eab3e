import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

/** The bytes of an SMTP session in both directions, without additions or retries. */
export interface SmtpWire {
  /** All received data since the last `take`. */
  heard(): string;
  write(bytes: string | Buffer): void;
  /** The next complete reply with all its lines, or the data before the server closes. */
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

const REPLY = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/;

/** Connects and, by default, waits for the greeting. */
export async function openWire(port: number, { greeted = true, secure = false } = {}): Promise<SmtpWire> {
  let socket: net.Socket = secure
    ? tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : net.connect(port, "127.0.0.1");
  let heard = "";
  let closed = false;
  /** Called on received data or the end of the connection. */
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  let end: (value?: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const listen = (to: net.Socket) => {
    to.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      wake();
    });
    to.on("error", () => undefined);
    to.on("end", () => end());
    to.on("close", () => {
      closed = true;
      end();
      wake();
    });
  };
  listen(socket);
  await once(socket, secure ? "secureConnect" : "connect");

  const reply = async () => {
    for (;;) {
      const [found] = REPLY.exec(heard) ?? [];
      if (found === undefined && closed) return heard;
      if (found !== undefined) {
        heard = heard.slice(found.length);
        return found;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
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
      // The socket below ends before all data of TLS is read.
      for (const event of ["data", "end", "close"]) socket.removeAllListeners(event);
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

/** A session after STARTTLS and AUTH. */
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
