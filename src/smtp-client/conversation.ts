import { TLSSocket } from "node:tls";
import { safeLines, type Transcript } from "../message/replies/outcome.ts";
import type { SmtpReply } from "./smtp-error.ts";

/** Remembers what is said on one connection, from its greeting or from the message on. */
export interface Conversation {
  /** Commands leave, each with its end of line. */
  asked(commands: string): void;
  /** Octets of the message leave. @param isLast a reply to all of them follows */
  sent(octets: number, isLast: boolean): void;
  answered(reply: SmtpReply): void;
  /** The connection has TLS from here on, if this socket has. */
  over(socket: unknown): void;
  /** A message begins: what was said about others is forgotten. */
  begin(): void;
  transcript(): Transcript;
}

const MAX_LINE_LENGTH = 400;
const MAX_REPLY_LINES = 16;
const MAX_LINES = 80;

export function createConversation(): Conversation {
  let lines: string[] = [];
  /** Not answered yet: several commands may leave before the first reply (RFC 2920). */
  let unanswered: string[] = [];
  let octets = 0;
  let tls: string | undefined;
  let isUsed = false;

  function say(line: string): void {
    if (lines.length < MAX_LINES) lines.push(short(line));
  }

  return {
    asked: (commands) => {
      for (const command of commands.split("\r\n")) if (command !== "") unanswered.push(`> ${command}`);
    },
    sent: (count, isLast) => {
      octets += count;
      if (!isLast) return;
      unanswered.push(`> (${octets} octets of the message)`);
      octets = 0;
    },
    answered: ({ text }) => {
      const question = unanswered.shift();
      if (question !== undefined) say(question);
      const replied = text.split("\n");
      for (const line of replied.slice(0, MAX_REPLY_LINES)) say(`< ${line}`);
      if (replied.length > MAX_REPLY_LINES) say("< …");
    },
    over: (socket) => {
      if (!(socket instanceof TLSSocket)) return;
      tls = `${socket.getProtocol() ?? "TLS"} ${socket.getCipher().standardName}`;
      say(`* ${tls}`);
    },
    begin: () => {
      if (isUsed) lines = ["* on a connection that was used before"];
      isUsed = true;
      unanswered = [];
      octets = 0;
    },
    transcript: () => {
      const rest = octets > 0 ? [...unanswered, `> (${octets} octets of the message)`] : unanswered;
      // Once for all lines: this is done for each message.
      const conversation = safeLines([...lines, ...rest.map(short)].join("\n"));
      return { conversation, ...(tls !== undefined && { tls }) };
    },
  };
}

function short(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH - 1)}…` : line;
}
