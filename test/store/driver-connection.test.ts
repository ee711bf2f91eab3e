import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { MongoNetworkError } from "mongodb";
import { Connection } from "mongodb/lib/cmap/connection.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import "../../src/store/connect.ts";

/** More than the buffers of the operating system hold. */
const MUCH = Buffer.alloc(16 * 1024 * 1024);
const admin = { db: "admin" };

let server: net.Server;
let accepted: net.Socket;
let connection: Connection;

beforeEach(async () => {
  // The server neither reads nor answers.
  server = net.createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = net.connect(port, "127.0.0.1");
  [[accepted]] = (await Promise.all([once(server, "connection"), once(socket, "connect")])) as [
    [net.Socket],
    unknown,
  ];
  const hostAddress = { toString: () => `127.0.0.1:${port}` };
  connection = new Connection(socket, { id: 1, generation: 0, hostAddress });
});
afterEach(async () => {
  accepted.destroy();
  connection.destroy();
  server.close();
});

it("fails a command that begins after the socket has ended, before the driver notices", async () => {
  connection.socket.destroy();
  await expect(connection.command(admin, { hello: 1 }, {})).rejects.toThrow(MongoNetworkError);
});

it("fails a command if its connection closes before it is completely written", async () => {
  const written = connection.command(admin, { insert: "any", much: MUCH }, {});
  const failed = expect(written).rejects.toThrow(MongoNetworkError);
  while (!connection.socket.writableNeedDrain) await new Promise(setImmediate);
  connection.destroy();
  await failed;
});

it("fails a command if its connection closes during its preparation", async () => {
  const begun = connection.command(admin, { hello: 1 }, {});
  connection.destroy();
  await expect(begun).rejects.toThrow(MongoNetworkError);
});
