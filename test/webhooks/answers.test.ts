import { setMaxListeners } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Resolver } from "../../src/dns/resolver.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { createAttemptDelivery } from "../../src/webhooks/attempt.ts";
import { createWebhookClient, type WebhookClient } from "../../src/webhooks/webhook-client.ts";
import { deliveryDocument, endpointDocument } from "../harness/expected-deliveries.ts";
import { createGate, createSignal } from "../harness/signal.ts";
import { createTestTime } from "../harness/test-time.ts";

const time = createTestTime(Date.UTC(2030, 0, 1));
const ACCEPTED = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

let clients: WebhookClient[];
let servers: net.Server[];
let sockets: Set<Socket>;
beforeEach(() => {
  [clients, servers, sockets] = [[], [], new Set()];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients) await client.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

/** Listens, and calls `answer` for each request with its path. All requests have a body of 2 bytes. */
async function serve(answer: (socket: Socket, path: string) => void): Promise<number> {
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let unread = "";
    socket.on("data", (chunk) => {
      unread += chunk;
      for (let end = unread.indexOf("\r\n\r\n{}"); end >= 0; end = unread.indexOf("\r\n\r\n{}")) {
        const [, path = ""] = unread.split(" ");
        unread = unread.slice(end + 6);
        answer(socket, path);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function createSend({
  timeoutMs,
  resolved = Promise.resolve(),
}: {
  timeoutMs?: number;
  resolved?: Promise<void>;
} = {}) {
  const resolver = {
    async resolve(_: string, type: string) {
      await resolved;
      return type === "A" ? { kind: "records", records: ["127.0.0.1"] } : { kind: "none" };
    },
  } as unknown as Resolver;
  const refuse = createRefuseDestination({ allowPrivate: true, ownAddresses: [] });
  const client = createWebhookClient({
    resolver,
    refuse,
    ipv6: false,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  clients.push(client);
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const attempt = createAttemptDelivery({
    client,
    clock: time.clock,
    random: () => 0,
    agent: "Hermod/test",
    signal: ending.signal,
  });
  return (url: string, id = "wep_1") => {
    const endpoint = endpointDocument({ _id: id, accountId: `acc_of_${id}`, url });
    return attempt(endpoint, deliveryDocument({ state: "pending", attempts: 0 }), "{}");
  };
}

describe("the status line decides, regardless of the rest:", () => {
  const body = (text: string) => (socket: Socket) => socket.write(text);
  const cut = (text: string) => (socket: Socket) => socket.end(text);
  const drip = (head: string, piece: string) => (socket: Socket) => {
    const on = () => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(on));
    };
    socket.write(head, on);
  };
  const answers: readonly [string, (socket: Socket) => void][] = [
    ["a body that is cut", cut("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")],
    ["a chunk that is cut", cut("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")],
    ["chunks without an end", cut("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")],
    ["a malformed chunk", body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n")],
    ["no length, and no end", body("HTTP/1.1 200 OK\r\n\r\nab")],
    ["a body that is not sent", body("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")],
    ["an endless body", drip("HTTP/1.1 200 OK\r\n\r\n", "x")],
    ["an endless header", drip("HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["a header that is too long", body(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`)],
    ["a header that is cut", cut("HTTP/1.1 200 OK\r\nContent-Le")],
    ["a malformed header", body("HTTP/1.1 200 OK\r\n\u0001bad\r\n\r\n")],
    ["two lengths", body("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")],
    [
      "a length and chunks",
      body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nab"),
    ],
    ["more than the length", body(`${ACCEPTED}more`)],
    ["no reason phrase", body("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")],
    ["HTTP/1.0", cut("HTTP/1.0 200 OK\r\n\r\nok")],
    ["204 with Content-Length and no body", body("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n")],
    ["204 with Content-Length and a body", body("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")],
    ["204 with chunks", body("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")],
    ["an unexpected 100 Continue before it", body(`HTTP/1.1 100 Continue\r\n\r\n${ACCEPTED}`)],
    [
      "100, 102 and 103 before it",
      body(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ACCEPTED}`,
      ),
    ],
  ];
  it.each(answers)("a 2xx status with %s is accepted", async (_, answer) => {
    const send = createSend({ timeoutMs: 1_000 });
    const port = await serve(answer);
    const { verdict, tried } = await send(`http://localhost:${port}/`);
    expect([verdict, [200, 204].includes(tried.status ?? 0), tried.address]).toEqual([
      "taken",
      true,
      "127.0.0.1",
    ]);
  });

  it.each(answers.slice(0, 4))("500 with %s is 500", async (_, answer) => {
    const send = createSend({ timeoutMs: 1_000 });
    const port = await serve((socket) => {
      const write = socket.write.bind(socket);
      const turned = (text: string) => text.replace("200 OK", "500 Internal Server Error");
      socket.write = ((text: string) => write(turned(text))) as typeof socket.write;
      const end = socket.end.bind(socket);
      socket.end = ((text: string) => end(turned(text))) as typeof socket.end;
      answer(socket);
    });
    const { verdict, tried } = await send(`http://localhost:${port}/`);
    expect([verdict, tried.status]).toEqual(["retry", 500]);
    expect(tried.detail).toMatch(/^it answered 500/);
  });

  it.each([
    ["no answer, and closes", cut("")],
    ["a status line that is cut", cut("HTTP/1.1 200")],
    ["100 Continue alone", cut("HTTP/1.1 100 Continue\r\n\r\n")],
    ["100 Continue without end", drip("", "HTTP/1.1 100 Continue\r\n\r\n")],
    [
      "101 Switching Protocols",
      body("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
    ["the greeting of another protocol", cut("220 mail.example.com ESMTP 200 OK\r\n")],
  ])("%s is not accepted", async (_, answer) => {
    const send = createSend({ timeoutMs: 1_000 });
    const port = await serve(answer);
    const { verdict, tried } = await send(`http://localhost:${port}/`);
    expect([verdict, tried.status, tried.address]).toEqual(["retry", undefined, "127.0.0.1"]);
    expect(tried.detail).not.toBe("");
  });

  it("data after an answer is not used as the answer to the next request", async () => {
    const send = createSend({ timeoutMs: 1_000 });
    let requests = 0;
    const port = await serve((socket) => {
      requests++;
      const isFirst = requests === 1;
      socket.write(isFirst ? "HTTP/1.1 204 No Content\r\nContent-Length: 38\r\n\r\n" : ACCEPTED);
      if (isFirst) setImmediate(() => socket.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"));
    });
    for (let n = 0; n < 3; n++)
      expect(await send(`http://localhost:${port}/`)).toMatchObject({ verdict: "taken" });
    expect(requests).toBe(3);
  });

  it("a request that hangs on a reused connection is not repeated", async () => {
    const send = createSend({ timeoutMs: 200 });
    let requests = 0;
    const port = await serve((socket) => {
      requests++;
      if (requests === 1) socket.write(ACCEPTED);
    });
    expect(await send(`http://localhost:${port}/`)).toMatchObject({ verdict: "taken" });
    expect(await send(`http://localhost:${port}/`)).toMatchObject({ verdict: "retry" });
    expect(requests).toBe(2);
  });

  it("a reused connection that the server has closed is no failure", async () => {
    const send = createSend({ timeoutMs: 1_000 });
    let requests = 0;
    const port = await serve((socket) => {
      requests++;
      // The second request of a connection finds it closed.
      if (requests === 2) socket.destroy();
      else socket.write(ACCEPTED);
    });
    for (let n = 0; n < 2; n++)
      expect(await send(`http://localhost:${port}/`)).toMatchObject({ verdict: "taken" });
    expect(requests).toBe(3);
  });
});

describe("connections", () => {
  it("of hanging endpoints do not delay other endpoints of the same origin", async () => {
    const send = createSend();
    const hanging = createSignal<string>();
    const port = await serve((socket, path) => {
      if (path === "/well") socket.write(ACCEPTED);
      else hanging.tell(path);
    });
    const hung = Array.from({ length: 120 }, (_, n) =>
      send(`http://localhost:${port}/hangs`, `wep_hangs${n % 100}`),
    );
    await hanging.until(120);
    expect(await send(`http://localhost:${port}/well`, "wep_well")).toMatchObject({ verdict: "taken" });
    for (const socket of sockets) socket.destroy();
    for (const { tried } of await Promise.all(hung)) expect(tried.status).toBeUndefined();
  });

  it("of one endpoint are at most ten, and the answer timeout does not run while one waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const send = createSend();
    const arrived = createSignal<Socket>();
    const port = await serve((socket) => arrived.tell(socket));
    const all = Array.from({ length: 11 }, () => send(`http://localhost:${port}/`));
    await arrived.until(10);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(arrived.seen.length).toBe(10);
    arrived.seen[0]?.write(ACCEPTED);
    await arrived.until(11);
    await vi.advanceTimersByTimeAsync(2);
    // Nine have timed out; the eleventh has just begun.
    arrived.seen[10]?.write(ACCEPTED);
    const verdicts = (await Promise.all(all)).map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["taken", ...Array(9).fill("retry"), "taken"]);
  });

  it("are established before the answer timeout begins", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const lookedUp = createGate();
    const send = createSend({ timeoutMs: 1_000, resolved: lookedUp.opened });
    const port = await serve((socket) => socket.write(ACCEPTED));
    const sent = send(`http://localhost:${port}/`);
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(9_000);
    lookedUp.open();
    expect(await sent).toMatchObject({ verdict: "taken" });
  });

  it("that are not established within 10 seconds are abandoned", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const send = createSend({ resolved: new Promise(() => undefined) });
    const sent = send("http://localhost:9/");
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(10_000);
    const { verdict, tried } = await sent;
    expect([verdict, tried.detail, tried.address]).toEqual([
      ...["retry", "no connection within 10 seconds"],
      undefined,
    ]);
  });
});
