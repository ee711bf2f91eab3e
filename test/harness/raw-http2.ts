import { once } from "node:events";
import tls, { type TLSSocket } from "node:tls";
import { createSignal, type Signal } from "./signal.ts";

/** Frame types (RFC 9113 section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection that can send frames that no library would send. */
export interface RawHttp2 {
  readonly socket: TLSSocket;
  /** Frames of the server, in order. */
  readonly frames: Signal<Frame>;
  write(...frames: Buffer[]): void;
  /** Resolves to the error code with which the server resets this stream or sends GOAWAY. */
  errorOf(stream: number): Promise<number>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A block of fields as literals without indexing (RFC 7541 section 6.2.2). */
export function fieldBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    fields.map(([name, value]) => Buffer.concat([Buffer.from([0]), literal(name), literal(value)])),
  );
}

/** A length with a seven-bit prefix (RFC 7541 section 5.1), followed by the octets. */
export function literal(text: string): Buffer {
  const octets = Buffer.from(text, "latin1");
  const length = octets.length < 127 ? [octets.length] : [127];
  for (let rest = octets.length - 127; rest >= 0; rest = rest < 128 ? -1 : rest >> 7) {
    length.push(rest < 128 ? rest : (rest & 127) | 128);
  }
  return Buffer.concat([Buffer.from(length), octets]);
}

/** The head of a request, as one frame. */
export function headers(
  stream: number,
  fields: readonly (readonly [string, string])[],
  flags: number = END_HEADERS,
): Buffer {
  return frame(FRAME.headers, flags, stream, fieldBlock(fields));
}

/** The fields of a request; with a key, of a request to send. */
export function rawHead(method: string, path: string, key?: string): (readonly [string, string])[] {
  return [
    [":method", method],
    [":scheme", "https"],
    [":path", path],
    [":authority", "127.0.0.1"],
    ...(key === undefined
      ? []
      : ([
          ["content-type", "application/json"],
          ["x-api-key", key],
        ] as const)),
  ];
}

export function reset(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(FRAME.reset, 0, stream, payload);
}

/** Connects; resolves after the exchange of settings. */
export async function openRawHttp2(url: string, ca: string): Promise<RawHttp2> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ["h2"] });
  const frames: Signal<Frame> = createSignal();
  let left = Buffer.alloc(0);
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= 9 && left.length >= 9 + left.readUIntBE(0, 3)) {
      const end = 9 + left.readUIntBE(0, 3);
      frames.tell({
        type: left[3] ?? 0,
        flags: left[4] ?? 0,
        stream: left.readUInt32BE(5),
        payload: left.subarray(9, end),
      });
      left = left.subarray(end);
    }
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "secureConnect");
  const write = (...parts: Buffer[]) => void socket.write(Buffer.concat(parts));
  write(PREFACE, frame(FRAME.settings, 0, 0), frame(FRAME.settings, 1, 0));
  await frames.until(({ length }) => length > 0);

  async function errorOf(stream: number): Promise<number> {
    const find = (seen: readonly Frame[]) =>
      seen.find(
        ({ type, stream: of }) => type === (stream === 0 ? FRAME.goaway : FRAME.reset) && of === stream,
      );
    await frames.until((seen) => find(seen) !== undefined);
    return find(frames.seen)?.payload.readUInt32BE(stream === 0 ? 4 : 0) ?? -1;
  }

  return { socket, frames, write, errorOf, closed };
}
