import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { endGently } from "../shared/end-gently.ts";

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
