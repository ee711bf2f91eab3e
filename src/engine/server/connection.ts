import type { Socket } from "node:net";
import { messageLength, parseMessage, type Request } from "./wire.ts";

/** A client that does not read its replies is not read from beyond this size. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/** A client of the server. */
export interface Connection {
  readonly id: number;
  /** Collects a reply. */
  send(bytes: Buffer): void;
  /** Sends the replies of `send`. */
  flush(): void;
  destroy(): void;
}

export interface ConnectionHandlers {
  request(request: Request): void;
  closed(): void;
}

/** Splits the bytes of a socket into messages. A message that cannot be parsed ends the connection. */
export function createConnection(id: number, socket: Socket, handlers: ConnectionHandlers): Connection {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let needed = 4;
  let outgoing: Buffer[] = [];

  const receive = (chunk: Buffer) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < needed) return;
    let bytes = pending.length === 1 ? chunk : Buffer.concat(pending, pendingBytes);
    for (;;) {
      const length = messageLength(bytes);
      needed = length ?? 4;
      if (length === undefined || bytes.length < length) break;
      handlers.request(parseMessage(bytes.subarray(0, length)));
      bytes = bytes.subarray(length);
    }
    pending = bytes.length === 0 ? [] : [bytes];
    pendingBytes = bytes.length;
  };

  socket.on("data", (chunk) => {
    try {
      receive(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on("drain", () => socket.resume());
  // "close" follows every error.
  socket.on("error", () => {});
  socket.on("close", () => {
    pending = [];
    handlers.closed();
  });
  return {
    id,
    send: (bytes) => {
      outgoing.push(bytes);
    },
    flush: () => {
      const bytes = outgoing.length === 1 ? (outgoing[0] as Buffer) : Buffer.concat(outgoing);
      outgoing = [];
      if (socket.destroyed || bytes.length === 0) return;
      socket.write(bytes);
      if (socket.writableLength > MAX_UNSENT_BYTES) socket.pause();
    },
    destroy: () => {
      socket.destroy();
    },
  };
}
