import type { Socket } from "node:net";

/** Long enough for a client to notice, in the middle of its sending, that it has been answered. */
const LINGER_MS = 1_000;

/**
 * Ends a connection, after these last octets of it, without a reset that could take them away from a client that is
 * still sending (RFC 9112 section 9.6). One that is ended already is only given its time.
 */
export function endGently(socket: Socket, last = ""): void {
  if (!socket.writableEnded) socket.end(last);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
