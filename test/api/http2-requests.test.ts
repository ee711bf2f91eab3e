import { once } from "node:events";
import { type ClientHttp2Session, constants } from "node:http2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSecret } from "../../src/shared/secrets.ts";
import { email } from "../harness/http.ts";
import { ask, openHttp2, sendHead } from "../harness/http2-client.ts";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headers,
  openRawHttp2,
  rawHead,
  reset,
} from "../harness/raw-http2.ts";
import { createGate } from "../harness/signal.ts";
import { startTestEdge, type TestEdge, type TestEdgeOptions } from "../harness/test-edge.ts";

const MB = 1024 * 1024;
const goodBody = JSON.stringify(email());
const { NGHTTP2_CANCEL, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE: INITIAL_WINDOW_SIZE } = constants;

let edge: TestEdge;
let session: ClientHttp2Session;

async function open(options: TestEdgeOptions = {}): Promise<void> {
  edge = await startTestEdge(options);
  session = await openHttp2(edge.url, edge.ca);
}

/** A body of this number of octets. */
const bodyOf = (bytes: number) => JSON.stringify(email({ text: "x".repeat(bytes - 200) })).padEnd(bytes);

/** Checks that the connection still works. */
async function expectOpen(): Promise<void> {
  expect(session.closed || session.destroyed).toBe(false);
  expect((await ask(session, sendHead(edge.key), goodBody).answer).status).toBe(202);
}

/** Resolves when the number of bytes is reserved: an upload has been admitted, or has been given up. */
async function untilReserved(bytes: number): Promise<void> {
  await expect.poll(() => edge.budget.usedBytes(), { interval: 2, timeout: 60_000 }).toBe(bytes);
}

afterEach(async () => {
  session?.destroy();
  await edge?.close();
});

describe("a request by HTTP/2", () => {
  beforeEach(() => open());

  it.each([
    ["a message", () => sendHead(edge.key), goodBody, 202],
    ["a page", () => ({ ":path": "/docs" }), undefined, 200],
    ["the head of a page", () => ({ ":path": "/docs", ":method": "HEAD" }), undefined, 200],
    ["3 MB of script", () => ({ ":path": "/docs/scalar.js" }), undefined, 200],
    ["another path", () => ({ ":path": "/v1/nothing" }), undefined, 404],
    ["a path that cannot be decoded", () => ({ ":path": "/v1/%zz" }), undefined, 404],
    ["another method", () => ({ ":path": "/v1/send", ":method": "PUT" }), "{}", 405],
    ["no key", () => ({ ":path": "/v1/send", ":method": "POST" }), goodBody, 401],
    ["no JSON", () => sendHead(edge.key), "{", 400],
    ["another type", () => sendHead(edge.key, { "content-type": "text/plain" }), "x", 415],
    ["a compressed body", () => sendHead(edge.key, { "content-encoding": "gzip" }), "x", 415],
    ["a field too many", () => sendHead(edge.key), JSON.stringify(email({ x: 1 })), 422],
    ["no form", () => ({ ":path": "/u/x", ":method": "POST", "content-type": "text/plain" }), "x", 415],
  ])("gets the same answer as one by HTTP/1.1: %s", async (_name, head, body, status) => {
    const { headers, ...answer } = await ask(session, head(), body).answer;
    expect(answer).toMatchObject({ status });
    expect(headers).toMatchObject({
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
    });
    expect(headers.connection).toBeUndefined();
    if (status >= 400) expect(answer.problem).toMatchObject({ status });
    await expectOpen();
  });

  it.skipIf(process.versions.node.startsWith("20."))("may have white space around its headers", async () => {
    const repeated = sendHead(edge.key, { "idempotency-key": "  abc\t" });
    expect((await ask(session, repeated, goodBody).answer).status).toBe(202);
    expect(edge.begun.seen).toMatchObject([{ idempotencyKey: "abc" }]);
  });

  it("has the address of its connection", async () => {
    await ask(session, sendHead(edge.key), goodBody).answer;
    expect(edge.begun.seen).toMatchObject([{ clientAddress: "127.0.0.1" }]);
  });

  it("with CONNECT is refused, because Hermod is no proxy", async () => {
    const { answer } = ask(session, { ":method": "CONNECT", ":authority": "example.org:443" });
    expect(await answer).toMatchObject({ status: 400, problem: { code: "request.malformed" } });
    await expectOpen();
  });

  it("with CONNECT that continues ends with that answer", async () => {
    const raw = await openRawHttp2(edge.url, edge.ca);
    raw.write(
      headers(1, [
        [":method", "CONNECT"],
        [":authority", "example.org:443"],
      ]),
    );
    expect(await raw.errorOf(1)).toBe(0);
    raw.socket.destroy();
  });

  it("with larger headers than HTTP/1.1 allows is refused alone", async () => {
    const { answer } = ask(session, sendHead(edge.key, { "x-a": "a".repeat(20_000) }), goodBody);
    expect(await answer).toMatchObject({ status: 431, problem: { code: "request.header_too_large" } });
    await expectOpen();
  });

  it("names one host", async () => {
    const host = `127.0.0.1:${edge.port}`;
    const other = ask(session, sendHead(edge.key, { ":authority": host, host: "other.test" }), goodBody);
    expect(await other.answer).toMatchObject({
      status: 400,
      problem: { code: "request.malformed_header" },
    });
    const same = ask(session, sendHead(edge.key, { ":authority": host, host }), goodBody);
    expect((await same.answer).status).toBe(202);
  });

  it.each([
    ["a mistyped key", () => sendHead("hm_live_x"), 401],
    ["another path", () => sendHead(edge.key, { ":path": "/v1/nothing" }), 404],
    ["more octets than any may have", () => sendHead(edge.key, { "content-length": 100 * MB }), 413],
    ["an expectation that nobody has", () => sendHead(edge.key, { expect: "x" }), 417],
  ])("is refused before its body is read, and alone: %s", async (_name, head, status) => {
    const upload = ask(session, sendHead(edge.key), null);
    upload.stream.write(goodBody.slice(0, 10));
    const refused = ask(session, head(), null);
    refused.stream.write("x".repeat(100));
    expect(await refused.answer).toMatchObject({ status });
    upload.stream.end(goodBody.slice(10));
    expect((await upload.answer).status).toBe(202);
    await expectOpen();
  });

  it("that is refused early gets its complete answer before the end of its stream", async () => {
    const raw = await openRawHttp2(edge.url, edge.ca);
    raw.write(headers(1, rawHead("POST", "/v1/send", "x")), frame(FRAME.data, 0, 1, Buffer.from("{")));
    expect(await raw.errorOf(1)).toBe(0);
    const last = raw.frames.seen.filter(({ stream }) => stream === 1).slice(-2);
    expect(last.map(({ type }) => type)).toEqual([FRAME.data, FRAME.reset]);
    expect(last[0]?.flags).toBe(END_STREAM);
    raw.socket.destroy();
  });

  it("that is refused early may finish its body if its key is valid", async () => {
    const head = sendHead(edge.key, { "content-type": "text/plain" });
    const { stream, answer } = ask(session, head, Buffer.alloc(3 * MB));
    expect((await answer).status).toBe(415);
    // Node.js closes a stream after all data was sent.
    if (!stream.destroyed) await once(stream, "close");
    expect(stream.rstCode).toBe(0);
  });

  it("with `Expect: 100-continue` gets 100 if its key is valid", async () => {
    for (const expectation of ["100-continue", "100-Continue"]) {
      const { stream, answer } = ask(session, sendHead(edge.key, { expect: expectation }), null);
      await once(stream, "continue");
      stream.end(goodBody);
      expect((await answer).status).toBe(202);
    }
  });

  it("with `Expect: 100-continue` gets no 100 without a key", async () => {
    const { stream, answer } = ask(session, sendHead("", { expect: "100-continue" }), null);
    let isTold = false;
    stream.on("continue", () => {
      isTold = true;
    });
    expect((await answer).status).toBe(401);
    expect(isTold).toBe(false);
  });
});

describe("a body by HTTP/2", () => {
  it("that is aborted does not count as complete", async () => {
    await open();
    const raw = await openRawHttp2(edge.url, edge.ca);
    // A complete message without the end of its stream.
    const write = (stream: number) =>
      raw.write(
        headers(stream, rawHead("POST", "/v1/send", edge.key)),
        frame(FRAME.data, 0, stream, Buffer.from(goodBody)),
      );
    for (const [at, code] of [NGHTTP2_CANCEL, 0].entries()) {
      write(1 + 2 * at);
      await untilReserved(Buffer.byteLength(goodBody));
      raw.write(reset(1 + 2 * at, code));
      await untilReserved(0);
    }
    write(5);
    raw.write(reset(5, NGHTTP2_CANCEL));
    write(7);
    await untilReserved(Buffer.byteLength(goodBody));
    raw.socket.destroy();
    await untilReserved(0);
    await expectOpen();
    expect(edge.begun.seen.length).toBe(1);
  });

  it("reserves capacity by its announced size, or as it arrives", async () => {
    await open({ maxBytes: 4 * MB, bodyMaxBytes: 3 * MB });
    const other = newSecret("live");
    const announced = ask(session, sendHead(edge.key, { "content-length": 2 * MB }), null);
    await untilReserved(2 * MB);
    const refused = ask(session, sendHead(edge.key, { "content-length": MB }), null);
    expect(await refused.answer).toMatchObject({
      status: 429,
      problem: { code: "rate.bytes_in_flight" },
    });
    const growing = ask(session, sendHead(other), null);
    growing.stream.end(bodyOf(2.5 * MB));
    expect(await growing.answer).toMatchObject({ status: 429, problem: { code: "rate.bytes_in_flight" } });
    await untilReserved(2 * MB);
    announced.stream.end(bodyOf(2 * MB));
    expect((await announced.answer).status).toBe(202);
    await untilReserved(0);
  });

  it("may be sent ahead in larger pieces after a valid key on its connection", async () => {
    await open();
    const windows = async (key: string) => {
      const raw = await openRawHttp2(edge.url, edge.ca);
      raw.write(
        headers(1, rawHead("POST", "/v1/send", key)),
        frame(FRAME.data, END_STREAM, 1, Buffer.from("{}")),
      );
      await raw.frames.until((seen) => seen.some(({ type, stream }) => type === FRAME.data && stream === 1));
      raw.socket.destroy();
      const settings = raw.frames.seen.filter(({ type, flags }) => type === FRAME.settings && flags === 0);
      return settings.flatMap(({ payload }) =>
        Array.from({ length: payload.length / 6 }, (_, at) => at * 6)
          .filter((at) => payload.readUInt16BE(at) === INITIAL_WINDOW_SIZE)
          .map((at) => payload.readUInt32BE(at + 2)),
      );
    };
    expect(await windows("hm_live_x")).toEqual([]);
    expect(await windows(edge.key)).toEqual([MB]);
  });

  it("releases its capacity when its client disconnects", async () => {
    await open();
    const { stream } = ask(session, sendHead(edge.key, { "content-length": 2 * MB }), null);
    await untilReserved(2 * MB);
    stream.close(NGHTTP2_CANCEL);
    await untilReserved(0);
    await expectOpen();
  });

  it("keeps its capacity while the core works on it, even if its client disconnects", async () => {
    await open({ holds: true });
    const { stream } = ask(session, sendHead(edge.key), bodyOf(MB));
    await edge.begun.until(1);
    stream.close(NGHTTP2_CANCEL);
    await once(stream, "close");
    // After this answer, the server has read all earlier data of the connection.
    await ask(session, { ":path": "/openapi.json" }).answer;
    expect(edge.budget.usedBytes()).toBe(MB);
    edge.atWork.shift()?.();
    await untilReserved(0);
    expect(edge.answered.seen).toEqual(["GET /openapi.json 200"]);
  });

  it.each(["HTTP/1.1", "HTTP/2"])(
    "of a client that disconnected while its key was checked reserves nothing: %s",
    async (version) => {
      const asked = createGate();
      const judged = createGate();
      const checkKey = async () => {
        asked.open();
        await judged.opened;
        return { accountId: "acme" };
      };
      await open({ checkKey, isSecure: true });
      const closed = new Promise<void>((resolve) => {
        edge.app.server.prependListener("request", (_request, response) => response.once("close", resolve));
      });
      if (version === "HTTP/2") {
        const { stream } = ask(session, sendHead(edge.key, { "content-length": 2 * MB }), null);
        await asked.opened;
        stream.close(NGHTTP2_CANCEL);
      } else {
        const { request } = await import("node:https");
        const headers = {
          "content-length": 2 * MB,
          "content-type": "application/json",
          "x-api-key": edge.key,
        };
        const sending = request(`${edge.url}/v1/send`, { method: "POST", headers, ca: edge.ca });
        sending.on("error", () => {});
        sending.flushHeaders();
        await asked.opened;
        sending.destroy();
      }
      await closed;
      judged.open();
      await ask(session, { ":path": "/openapi.json" }).answer;
      expect(edge.budget.usedBytes()).toBe(0);
    },
  );
});

describe.concurrent("a request by HTTP/2 that takes too long", () => {
  it("is answered 408, and the others of its connection continue", async ({ expect }) => {
    const edge = await startTestEdge({ times: { requestMs: 300 } });
    const session = await openHttp2(edge.url, edge.ca);
    const { stream, answer } = ask(session, sendHead(edge.key), null);
    // A complete message without the end of its stream.
    stream.write(goodBody);
    expect(await answer).toMatchObject({ status: 408, problem: { code: "request.timeout" } });
    expect((await ask(session, { ":path": "/openapi.json" }).answer).status).toBe(200);
    expect(edge.begun.seen).toEqual([]);
    expect(edge.budget.usedBytes()).toBe(0);
    session.destroy();
    await edge.close();
  });

  it("to be read is reset, and the others of its connection continue", async ({ expect }) => {
    const edge = await startTestEdge({ times: { requestMs: 300 } });
    const raw = await openRawHttp2(edge.url, edge.ca);
    // Megabytes, of which the server reads only the first 64 KB.
    const script = rawHead("GET", "/docs/scalar.js");
    raw.write(headers(1, script, END_HEADERS | END_STREAM));
    expect(await raw.errorOf(1)).toBe(NGHTTP2_CANCEL);
    raw.write(headers(3, rawHead("GET", "/v1/nothing"), END_HEADERS | END_STREAM));
    await raw.frames.until((seen) => seen.some(({ stream }) => stream === 3));
    raw.socket.destroy();
    await edge.close();
  });

  it("is not awaited: a session without progress ends", async ({ expect }) => {
    const edge = await startTestEdge({ times: { silenceMs: 300 } });
    const session = await openHttp2(edge.url, edge.ca);
    const goaway = once(session, "goaway");
    await once(session, "close");
    expect((await goaway)[0]).toBe(0);
    await edge.close();
  });
});
