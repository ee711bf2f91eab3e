import type { FastifyInstance } from "fastify";
import { listenError } from "../shared/startup-error.ts";
import type { Process } from "./process.ts";

/** How often connections without a request are let go of while a server closes. */
const SWEEP_MS = 50;

/**
 * Closes an HTTP server at the end: no new connections, answers under way are finished, and each connection ends with
 * its answer. Left to itself, a kept-alive connection would hold the process until its client lets go, and a client
 * that never finishes its request for longer than HERMOD_DRAIN_MS. To be called before the server listens.
 */
function drainHttp({ lifecycle }: Process, name: string, app: FastifyInstance): void {
  let draining = false;
  app.addHook("onSend", async (_request, reply) => {
    if (draining) reply.header("connection", "close");
  });
  lifecycle.defer(name, async (drainMs) => {
    draining = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    const force = setTimeout(() => app.server.closeAllConnections(), drainMs);
    await app.close();
    clearInterval(sweep);
    clearTimeout(force);
  });
}

/**
 * Opens an HTTP server that is drained at the end, and resolves to its port.
 * @throws StartupError naming the setting of its port
 */
export async function listenHttp(
  process: Process,
  app: FastifyInstance,
  at: { readonly name: string; readonly setting: string; readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  const { name, setting, host, port } = at;
  drainHttp(process, name, app);
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(setting, host, port, error);
  }
  const address = app.server.address();
  return { port: typeof address === "object" && address ? address.port : port };
}
