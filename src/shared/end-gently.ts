import type { Socket } from "node:net";

/** Long enough for a client that is still sending to notice the response. */
const LINGER_MS = 1_000;

/**
 * Ends a connection after these last octets, without a reset that could destroy them for a client that is still sending
 * (RFC 9112 section 9.6). A connection that has already ended only gets this time.
 */
export function endGently(socket: Socket, last = ""): void {
  if (!socket.writableEnded) socket.end(last);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
