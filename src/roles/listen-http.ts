import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type TLSSocket, Server as TlsServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import { listenError } from "../shared/startup-error.ts";
import type { Process } from "./process.ts";

/** Interval at which connections without a request are closed during shutdown. */
const SWEEP_MS = 50;

/**
 * Closes an HTTP server at shutdown: no new connections, requests in progress are finished, and each connection ends after its
 * response. Otherwise a kept-alive connection would hold the process until its client closes it, and an incomplete request for
 * longer than HERMOD_DRAIN_MS. Call before the server listens.
 */
function drainHttp({ lifecycle }: Process, name: string, app: FastifyInstance): void {
  let draining = false;
  const unused = watchUnused(app.server);
  app.addHook("onSend", async (request, reply) => {
    // HTTP/2 has a frame for it.
    if (draining && request.raw.httpVersionMajor === 1) reply.header("connection", "close");
  });
  lifecycle.defer(name, async (drainMs) => {
    draining = true;
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_MS);
    const force = setTimeout(() => app.server.closeAllConnections(), drainMs);
    await app.close();
    clearInterval(sweep);
    clearTimeout(force);
  });
}

/** Connections without a request so far: Node.js does not count them as idle. */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  const begin = (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  };
  if (server instanceof TlsServer) {
    // Sessions of HTTP/2 end by themselves.
    server.on("secureConnection", (socket: TLSSocket) => socket.alpnProtocol !== "h2" && begin(socket));
  } else server.on("connection", begin);
  server.on("request", ({ socket }) => unused.delete(socket));
  return unused;
}

/**
 * Opens an HTTP server that drains at shutdown, and resolves to its port.
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
