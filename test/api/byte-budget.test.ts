import { once } from "node:events";
import net from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SendEmailResponse } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { createEdgeServer, type EdgeServerOptions } from "../../src/edge/server.ts";
import { type ByteBudget, createByteBudget } from "../../src/shared/byte-budget.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { newSecret } from "../../src/shared/secrets.ts";
import { noHits } from "../harness/no-hits.ts";
import { createGate } from "../harness/signal.ts";

const MB = 1024 * 1024;
const [a, b, c] = [newSecret("live"), newSecret("live"), newSecret("live")] as const;
const accountOf = new Map([
  [a, "acme"],
  [b, "acme"],
  [c, "other"],
]);

let app: FastifyInstance;
let port: number;
let budget: ByteBudget;
/** Submissions that the core has started and not answered. */
let atWork: (() => void)[];
/** Keys are checked after it resolves. */
let judging: Promise<void> | undefined;
let asked: () => void;
let begun: (submission: unknown) => void;

beforeEach(async () => {
  atWork = [];
  begun = () => undefined;
  judging = undefined;
  asked = () => undefined;
  budget = createByteBudget({ maxBytes: 4 * MB });
  const core = {
    keys: {
      checkKey: async ({ apiKey = "" }) => {
        asked();
        await judging;
        return { keyId: apiKey, accountId: accountOf.get(apiKey) ?? "" };
      },
    },
    sendEmail: (submission: unknown) =>
      new Promise<SendEmailResponse>((resolve) => {
        const answer = { messageId: "msg", traceId: "sx", status: "queued", recipient: "", notDelivered: [] };
        atWork.push(() => resolve({ ...answer, rateLimits: [] } as unknown as SendEmailResponse));
        begun(submission);
      }),
  } as unknown as EdgeServerOptions["core"];
  app = createEdgeServer({
    core,
    clock: systemClock,
    log: createLogger("silent"),
    bodyMaxBytes: 3 * MB,
    budget,
    keyCacheMs: 0,
    trustedProxies: [],
    baseUrl: undefined,
    validateResponses: false,
    requests: { add: () => undefined },
    hits: noHits,
    onResponse: () => undefined,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterEach(async () => {
  for (const answer of atWork) answer();
  app.server.closeAllConnections();
  await app.close();
});

/** The header of a request with an unfinished body, and the answer that comes before the end of the body. */
async function announce(key: string, bytes: number | "chunked") {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const length = bytes === "chunked" ? "transfer-encoding: chunked" : `content-length: ${bytes}`;
  socket.write(
    `POST /v1/send HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );
  return {
    socket,
    answered: (async () => {
      let answer = "";
      for await (const chunk of socket) answer += chunk;
      return answer;
    })().catch(() => "no answer"),
  };
}

/** Resolves when the number of bytes is reserved: an upload has been admitted, or has been given up. */
async function untilReserved(bytes: number): Promise<void> {
  await expect.poll(() => budget.usedBytes(), { interval: 2, timeout: 10_000 }).toBe(bytes);
}

const email = (bytes: number) => JSON.stringify({ to: "ada@example.org", text: "x".repeat(bytes) });
const send = (key: string, body: string, signal?: AbortSignal) =>
  fetch(`http://127.0.0.1:${port}/v1/send`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body,
    ...(signal && { signal }),
  });

describe("bodies beyond the budget", () => {
  it("of the process are answered 503 before they are sent", async () => {
    await announce(a, 2 * MB);
    await announce(c, 2 * MB);
    await untilReserved(4 * MB);
    const { answered } = await announce(b, MB / 2);
    const answer = await answered;
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/^retry-after: [1-9][0-9]?\r$/m);
    expect(answer).toMatch(/^connection: close\r$/m);
    expect(answer).toContain('"code":"service.busy"');
  });

  it("of a key, or of an account, are answered 429 while others have capacity", async () => {
    await announce(a, 1.5 * MB);
    await untilReserved(1.5 * MB);
    const again = await (await announce(a, MB)).answered;
    expect(again).toMatch(/^HTTP\/1.1 429 /);
    expect(again).toContain("The key has 1572864 octets");
    await announce(b, 1.5 * MB);
    await untilReserved(3 * MB);
    const third = await (await announce(b, MB / 4)).answered;
    expect(third).toContain("The account has 3145728 octets");
    await announce(c, MB);
    await untilReserved(4 * MB);
  });

  it("are refused on arrival if no size was announced", async () => {
    await announce(a, 2 * MB);
    await untilReserved(2 * MB);
    const { socket, answered } = await announce(c, "chunked");
    const piece = Buffer.alloc(64 * 1024, " ");
    for (let sent = 0; sent < 2.5 * MB; sent += piece.length) {
      socket.write(`${piece.length.toString(16)}\r\n`);
      socket.write(piece);
      socket.write("\r\n");
    }
    expect(await answered).toContain('"code":"service.busy"');
    await untilReserved(2 * MB);
  });

  it("do not block small submissions", async () => {
    await announce(a, 2 * MB);
    await announce(c, 2 * MB);
    await untilReserved(4 * MB);
    begun = () => atWork.shift()?.();
    expect((await send(b, email(50_000))).status).toBe(202);
    expect(budget.usedBytes()).toBe(4 * MB);
  });

  it("beyond the maximum size get an error that says so", async () => {
    expect(await (await announce(a, 100 * MB)).answered).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe("the capacity reserved for a body", () => {
  it("is released with the response", async () => {
    begun = () => atWork.shift()?.();
    expect((await send(a, email(MB))).status).toBe(202);
    expect(budget.usedBytes()).toBe(0);
  });

  it("is released if its client disconnects before the body is complete", async () => {
    const { socket } = await announce(a, 2 * MB);
    await untilReserved(2 * MB);
    socket.destroy();
    await untilReserved(0);
  });

  it("is not reserved for a client that disconnected while its key was checked", async () => {
    const { opened, open } = createGate();
    judging = opened;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const closed = new Promise<void>((resolve) => {
      app.server.once("connection", (socket) => socket.once("close", () => resolve()));
    });
    const { socket } = await announce(a, 2 * MB);
    await isAsked;
    socket.destroy();
    await closed;
    open();
    begun = () => atWork.shift()?.();
    // It is checked after the other one.
    expect((await send(b, email(MB))).status).toBe(202);
    expect(budget.usedBytes()).toBe(0);
  });

  it("is kept while the core works on the body, even if the client disconnects", async () => {
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => {
      app.server.once("connection", (socket) => socket.once("close", () => resolve()));
    });
    const started = new Promise((resolve) => {
      begun = resolve;
    });
    const sending = send(a, email(MB), gone.signal).catch(() => undefined);
    await started;
    gone.abort();
    await Promise.all([sending, closed]);
    expect(budget.usedBytes()).toBeGreaterThan(MB);
    atWork.shift()?.();
    await untilReserved(0);
  });
});
