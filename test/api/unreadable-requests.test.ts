import { once } from "node:events";
import net from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemOf, replyWithProblem } from "../../src/edge/problem-reply.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { Fault } from "../../src/shared/fault.ts";
import { newTraceId } from "../../src/shared/ids.ts";
import { createUnreadableRequests } from "../../src/shared/unreadable-requests.ts";
import { email, storedMessages } from "../harness/http.ts";
import { type RawAnswer, talk } from "../harness/raw-http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

const head = (line: string, ...fields: string[]) => [line, ...fields, "", ""].join("\r\n");

/** A send request with the length of its body. */
function send(body: string, ...fields: string[]): string {
  const key = `X-API-Key: ${hermod.firstRun.api_key}`;
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const type = "Content-Type: application/json";
  return head("POST /v1/send HTTP/1.1", "Host: x", key, type, length, ...fields) + body;
}

const goodBody = JSON.stringify(email());

/** The problem of a complete answer that is the last of its connection. */
function lastProblem(answers: readonly RawAnswer[]): string {
  const last = answers.at(-1);
  expect(last?.headers.get("content-type")).toBe("application/problem+json");
  expect(last?.headers.get("connection")).toBe("close");
  expect(last?.problem).toMatchObject({ status: last?.status, errors: [] });
  expect(last?.problem.sx_trace_id).toMatch(/^sx_[0-9a-z]{26}$/);
  expect(last?.problem.type).toBe(`/docs/errors#${last?.problem.code}`);
  return `${last?.status} ${last?.problem.code}`;
}

describe("invalid HTTP is answered with one problem document", () => {
  it.each([
    ["no HTTP", "hello\r\n\r\n", "400 request.malformed"],
    ["a TLS handshake", Buffer.from("160301010001000100", "hex"), "400 request.malformed"],
    ["a header that is none", head("GET /docs HTTP/1.1", "Host: x", "a b: c"), "400 request.malformed"],
    ["another version", head("GET /docs HTTP/3.0", "Host: x"), "400 request.malformed"],
    ["no Host", head("GET /docs HTTP/1.1"), "400 request.malformed_header"],
    ["two Hosts", head("GET /docs HTTP/1.1", "Host: x", "Host: y"), "400 request.malformed_header"],
    [
      "two lengths",
      head("POST /v1/send HTTP/1.1", "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked"),
      "400 request.malformed",
    ],
    [
      "headers of 20 kB",
      head("GET /docs HTTP/1.1", "Host: x", `X-A: ${"a".repeat(20_000)}`),
      "431 request.header_too_large",
    ],
    [
      "an expectation that nobody has",
      head("POST /v1/send HTTP/1.1", "Host: x", "Expect: the-spanish-inquisition", "Content-Length: 2"),
      "417 request.expectation_failed",
    ],
    ["CONNECT", head("CONNECT example.org:443 HTTP/1.1", "Host: example.org:443"), "400 request.malformed"],
  ])("%s", async (_name, bytes, expected) => {
    const answers = await talk(hermod.firstRun.base_url, bytes);
    expect(lastProblem(answers)).toBe(expected);
    expect(answers.length).toBe(1);
  });

  it("a body with an invalid chunk", async () => {
    const fields = ["Host: x", `X-API-Key: ${hermod.firstRun.api_key}`, "Content-Type: application/json"];
    const bytes = `${head("POST /v1/send HTTP/1.1", ...fields, "Transfer-Encoding: chunked")}2\r\n{"\r\nzz\r\n`;
    const answers = await talk(hermod.firstRun.base_url, bytes);
    expect(lastProblem(answers)).toBe("400 request.malformed");
    expect(answers.length).toBe(1);
  });

  it("a body that ends before its length", async () => {
    const bytes = send(goodBody).slice(0, -5);
    const before = await storedMessages(hermod);
    const answers = await talk(hermod.firstRun.base_url, bytes, { end: true });
    expect(lastProblem(answers)).toBe("400 request.malformed");
    expect(answers.length).toBe(1);
    expect(await storedMessages(hermod)).toBe(before);
  });
});

describe("a request that is refused by its header and has an invalid body", () => {
  const chunked = "Transfer-Encoding: chunked";
  const type = "Content-Type: application/json";
  it.each([
    ["another path", ["POST /v1/nothing HTTP/1.1", "Host: x", chunked]],
    ["another method", ["PUT /v1/send HTTP/1.1", "Host: x", chunked]],
    ["a path that cannot be decoded", ["POST /v1/%zz HTTP/1.1", "Host: x", chunked]],
    ["no key", ["POST /v1/send HTTP/1.1", "Host: x", type, chunked]],
    ["a mistyped key", ["POST /v1/send HTTP/1.1", "Host: x", "X-API-Key: x", type, chunked]],
    ["two Hosts", ["POST /v1/send HTTP/1.1", "Host: x", "Host: y", type, chunked]],
    ["an expectation", ["POST /v1/send HTTP/1.1", "Host: x", "Expect: x", type, chunked]],
    ["an unsubscribe link", ["POST /u/x HTTP/1.1", "Host: x", "Content-Type: text/plain", chunked]],
  ])("is answered once, and the process survives: %s", async (_name, [line = "", ...fields]) => {
    const answers = await talk(hermod.firstRun.base_url, `${head(line, ...fields)}zz\r\n\r\nmore`);
    expect(answers.length).toBe(1);
    expect(lastProblem(answers)).toMatch(/^4\d\d /);
    expect((await fetch(`${hermod.firstRun.base_url}/openapi.json`)).status).toBe(200);
  });

  it("is harmless if its client disconnects before the answer", async () => {
    const { hostname, port } = new URL(hermod.firstRun.base_url);
    const key = `X-API-Key: ${hermod.firstRun.api_key}`;
    for (const bytes of [
      "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\nmore",
      "hello\r\n\r\n",
      `${head("POST /v1/send HTTP/1.1", "Host: x", key, type, chunked)}3\r\n{"a`,
    ]) {
      for (let count = 0; count < 20; count++) {
        const socket = net.connect(Number(port), hostname);
        socket.on("error", () => {});
        await once(socket, "connect");
        const closed = once(socket, "close");
        socket.write(bytes, () => socket.resetAndDestroy());
        await closed;
      }
    }
    expect((await fetch(`${hermod.firstRun.base_url}/openapi.json`)).status).toBe(200);
  });

  it("is harmless if its client disconnects while the answer waits for earlier answers", async () => {
    const { hostname, port } = new URL(hermod.firstRun.base_url);
    const key = `X-API-Key: ${hermod.firstRun.api_key}`;
    const refused = head("POST /v1/send HTTP/1.1", "Host: x", key, "Content-Type: text/plain", chunked);
    const socket = net.connect(Number(port), hostname);
    // The client does not read the answers. Each has megabytes.
    socket.pause();
    socket.write(head("GET /docs/scalar.js HTTP/1.1", "Host: x").repeat(10) + refused);
    // After the second answer here, the server has read all requests.
    for (let count = 0; count < 2; count++) await fetch(`${hermod.firstRun.base_url}/openapi.json`);
    const closed = once(socket, "close");
    socket.resetAndDestroy();
    await closed;
    for (let count = 0; count < 2; count++) {
      expect((await fetch(`${hermod.firstRun.base_url}/openapi.json`)).status).toBe(200);
    }
  });
});

describe("invalid data after a request on its connection", () => {
  it("is answered after it: an accepted message never gets the error of other data", async () => {
    const answers = await talk(
      hermod.firstRun.base_url,
      `${send(goodBody)}nonsense\r\n\r\nmore nonsense\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 400]);
    expect(lastProblem(answers)).toBe("400 request.malformed");
  });

  it("is answered in order, in the middle of a later body", async () => {
    const chunked = send(goodBody).replace(/Content-Length: \d+/, "Transfer-Encoding: chunked");
    const broken = `${chunked.slice(0, chunked.indexOf("\r\n\r\n"))}\r\n\r\nzz\r\n`;
    const answers = await talk(hermod.firstRun.base_url, send(goodBody) + send(goodBody) + broken);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 400]);
  });

  it("is answered once, even if it is repeated", async () => {
    const answers = await talk(hermod.firstRun.base_url, send(goodBody), {
      later: "nonsense\r\n\r\n".repeat(1000),
    });
    expect(answers.map(({ status }) => status)).toEqual([202, 400]);
  });
});

describe("a request that takes too long", () => {
  let app: FastifyInstance;
  let url: string;
  const answered: string[] = [];

  beforeAll(async () => {
    const unreadable = createUnreadableRequests({
      clock: systemClock,
      problemOf: (failed, traceId) => problemOf(failed, { instance: "", traceId }),
      onAnswer: ({ code }) => answered.push(code),
    });
    const http = { connectionsCheckingInterval: 20, headersTimeout: 100 };
    const genReqId = () => newTraceId(systemClock.now());
    app = fastify({ http, requestTimeout: 100, clientErrorHandler: unreadable.answer, genReqId });
    unreadable.watch(app);
    app.setErrorHandler(async (error, request, reply) => {
      replyWithProblem(request, reply, Fault.from(error), request.id);
      return reply;
    });
    app.post("/", async () => "done");
    url = await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => app.close());

  it.each([
    { when: "in its head", bytes: "POST / HTTP/1.1\r\nHost: x\r\n", before: [], belongsToNone: true },
    {
      when: "in its body",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nab",
      before: [],
      belongsToNone: false,
    },
    {
      when: "after another one",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nPOST / HT",
      before: ["done"],
      belongsToNone: true,
    },
  ])("$when is answered with a problem document", async ({ bytes, before, belongsToNone }) => {
    answered.length = 0;
    const answers = await talk(url, bytes);
    expect(lastProblem(answers)).toBe("408 request.timeout");
    expect(answers.slice(0, -1).map(({ body }) => body)).toEqual(before);
    expect(answered).toEqual(belongsToNone ? ["request.timeout"] : []);
  });
});
