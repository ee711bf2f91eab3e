import { constants } from "node:http2";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { email } from "../harness/http.ts";
import { ask, openHttp2, sendHead } from "../harness/http2-client.ts";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  headers,
  literal,
  openRawHttp2,
  type RawHttp2,
  rawHead,
  reset,
} from "../harness/raw-http2.ts";
import { createGate, type Gate } from "../harness/signal.ts";
import { startTestEdge, type TestEdge } from "../harness/test-edge.ts";

const { NGHTTP2_PROTOCOL_ERROR, NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM } = constants;

const GET = END_HEADERS | END_STREAM;
const goodBody = Buffer.from(JSON.stringify(email()));

const page = rawHead("GET", "/docs");

let edge: TestEdge;
/** Keys are checked while it is open. */
let judging: Gate;

beforeAll(async () => {
  judging = createGate();
  judging.open();
  edge = await startTestEdge({
    checkKey: async () => {
      await judging.opened;
      return { accountId: "acme" };
    },
  });
});
afterAll(() => edge.close());

/** One client. All of its connections end with it. */
async function withRaw(talk: (raw: RawHttp2) => Promise<void>): Promise<void> {
  const raw = await openRawHttp2(edge.url, edge.ca);
  try {
    await talk(raw);
  } finally {
    raw.socket.destroy();
  }
  // Its behavior has no effect on others.
  const session = await openHttp2(edge.url, edge.ca);
  expect((await ask(session, sendHead(edge.key), goodBody).answer).status).toBe(202);
  session.destroy();
}

function untilAnswered({ frames }: RawHttp2, stream: number): Promise<void> {
  return frames.until((seen) => seen.some((one) => one.type === FRAME.data && one.stream === stream));
}

describe("an invalid HTTP/2 request is reset, and the others of its connection continue", () => {
  const without = (name: string) => page.filter(([given]) => given !== name);
  const post = rawHead("POST", "/v1/send", "x");
  it.each([
    ["no host", headers(1, without(":authority"), GET)],
    ["two authorities", headers(1, [...page, [":authority", "other.test"]], GET)],
    ["two Hosts", headers(1, [...page, ["host", "a"], ["host", "b"]], GET)],
    ["no path", headers(1, without(":path"), GET)],
    ["a path that is none", headers(1, [...without(":path"), [":path", "docs"]], GET)],
    ["a header in upper case", headers(1, [...page, ["X-A", "x"]], GET)],
    ["a header of HTTP/1.1's connections", headers(1, [...page, ["connection", "close"]], GET)],
    ["a coding of HTTP/1.1", headers(1, [...post, ["transfer-encoding", "chunked"]])],
    ["two lengths", headers(1, [...post, ["content-length", "1"], ["content-length", "2"]])],
    ["a length that is none", headers(1, [...post, ["content-length", "-1"]])],
    [
      "fewer octets than announced",
      Buffer.concat([
        headers(1, [...post, ["content-length", "9"]]),
        frame(FRAME.data, END_STREAM, 1, Buffer.from("{}")),
      ]),
    ],
  ])("%s", async (_name, bytes) => {
    await withRaw(async (raw) => {
      raw.write(bytes);
      expect(await raw.errorOf(1)).toBe(NGHTTP2_PROTOCOL_ERROR);
      raw.write(headers(3, page, GET));
      await untilAnswered(raw, 3);
    });
  });

  it("more octets than announced, though newer Node.js ends the connection", async () => {
    const submitted = edge.begun.seen.length;
    await withRaw(async (raw) => {
      const length = ["content-length", String(goodBody.length - 1)] as const;
      raw.write(headers(1, [...rawHead("POST", "/v1/send", edge.key), length]));
      raw.write(frame(FRAME.data, END_STREAM, 1, goodBody));
      await Promise.race([raw.errorOf(1), raw.closed]);
    });
    expect(edge.begun.seen.length).toBe(submitted + 1);
  });

  it.each([
    // Each frame of a header has at most 16 KB.
    ["headers beyond all bounds", Array.from({ length: 5 }, () => fieldBlock([["x", "a".repeat(16_000)]]))],
    // Literal with indexing (RFC 7541 section 6.2.1), and then that table entry repeatedly.
    [
      "few octets that stand for many",
      [
        Buffer.concat([
          Buffer.from([0x40]),
          literal("x"),
          literal("a".repeat(3_000)),
          Buffer.alloc(4_000, 0xbe),
        ]),
      ],
    ],
    ["many headers", [fieldBlock(Array.from({ length: 200 }, (_, at) => [`x-${at}`, "x"]))]],
  ])("%s", async (_name, blocks) => {
    await withRaw(async (raw) => {
      raw.write(headers(1, page, END_STREAM));
      for (const [at, block] of blocks.entries()) {
        raw.write(frame(FRAME.continuation, at === blocks.length - 1 ? END_HEADERS : 0, 1, block));
      }
      expect(await raw.errorOf(1)).toBe(NGHTTP2_ENHANCE_YOUR_CALM);
      raw.write(headers(3, page, GET));
      await untilAnswered(raw, 3);
    });
  });
});

describe("a client of HTTP/2 does not block others", () => {
  it("with more requests at once than it may have", async () => {
    judging = createGate();
    const raw = await openRawHttp2(edge.url, edge.ca);
    for (let count = 0; count <= 100; count++) {
      raw.write(headers(1 + 2 * count, rawHead("POST", "/v1/send", edge.key)));
    }
    await raw.closed;
    judging.open();
    await withRaw(async () => {});
  });

  it("with requests that it cancels at once", async () => {
    await withRaw(async (raw) => {
      for (let stream = 1; stream < 10_000; stream += 2) {
        raw.write(
          headers(stream, rawHead("POST", "/v1/send", edge.key)),
          frame(FRAME.data, END_STREAM, stream, goodBody),
          reset(stream, NGHTTP2_CANCEL),
        );
      }
      // Up to 1,000 streams can be cancelled at once, and then some 30 per second (CVE-2023-44487). Newer Node.js allows less.
      await Promise.race([raw.errorOf(0), raw.closed]);
    });
    // The address of a request is unknown after its connection is gone.
    const origins = [...edge.judged.seen, ...edge.begun.seen.map(({ clientAddress }) => clientAddress)];
    expect([...new Set(origins)]).toEqual(["127.0.0.1"]);
  });

  it.each([
    ["pings", frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
    ["settings", frame(FRAME.settings, 0, 0)],
  ])("with %s and without reading the answers", async (_name, flood) => {
    await withRaw(async (raw) => {
      raw.socket.pause();
      const many = Buffer.concat(Array.from({ length: 10_000 }, () => flood));
      const send = () => raw.socket.writable && raw.socket.write(many, () => setImmediate(send));
      send();
      await raw.closed;
    });
  });

  it("with a connection that it does not close", async () => {
    const hasty = await startTestEdge({ times: { silenceMs: 300 } });
    const raw = await openRawHttp2(hasty.url, hasty.ca);
    for (let stream = 1; stream < 10_000; stream += 2) {
      raw.write(headers(stream, page, GET), reset(stream, NGHTTP2_CANCEL));
    }
    await Promise.race([raw.errorOf(0), raw.closed]);
    const beat = setInterval(() => raw.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8))), 20);
    await raw.closed;
    clearInterval(beat);
    await hasty.close();
  });

  it("with answers that it does not read", async () => {
    const hasty = await startTestEdge({ times: { silenceMs: 300, requestMs: 300, checkMs: 50 } });
    const raw = await openRawHttp2(hasty.url, hasty.ca);
    raw.socket.pause();
    const wide = Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]);
    const window = Buffer.from([0x7f, 0, 0, 0]);
    raw.write(frame(FRAME.settings, 0, 0, wide), frame(FRAME.windowUpdate, 0, 0, window));
    for (let stream = 1; stream < 100; stream += 2)
      raw.write(headers(stream, rawHead("GET", "/docs/scalar.js"), GET));
    const [connection] = hasty.connections.seen;
    await new Promise((resolve) => connection?.once("close", resolve));
    raw.socket.destroy();
    await hasty.close();
  });

  it.each([0, NGHTTP2_CANCEL])(
    "with an answer that it cancels with code %i, and a connection that it keeps open",
    async (code) => {
      const hasty = await startTestEdge({ times: { silenceMs: 300, requestMs: 300, checkMs: 50 } });
      const reserve = vi.spyOn(hasty.budget, "reserve");
      const raw = await openRawHttp2(hasty.url, hasty.ca);
      const noWindow = Buffer.from([0, 4, 0, 0, 0, 0]);
      raw.write(frame(FRAME.settings, 0, 0, noWindow));
      const fields = rawHead("POST", "/v1/send", hasty.key).map(([name, value]) =>
        name === "content-type" ? ([name, "text/plain"] as const) : ([name, value] as const),
      );
      raw.write(
        headers(1, [...fields, ["content-length", "100000"]]),
        frame(FRAME.data, 0, 1, Buffer.alloc(1_000)),
      );
      await raw.frames.until((seen) =>
        seen.some(({ type, stream }) => type === FRAME.headers && stream === 1),
      );
      // On a busy machine, the request has already ended.
      expect(reserve.mock.calls.map(([, bytes]) => bytes)).toEqual([100_000]);
      raw.write(reset(1, code), frame(FRAME.goaway, 0, 0, Buffer.alloc(8)));
      await raw.closed;
      expect(hasty.budget.usedBytes()).toBe(0);
      await hasty.close();
    },
  );

  it("with empty frames", async () => {
    await withRaw(async (raw) => {
      raw.write(headers(1, rawHead("POST", "/v1/send", edge.key)));
      for (let count = 0; count < 1_000; count++) raw.write(frame(FRAME.data, 0, 1));
      await raw.closed;
    });
  });

  it("with a head that has no end", async () => {
    await withRaw(async (raw) => {
      raw.write(headers(1, page, 0));
      const more = frame(FRAME.continuation, 0, 1, fieldBlock([["x", "y"]]));
      for (let count = 0; count < 1_000; count++) raw.write(more);
      await raw.closed;
    });
  });
});
