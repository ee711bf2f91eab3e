import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Long enough for a client to notice, in the middle of its sending, that it has been answered. */
const LINGER_MS = 1_000;

/**
 * Before an answer that needs no more of the request: what is still on its way of the body is not read, and the
 * connection ends with the answer. It lingers for a moment, since closing it at once would reset it and could take the
 * answer away from a client that is still sending (RFC 9112 section 9.6).
 */
export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete) return;
  reply.header("connection", "close");
  // Node would read to the end, and throw away, the body of a request that nobody has begun to read.
  request.raw.pause();
  request.raw.read(0);
  linger(request.raw.socket);
}

function linger(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}

/** Ends a connection, after these last octets of it, without a reset that could take them away from the client. */
export function endGently(socket: Socket, last = ""): void {
  socket.end(last);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
