import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/**
 * Clients that ask before they send a body (`Expect: 100-continue`, RFC 9110 section 10.1.1) are told to go on when
 * their request has been admitted; Node by itself would tell everybody at once.
 */
export function expectContinue(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on("checkContinue", (request, response) => {
    waiting.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (waiting.has(request.raw)) reply.raw.writeContinue();
    done(null, payload);
  });
}
