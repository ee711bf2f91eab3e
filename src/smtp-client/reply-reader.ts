import { PhraseError, phrase } from "../shared/phrase.ts";
import type { SmtpReply } from "./smtp-error.ts";

/** RFC 5321 section 4.5.3.1.5 allows 512 octets. Real servers write longer explanations. */
const MAX_LINE_OCTETS = 8 * 1024;
const MAX_REPLY_OCTETS = 64 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HYPHEN = 0x2d;
const DIGIT_0 = 0x30;

/** The input is not an SMTP reply, or is too long. The message is safe to show. */
export class ReplyFault extends PhraseError {}

export interface ReplyReader {
  /**
   * Reads octets, and reports each complete reply.
   * @throws ReplyFault: no more replies can be read from this server
   */
  read(chunk: Buffer, onReply: (reply: SmtpReply) => void): void;
  /** Whether a reply is incomplete. */
  isAmidReply(): boolean;
}

/** Reads replies (RFC 5321 section 4.2) from chunks of any size, and retains at most one reply of the largest size. */
export function createReplyReader(): ReplyReader {
  /** Octets of an incomplete line. */
  let held: Buffer | undefined;
  let earlierLines: string[] = [];
  let earlierOctets = 0;
  let firstCode = 0;

  function readLine(data: Buffer, start: number, end: number, onReply: (reply: SmtpReply) => void): void {
    const code = codeAt(data, start, end);
    // Codes of lines may differ in detail. A reply with both acceptance and refusal is neither, and either guess could lose mail.
    if (earlierLines.length > 0 && Math.trunc(code / 100) !== Math.trunc(firstCode / 100)) {
      throw new ReplyFault(phrase("server.contradictory_reply"));
    }
    const text = data.toString("utf8", start, end);
    if (end > start + 3 && data[start + 3] === HYPHEN) {
      if (earlierLines.length === 0) firstCode = code;
      earlierLines.push(text);
      earlierOctets += end - start;
      if (earlierOctets > MAX_REPLY_OCTETS) throw new ReplyFault(phrase("server.long_reply"));
      return;
    }
    const whole = earlierLines.length === 0 ? text : [...earlierLines, text].join("\n");
    if (earlierLines.length > 0) earlierLines = [];
    earlierOctets = 0;
    onReply({ code, text: whole });
  }

  return {
    read: (chunk, onReply) => {
      const data = held ? Buffer.concat([held, chunk]) : chunk;
      held = undefined;
      let start = 0;
      for (;;) {
        const end = data.indexOf(LF, start);
        if ((end < 0 ? data.length : end) - start > MAX_LINE_OCTETS) {
          throw new ReplyFault(phrase("server.long_line"));
        }
        if (end < 0) break;
        readLine(data, start, end > start && data[end - 1] === CR ? end - 1 : end, onReply);
        start = end + 1;
      }
      if (start < data.length) held = data.subarray(start);
    },
    isAmidReply: () => held !== undefined || earlierLines.length > 0,
  };
}

/** Code at the start of a line, 200 to 599 and separated from its text. */
function codeAt(data: Buffer, start: number, end: number): number {
  const after = end === start + 3 ? SPACE : data[start + 3];
  const digits = [0, 1, 2].map((i) => (data[start + i] ?? 0) - DIGIT_0);
  const code = digits.reduce((sum, digit) => sum * 10 + digit, 0);
  const isCode = end - start >= 3 && digits.every((digit) => digit >= 0 && digit <= 9);
  if (isCode && code >= 200 && code < 600 && (after === SPACE || after === HYPHEN)) return code;
  const seen = data.toString("latin1", start, Math.min(end, start + 80));
  throw new ReplyFault(phrase("server.not_smtp", { detail: seen }));
}
