import { isUtf8 } from "node:buffer";
import type { Writable } from "node:stream";
import type { SMTPServerDataStream } from "smtp-server";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { createMessageEnd } from "./message-end.ts";

/** Why a command line is not looked at. */
export type LineFault = "too_long" | "malformed";

export interface CommandLineHandlers {
  /** Takes a line without its CRLF; calls back when the next may come. */
  readonly onLine: (line: Buffer, next: () => void) => void;
  /** Nothing that follows is read. */
  readonly onFault: (fault: LineFault) => void;
  /** Most octets of the line that begins like this. */
  readonly maxLength: (line: Buffer) => number;
}

interface Input {
  readonly data: Buffer;
  at: number;
  lines: number;
}

/** Between these other sessions have their turn. */
const LINES_AT_ONCE = 50;
const LF = 0x0a;
const CR = 0x0d;
const NUL = 0x00;

/**
 * Splits what a client sends into command lines and messages. Stricter with commands than its base, which reads a
 * bare LF as a line's end, keeps 16 KB of a line, and takes what a closing connection leaves behind for a command; and
 * exact with the dots of messages, of which the base takes only doubled ones away.
 */
export class CommandLines extends SMTPStream {
  readonly #handlers: CommandLineHandlers;
  #begun: Buffer = Buffer.alloc(0);
  #untilEnd = createMessageEnd();

  constructor(handlers: CommandLineHandlers) {
    super();
    this.#handlers = handlers;
    this.oncommand = (line, next) => handlers.onLine(line, next ?? (() => undefined));
  }

  override _write(chunk: Buffer, encoding: BufferEncoding | "buffer", done: () => void): void {
    if (this._dataMode || this.isClosed) super._write(chunk, encoding, done);
    else this.#readLines(this.#begun.length > 0 ? Buffer.concat([this.#begun, chunk]) : chunk, done);
  }

  override startDataMode(maxBytes?: number | string | null): SMTPServerDataStream {
    this.#untilEnd = createMessageEnd();
    return super.startDataMode(maxBytes);
  }

  override _feedDataStream(chunk: Buffer, done: () => void): void {
    const stream = this._dataStream;
    const { content, rest } = this.#untilEnd(chunk);
    this._countDataBytes(content.length);
    if (rest) this._endDataMode(content, rest, done);
    else if (content.length === 0 || !stream?.writable || stream.write(content)) done();
    else whenDrained(stream, done);
  }

  /** Half a line is none. */
  override _flushData(): void {
    this.#begun = Buffer.alloc(0);
  }

  #readLines(data: Buffer, done: () => void): void {
    const input: Input = { data, at: 0, lines: 0 };
    let busy = false;
    let again = false;
    this.#begun = Buffer.alloc(0);
    const step = (): void => {
      // Most commands are answered before they return here: a loop, so that the stack does not grow with them.
      again = true;
      if (busy) return;
      busy = true;
      while (again) {
        again = false;
        this.#readLine(input, step, done);
      }
      busy = false;
    };
    step();
  }

  #readLine(input: Input, step: () => void, done: () => void): void {
    const { data, at } = input;
    const end = data.indexOf(LF, at);
    const line = data.subarray(at, end === -1 ? undefined : end);
    if (this.isClosed) done();
    else if (this._dataMode) super._write(data.subarray(at), "buffer", done);
    else if (this.#refuses(line, end !== -1)) done();
    else if (end === -1) {
      // A copy: a few octets must not keep the whole of a large read in memory.
      this.#begun = Buffer.from(line);
      done();
    } else {
      input.at = end + 1;
      const take = () => (this.isClosed ? done() : this.oncommand(line.subarray(0, -1), step));
      if (++input.lines % LINES_AT_ONCE === 0) setImmediate(take);
      else take();
    }
  }

  #refuses(line: Buffer, whole: boolean): boolean {
    const fault = this.#faultOf(line, whole);
    if (fault) this.#handlers.onFault(fault);
    return fault !== undefined;
  }

  #faultOf(line: Buffer, whole: boolean): LineFault | undefined {
    if (line.length > this.#handlers.maxLength(line)) return "too_long";
    if (!whole) return undefined;
    if (line.indexOf(CR) !== line.length - 1 || line.length === 0) return "malformed";
    return line.includes(NUL) || !isUtf8(line) ? "malformed" : undefined;
  }
}

/** A stream that was destroyed never drains: it closes. */
function whenDrained(stream: Writable, done: () => void): void {
  const next = () => {
    stream.off("drain", next);
    stream.off("close", next);
    done();
  };
  stream.on("drain", next);
  stream.on("close", next);
}
