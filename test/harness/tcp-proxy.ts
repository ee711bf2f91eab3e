import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { MongoClient } from "mongodb";
import { createSignal, type Signal } from "./signal.ts";

/** Direction in which bytes are dropped. */
export type Direction = "to the server" | "from the server";

export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and accepts no new one. */
  cut(): void;
  /** Drops input without notice to either side, as a network does that loses packets. */
  swallow(directions?: readonly Direction[]): void;
  /** Emits the direction of dropped bytes. */
  readonly swallowed: Signal<Direction>;
  /** Accepts connections again. Connections with dropped bytes stay silent, as after long retransmissions. */
  heal(): void;
  close(): Promise<void>;
}

/** A proxy between a process and a server, with which a test can disconnect the server. */
export async function startTcpProxy(
  target: net.NetConnectOpts,
  at: { readonly host: string; readonly port: number } = { host: "127.0.0.1", port: 0 },
): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let open = true;
  let directions: readonly Direction[] = [];
  const swallowed = createSignal<Direction>();
  const server = net.createServer((incoming) => {
    if (!open) {
      incoming.destroy();
      return;
    }
    const outgoing = net.connect(target);
    const dead = new Set<Direction>();
    for (const [socket, other, direction] of [
      [incoming, outgoing, "to the server"],
      [outgoing, incoming, "from the server"],
    ] as const) {
      const isSilent = () => {
        if (directions.includes(direction)) dead.add(direction);
        return dead.has(direction);
      };
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        if (!isSilent()) other.destroy();
      });
      socket.on("end", () => {
        if (!isSilent()) other.end();
      });
      socket.on("data", (bytes) => {
        if (isSilent()) return swallowed.tell(direction);
        if (other.write(bytes)) return;
        socket.pause();
        other.once("drain", () => socket.resume());
      });
    }
  });
  server.listen(at.port, at.host);
  await once(server, "listening");
  const cut = () => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    swallow: (given = ["to the server", "from the server"]) => {
      directions = given;
    },
    swallowed,
    heal: () => {
      open = true;
      directions = [];
    },
    close: async () => {
      directions = [];
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** A proxy in front of the primary of a MongoDB or an embedded engine, and its URL. */
export async function proxyMongoDb(mongoDbUrl: string): Promise<TcpProxy & { readonly url: string }> {
  const socket = /^mongodb:\/\/([^/]+\.sock)\//.exec(mongoDbUrl)?.[1];
  if (socket !== undefined) {
    const proxy = await startTcpProxy({ path: decodeURIComponent(socket) });
    return {
      ...proxy,
      url: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true&serverMonitoringMode=poll`,
    };
  }
  const client = new MongoClient(mongoDbUrl);
  const hello = await client.db("admin").command({ hello: 1 });
  await client.close();
  const [given = "127.0.0.1:27017"] = client.options.hosts.map(String);
  const primary: string = hello.primary ?? given;
  const colon = primary.lastIndexOf(":");
  const proxy = await startTcpProxy({
    host: primary.slice(0, colon),
    port: Number(primary.slice(colon + 1)),
  });
  // The URL class cannot parse it, because it may name several hosts.
  const login = /^mongodb:\/\/([^@/]+@)/.exec(mongoDbUrl)?.[1] ?? "";
  return { ...proxy, url: `mongodb://${login}127.0.0.1:${proxy.port}/?directConnection=true` };
}

/** Below the range that Linux assigns to outgoing connections, so the port stays free for a restarted process. */
const PORTS = { first: 20_000, count: 12_000 };
/** A port has no listener until its program has started: workers of a test run, which share the machine, have separate ranges. */
const RANGES = 8;
const RANGE = { count: PORTS.count / RANGES, index: Number(process.env.VITEST_POOL_ID ?? 0) % RANGES };
let position = Math.floor(Math.random() * RANGE.count);

/** Whether a server of this machine listens on the port. */
export async function acceptsConnections(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port without a listener, another one for each call until the range is used up. */
export async function freePort(): Promise<number> {
  for (;;) {
    position = (position + 1) % RANGE.count;
    const port = PORTS.first + RANGE.index * RANGE.count + position;
    const server = net.createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
