import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { MongoClient } from "mongodb";

export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  /** Takes connections again. */
  heal(): void;
  close(): Promise<void>;
}

/** Stands between a process and a server, so that a test can take the server away. */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let open = true;
  const server = net.createServer((incoming) => {
    if (!open) {
      incoming.destroy();
      return;
    }
    const outgoing = net.connect(target.port, target.host);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    heal: () => {
      open = true;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** A proxy before the primary of a MongoDB, and the URL that leads through it. */
export async function proxyMongoDb(mongoDbUrl: string): Promise<TcpProxy & { readonly url: string }> {
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
  // Not a URL for the URL class: it may name several hosts.
  const login = /^mongodb:\/\/([^@/]+@)/.exec(mongoDbUrl)?.[1] ?? "";
  return { ...proxy, url: `mongodb://${login}127.0.0.1:${proxy.port}/?directConnection=true` };
}

/** A port that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
