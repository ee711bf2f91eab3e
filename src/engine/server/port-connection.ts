import type { MessagePort } from "node:worker_threads";
import { ownBytes } from "../../shared/own-bytes.ts";
import type { Connection, ConnectionHandlers } from "./connection.ts";
import { parseMessage } from "./wire.ts";

/**
 * A client in another thread of this process. Each message of the port is one of the wire protocol, in its own buffer; replies
 * are sent as a list. A message that cannot be parsed ends the connection.
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
      replies.push(ownBytes(bytes));
    },
    flush: () => {
      const transferred = replies.map(({ buffer }) => buffer);
      port.postMessage(replies, transferred);
      replies = [];
    },
    destroy: () => port.close(),
  };
}
