import type { MessagePort } from "node:worker_threads";
import type { Connection, ConnectionHandlers } from "./connection.ts";
import { parseMessage } from "./wire.ts";

/**
 * A client in another thread of this process. What comes over the port is one message of the wire protocol each, in a buffer
 * of its own; replies leave as a list. A message that cannot be parsed ends the connection.
 */
export function createPortConnection(
  id: number,
  port: MessagePort,
  handlers: ConnectionHandlers,
): Connection {
  let replies: Uint8Array<ArrayBuffer>[] = [];
  port.on("message", ({ buffer }: Uint8Array<ArrayBuffer>) => {
    try {
      handlers.request(parseMessage(Buffer.from(buffer)));
    } catch {
      port.close();
    }
  });
  port.on("close", handlers.closed);
  return {
    id,
    send: (bytes) => {
      // Of its own: a port would carry off what else is in the buffer.
      replies.push(new Uint8Array(bytes));
    },
    flush: () => {
      const transferred = replies.map(({ buffer }) => buffer);
      port.postMessage(replies, transferred);
      replies = [];
    },
    destroy: () => port.close(),
  };
}
