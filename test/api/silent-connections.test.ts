import { once } from "node:events";
import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import net, { type AddressInfo, type Socket } from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import {
  boundSilentConnections,
  type SilentConnectionsOptions,
} from "../../src/shared/silent-connections.ts";
import { openHttp2 } from "../harness/http2-client.ts";
import { certificateFor, startTestEdge } from "../harness/test-edge.ts";

const certificate = certificateFor("localhost");
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface TestServer {
  readonly port: number;
  /** Responses that the server has not ended. */
  readonly open: ServerResponse[];
}

/** A server that ends its response to `GET /`, and leaves others open. */
async function startServer(
  options: Partial<SilentConnectionsOptions>,
  { secure = false }: { readonly secure?: boolean } = {},
): Promise<TestServer> {
  const open: ServerResponse[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/") response.end();
    else open.push(response);
  };
  const server: Server | Http2SecureServer = secure
    ? createSecureServer({ allowHTTP1: true, cert: certificate.pem, key: certificate.keyPem })
    : http.createServer();
  boundSilentConnections(server, { waitMs: 60_000, ...options });
  (server as Server).on("request", answer);
  (server as Server).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => (server as Server).close());
  return { port: (server.address() as AddressInfo).port, open };
}

/** Opens a connection from its own address and sends nothing. */
async function connect(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress });
  cleanups.push(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function request(socket: Socket, path = "/"): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  if (path === "/") await once(socket, "data");
}

async function untilClosed(...sockets: (Socket | undefined)[]): Promise<void> {
  for (const socket of sockets) {
    socket?.resume();
    if (socket && !socket.closed) await once(socket, "close");
  }
}

const destroyed = (...sockets: (Socket | undefined)[]) => sockets.map((socket) => socket?.destroyed);

describe("connections without a request", () => {
  it.each([
    ["plain", false],
    ["TLS", true],
  ])(
    "beyond the limit, the oldest of the client with the most connections is closed (%s)",
    async (_name, secure) => {
      const { port } = await startServer({ maxNew: 4 }, { secure });
      const other = await connect(port, "127.0.0.2");
      const many = [await connect(port), await connect(port), await connect(port)];
      const more = await connect(port, "127.0.0.3");
      await untilClosed(many[0]);
      await connect(port, "127.0.0.3");
      await untilClosed(many[1]);
      expect(destroyed(other, many[2], more)).toEqual([false, false, false]);
    },
  );

  it("stay within the limit when many arrive at once", async () => {
    const { port } = await startServer({ maxNew: 4 });
    const many = await Promise.all(Array.from({ length: 200 }, () => connect(port)));
    for (const socket of many) socket.resume();
    await expect.poll(() => destroyed(...many).filter((is) => !is).length, { timeout: 60_000 }).toBe(4);
  });

  it("no longer count after their first request", async () => {
    const { port } = await startServer({ maxNew: 2 });
    const used: Socket[] = [];
    for (let count = 0; count < 3; count++) {
      const socket = await connect(port);
      await request(socket);
      used.push(socket);
    }
    const unused = [await connect(port), await connect(port)];
    await connect(port);
    await untilClosed(unused[0]);
    for (const socket of used) await request(socket);
    expect(destroyed(...used)).toEqual([false, false, false]);
  });

  it("close after a timeout, with or without a TLS handshake, unlike those with a request", async () => {
    const { port } = await startServer({ waitMs: 300 }, { secure: true });
    const plain = await connect(port);
    const ca = certificate.pem;
    const silent = tls.connect({ port, host: "127.0.0.1", servername: "localhost", ca });
    const session = await openHttp2(`https://localhost:${port}`, ca);
    cleanups.push(
      () => silent.destroy(),
      () => session.destroy(),
    );
    const stream = session.request({ ":path": "/" });
    stream.resume();
    await Promise.all([once(stream, "close"), untilClosed(plain, silent)]);
    expect(session.destroyed).toBe(false);
  });
});

describe("connections between two requests", () => {
  it("beyond the limit, the longest idle one is closed, and none with an unanswered request", async () => {
    const { port, open } = await startServer({ maxIdle: 2 });
    const busy = await connect(port);
    await request(busy, "/open");
    const idle = [await connect(port), await connect(port), await connect(port)];
    for (const socket of idle) await request(socket);
    await untilClosed(idle[0]);
    expect(destroyed(busy, idle[1], idle[2])).toEqual([false, false, false]);
    open[0]?.end();
    await once(busy, "data");
    await untilClosed(idle[1]);
    expect(destroyed(busy, idle[2])).toEqual([false, false]);
  });

  it("include an HTTP/2 connection after its last stream has ended", async () => {
    const { port, open } = await startServer({ maxIdle: 1 }, { secure: true });
    const ask = async (path: string) => {
      const session = await openHttp2(`https://localhost:${port}`, certificate.pem);
      cleanups.push(() => session.destroy());
      const stream = session.request({ ":path": path });
      stream.resume();
      if (path === "/") await once(stream, "close");
      else await expect.poll(() => open.length, { timeout: 60_000 }).toBe(1);
      return session;
    };
    const busy = await ask("/open");
    const second = busy.request({ ":path": "/" });
    second.resume();
    await once(second, "close");
    const idle = await ask("/");
    const later = await ask("/");
    await expect.poll(() => idle.destroyed, { timeout: 60_000 }).toBe(true);
    expect([busy.destroyed, later.destroyed]).toEqual([false, false]);
  });
});

describe("the HTTP port", () => {
  it.each([
    ["nothing", ""],
    ["half of a head", "POST /v1/send HTTP/1.1\r\nHost: x\r\n"],
  ])("answers 408 to a client that sends %s", async (_name, bytes) => {
    const edge = await startTestEdge({
      isSecure: false,
      times: { headersMs: 100, requestMs: 200, checkMs: 50 },
    });
    cleanups.push(() => edge.close());
    const socket = await connect(edge.port);
    socket.write(bytes);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    await untilClosed(socket);
  });
});
