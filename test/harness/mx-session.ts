import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type SecureContext, TLSSocket } from "node:tls";
import type { MxBehaviour, MxPhase, MxReceipt } from "./mx-behaviour.ts";

export interface MxSessionOptions {
  readonly socket: Socket;
  readonly connection: number;
  /** The current behavior, which may change while the connection is open. */
  readonly behaviour: () => MxBehaviour;
  readonly secureContext: SecureContext;
  /** More connections are open than the server accepts. */
  readonly isOneTooMany: boolean;
  /** Whether the sender is still greylisted for this recipient. */
  readonly isGreylisted: (from: string, to: string) => boolean;
  /** Counts and limits dropped connections. */
  readonly dropsNow: (at: NonNullable<MxBehaviour["dropsAt"]>) => boolean;
  readonly onCommand: (phase: MxPhase) => void;
  readonly onMessage: (receipt: MxReceipt) => void;
}

const END_OF_DATA = Buffer.from("\r\n.\r\n");
const EMPTY = Buffer.alloc(0);
/** Maximum length that is searched for the header. */
const HEADER_BYTES = 16_384;

/**
 * One connection of a receiving server, with only the commands that a client needs, and fast enough for thousands
 * a second.
 */
export function serveMxSession(options: MxSessionOptions): void {
  const { connection, behaviour, secureContext, isGreylisted, dropsNow, onCommand, onMessage } = options;
  let socket = options.socket;
  let secure = false;
  let input: Buffer = EMPTY;
  /** Offset from which the end of the data is searched. */
  let searched = 0;
  let inData = false;
  /** A reply is being sent; further input waits. */
  let replying = false;
  let client = "";
  let from: string | undefined;
  let to: string[] = [];
  let messages = 0;

  function listen(): void {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      input = input.length === 0 ? chunk : Buffer.concat([input, chunk]);
      proceed();
    });
  }

  function proceed(): void {
    while (!replying && !socket.destroyed && input.length > 0) {
      if (inData ? !takeMessage() : !takeCommand()) return;
    }
  }

  function takeCommand(): boolean {
    const end = input.indexOf("\n");
    if (end < 0) return false;
    const line = input.toString("utf8", 0, end).trimEnd();
    input = input.subarray(end + 1);
    const [verb = ""] = line.split(/[ :]/, 1);
    const run = commands[verb.toUpperCase()];
    if (run) run(line);
    else say("502 5.5.2 not implemented");
    return true;
  }

  const commands: Readonly<Record<string, (line: string) => void>> = {
    EHLO: hello,
    HELO: hello,
    STARTTLS: () => answer("starttls", "", "220 2.0.0 go ahead", startTls),
    MAIL: (line) => {
      const { messagesPerConnection = Number.POSITIVE_INFINITY } = behaviour();
      const address = addressIn(line);
      if (messages >= messagesPerConnection) say("421 4.7.0 enough for one connection");
      else answer("mail", address, "250 2.1.0 ok", () => begin(address));
    },
    RCPT: (line) => {
      const address = addressIn(line);
      if (from === undefined) say("503 5.5.1 MAIL first");
      else if (isGreylisted(from, address)) say("451 4.7.1 Greylisted, please come back later");
      else answer("rcpt", address, "250 2.1.5 ok", () => to.push(address));
    },
    DATA: () => {
      if (to.length === 0) say("503 5.5.1 RCPT first");
      else answer("data", "", "354 go ahead", beginData);
    },
    RSET: () => {
      begin(undefined);
      say("250 2.0.0 ok");
    },
    NOOP: () => say("250 2.0.0 ok"),
    QUIT: () => say("221 2.0.0 bye", () => socket.end()),
  };

  function hello(line: string): void {
    client = line.slice("EHLO ".length);
    answer("ehlo", client, capabilities());
  }

  function begin(address: string | undefined): void {
    from = address;
    to = [];
  }

  function beginData(): void {
    inData = true;
    searched = 0;
  }

  function takeMessage(): boolean {
    if (dropsNow("before_dot")) {
      reset();
      return false;
    }
    const atStart = input.toString("latin1", 0, 3) === ".\r\n";
    const end = atStart ? 0 : input.indexOf(END_OF_DATA, searched);
    if (end < 0) {
      searched = Math.max(0, input.length - END_OF_DATA.length);
      return false;
    }
    const source = atStart ? EMPTY : input.subarray(0, end + 2);
    input = input.subarray(end + (atStart ? 3 : END_OF_DATA.length));
    inData = false;
    messages++;
    const receipt = {
      id: idOf(source),
      from: from ?? "",
      to,
      atMs: performance.now(),
      client,
      connection,
      secure,
      source: behaviour().keepsSource ? unstuffed(source) : undefined,
    };
    begin(undefined);
    if (dropsNow("after_dot")) {
      onMessage(receipt);
      reset();
      return false;
    }
    answer("message", receipt.id, "250 2.0.0 queued", () => onMessage(receipt));
    return true;
  }

  /** Sends the reply of the behavior for the phase, or else the usual one. Only the usual reply has its effect. */
  function answer(phase: MxPhase, argument: string, usual: string, effect?: () => unknown): void {
    onCommand(phase);
    if (dropsNow(phase)) {
      reset();
      return;
    }
    const own = behaviour().replies?.[phase];
    const said = typeof own === "function" ? own(argument) : own;
    if (said !== undefined) {
      say(said);
      return;
    }
    // The message is recorded before the client receives the reply.
    if (phase === "message") effect?.();
    say(usual, phase === "message" ? undefined : effect);
  }

  function say(text: string, after?: () => unknown): void {
    const { replyDelayMs = 0, octetDelayMs } = behaviour();
    const octets = Buffer.from(`${text}\r\n`, "utf8");
    replying = true;
    const done = () => {
      replying = false;
      after?.();
      if (text.startsWith("421")) socket.end();
      else proceed();
    };
    const write = () => {
      if (octetDelayMs !== undefined) {
        void writeSlowly(octets, octetDelayMs).then(done);
        return;
      }
      if (!socket.destroyed) socket.write(octets);
      done();
    };
    if (replyDelayMs > 0) setTimeout(write, replyDelayMs);
    else write();
  }

  async function writeSlowly(octets: Buffer, delayMs: number): Promise<void> {
    for (let at = 0; at < octets.length && !socket.destroyed; at++) {
      // No delay after the last one: the client may continue at once, and in TLS.
      if (at > 0) await sleep(delayMs);
      socket.write(octets.subarray(at, at + 1));
    }
  }

  function reset(): void {
    // TLS has no reset, so the connection below it is reset.
    options.socket.resetAndDestroy();
    socket.destroy();
  }

  function capabilities(): string {
    const { tls = "offered" } = behaviour();
    const offered = ["SIZE 52428800", "8BITMIME", "SMTPUTF8", "PIPELINING", "ENHANCEDSTATUSCODES"];
    if (tls !== "none" && !secure) offered.push("STARTTLS");
    const lines = ["mx.test", ...offered];
    return lines.map((line, index) => `250${index < lines.length - 1 ? "-" : " "}${line}`).join("\r\n");
  }

  function startTls(): void {
    socket.removeAllListeners("data");
    input = EMPTY;
    if (behaviour().tls === "broken") {
      socket.once("data", () => socket.end("this is no TLS"));
      return;
    }
    socket = new TLSSocket(socket, { isServer: true, secureContext });
    secure = true;
    begin(undefined);
    listen();
  }

  listen();
  if (options.isOneTooMany) say("421 4.7.0 too many connections from you");
  else answer("connect", "", "220 mx.test ESMTP");
}

/** Returns the address in the brackets of `MAIL FROM:<a@b> SIZE=…`. */
function addressIn(line: string): string {
  return line.slice(line.indexOf("<") + 1, line.lastIndexOf(">"));
}

function idOf(source: Buffer): string {
  const header = source.toString("latin1", 0, HEADER_BYTES);
  return /^Message-ID:\s*<(msg_[0-9a-z]+)@/im.exec(header)?.[1] ?? "";
}

/** RFC 5321 section 4.5.2. */
function unstuffed(source: Buffer): Buffer {
  return Buffer.from(source.toString("latin1").replace(/^\./gm, ""), "latin1");
}
