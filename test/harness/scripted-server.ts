import { once } from "node:events";
import { readFileSync } from "node:fs";
import net, { type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import tls, { type TLSSocketOptions } from "node:tls";

/** One connection as the script sees it. */
export interface Peer {
  /** Number in order of connection, from 0. */
  readonly number: number;
  readonly remoteAddress: string;
  /** Received data, in chunks as received. */
  readonly chunks: string[];
  /** Commands, without message data. */
  readonly commands: string[];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  encrypted: boolean;
  say(text: string | Buffer): void;
  /** Ends the connection after the pending output. */
  hangUp(): void;
  /** Ends it with a reset. */
  reset(): void;
  /** Resets the connection after the next input of the client, without reading it. */
  resetWhenTold(): void;
  /** Stops reading. */
  stopReading(): void;
  /** @param options differing from the certificate of the fixtures and Node's defaults */
  startTls(options?: TLSSocketOptions): Promise<void>;
}

/** Answer to a command: text, or an action that may return text. */
export type Answer = string | Buffer | ((peer: Peer) => void | Promise<void> | Promise<string>);

/** `greeting` comes first, `end` after the final dot. */
export type Step =
  | ("greeting" | "EHLO" | "HELO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end")
  | ("RSET" | "QUIT");

export type Script = Partial<Record<Step, Answer>>;

export interface ScriptedMessage {
  readonly mail: string;
  readonly rcpt: readonly string[];
  /** As received, with its dots and without the final one. */
  readonly raw: string;
  readonly encrypted: boolean;
}

export interface ScriptedServer {
  readonly host: string;
  readonly port: number;
  readonly peers: Peer[];
  /** Every message with a received final dot, accepted or not. */
  readonly messages: ScriptedMessage[];
  /** Replaces the script from now on. */
  script: Script;
  close(): Promise<void>;
}

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, "../fixtures/tls", name));

/** Answers neither this command nor any later one. */
export const silence = (_peer: Peer) => new Promise<void>(() => undefined);
/** Sends this text, and answers nothing after it, because TLS data of a client may contain line ends. */
export const thenSilence = (text: string) => (peer: Peer) => {
  peer.say(text);
  return silence(peer);
};
export const hangUp: Answer = (peer) => peer.hangUp();
export const reset: Answer = (peer) => peer.reset();

export const offering = (...keywords: string[]) =>
  ["250-scripted.test", ...keywords.map((keyword) => `250-${keyword}`), "250 HELP"].join("\r\n");

const polite: Record<Step, Answer> = {
  greeting: "220 scripted.test ESMTP",
  EHLO: offering("PIPELINING", "8BITMIME", "SMTPUTF8", "SIZE 1000000", "ENHANCEDSTATUSCODES"),
  HELO: "250 scripted.test",
  STARTTLS: async (peer) => {
    peer.say("220 go ahead");
    await peer.startTls();
  },
  AUTH: "235 2.7.0 welcome",
  MAIL: "250 2.1.0 sender ok",
  RCPT: "250 2.1.5 recipient ok",
  DATA: "354 go ahead",
  end: "250 2.0.0 queued",
  RSET: "250 2.0.0 flushed",
  QUIT: (peer) => {
    peer.say("221 2.0.0 bye");
    peer.hangUp();
  },
};

/** A scripted SMTP server that can send any reply, also invalid ones, line by line. It supports pipelining. */
export async function startScriptedServer(
  script: Script = {},
  host = "127.0.0.1",
  port = 0,
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const peers: Peer[] = [];
  const messages: ScriptedMessage[] = [];
  const listener = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket);
  });

  function converse(opened: Socket): void {
    let socket = opened;
    let rest = "";
    let amidData = false;
    let mail = "";
    let rcpt: string[] = [];
    let turn: Promise<void> = Promise.resolve();
    const peer: Peer = {
      number: peers.length,
      remoteAddress: opened.remoteAddress ?? "",
      chunks: [],
      commands: [],
      closed: new Promise((resolve) => opened.once("close", () => resolve())),
      encrypted: false,
      say: (text) => {
        if (!socket.destroyed) socket.write(typeof text === "string" ? `${text}\r\n` : text);
      },
      hangUp: () => socket.end(),
      reset: () => opened.resetAndDestroy(),
      resetWhenTold: () => {
        opened.removeAllListeners("data").once("data", () => opened.resetAndDestroy());
      },
      stopReading: () => socket.pause(),
      startTls: async (options) => {
        rest = "";
        socket.removeAllListeners("data");
        const secure = new tls.TLSSocket(socket, {
          isServer: true,
          key: fixture("relay.key"),
          cert: fixture("relay.crt"),
          ...options,
        });
        socket = secure;
        peer.encrypted = true;
        secure.on("error", () => undefined).on("data", onData);
      },
    };
    peers.push(peer);

    async function answer(step: Step): Promise<void> {
      const answer = server.script[step] ?? polite[step];
      const said = typeof answer === "function" ? await answer(peer) : answer;
      if (typeof said === "string" || Buffer.isBuffer(said)) peer.say(said);
      if (step === "DATA") amidData = typeof said === "string" && said.startsWith("354");
    }

    async function take(): Promise<void> {
      for (;;) {
        if (amidData) {
          const whole = rest.startsWith(".\r\n") ? "" : undefined;
          const end = rest.indexOf("\r\n.\r\n");
          if (whole === undefined && end < 0) return;
          const raw = whole ?? rest.slice(0, end + 2);
          rest = rest.slice(raw.length + 3);
          amidData = false;
          messages.push({ mail, rcpt, raw, encrypted: peer.encrypted });
          rcpt = [];
          await answer("end");
          continue;
        }
        const end = rest.indexOf("\r\n");
        if (end < 0) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        peer.commands.push(line);
        const verb = line.split(" ", 1)[0] ?? "";
        if (verb === "MAIL") mail = line;
        if (verb === "RCPT") rcpt = [...rcpt, line];
        if (verb in polite) await answer(verb as Step);
        else if (/^[\w+/]+=*$/.test(line)) await answer("AUTH");
        else peer.say("500 5.5.1 what?");
      }
    }

    function onData(chunk: Buffer): void {
      peer.chunks.push(chunk.toString("utf8"));
      rest += chunk.toString("utf8");
      turn = turn.then(take);
    }
    opened.on("error", () => undefined).on("data", onData);
    turn = turn.then(() => answer("greeting"));
  }

  listener.listen(port, host);
  await once(listener, "listening");
  const server: ScriptedServer = {
    host,
    port: (listener.address() as AddressInfo).port,
    peers,
    messages,
    script,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
  return server;
}
