import { isUtf8 } from "node:buffer";
import type { Writable } from "node:stream";
import type { SMTPServerDataStream } from "smtp-server";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { createMessageEnd } from "./message-end.ts";

/** Reason why a command line is not processed. */
export type LineFault = "too_long" | "malformed";

export interface CommandLineHandlers {
  /** Receives a line without its CRLF. Calls `next` when the next line may follow. */
  readonly onLine: (line: Buffer, next: () => void) => void;
  /** The following input is not read. */
  readonly onFault: (fault: LineFault) => void;
  /** Largest number of octets of a line with this start. */
  readonly maxLength: (line: Buffer) => number;
}

interface Input {
  readonly data: Buffer;
  at: number;
  lines: number;
}

/** Lines after which other sessions get their turn. */
const LINES_AT_ONCE = 50;
const LF = 0x0a;
const CR = 0x0d;
const NUL = 0x00;

/**
 * Splits the input of a client into command lines and messages. Stricter than its base class, which accepts a bare LF
 * as the end of a line, retains 16 KB of a line, and treats the rest of a closed connection as a command. Also exact
 * with leading dots of messages, of which the base class removes only doubled ones.
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

  /** An incomplete line is not a line. */
  override _flushData(): void {
    this.#begun = Buffer.alloc(0);
  }

  #readLines(data: Buffer, done: () => void): void {
    const input: Input = { data, at: 0, lines: 0 };
    let busy = false;
    let again = false;
    this.#begun = Buffer.alloc(0);
    const step = (): void => {
      // Most commands are answered before this call returns. A loop keeps the stack from growing.
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
      // A copy, because a slice would keep the complete read buffer in memory.
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

/** A destroyed stream never emits `drain`, but it emits `close`. */
function whenDrained(stream: Writable, done: () => void): void {
  const next = () => {
    stream.off("drain", next);
    stream.off("close", next);
    done();
  };
  stream.on("drain", next);
  stream.on("close", next);
}
