import { TLSSocket } from "node:tls";
import { safeLines, type Transcript } from "../message/replies/outcome.ts";
import type { SmtpReply } from "./smtp-error.ts";

/** Records the conversation on one connection, starting with its greeting or with the message. */
export interface Conversation {
  /** Commands are sent, each with its line end. */
  asked(commands: string): void;
  /** Octets of the message are sent. @param isLast a reply to the complete message follows */
  sent(octets: number, isLast: boolean): void;
  answered(reply: SmtpReply): void;
  /** The connection uses TLS from here on if this socket does. */
  over(socket: unknown): void;
  /** A message begins. The record of earlier messages is discarded. */
  begin(): void;
  transcript(): Transcript;
}

const MAX_LINE_LENGTH = 400;
const MAX_REPLY_LINES = 16;
const MAX_LINES = 80;

export function createConversation(): Conversation {
  let lines: string[] = [];
  /** Commands without a reply yet: several commands may be sent before the first reply (RFC 2920). */
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
      // Once for all lines, because this runs for each message.
      const conversation = safeLines([...lines, ...rest.map(short)].join("\n"));
      return { conversation, ...(tls !== undefined && { tls }) };
    },
  };
}

function short(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH - 1)}…` : line;
}
