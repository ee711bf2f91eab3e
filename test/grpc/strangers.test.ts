import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fromBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CoreServer, createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { detailsOf } from "../harness/raw-grpc.ts";
import { served } from "../harness/served.ts";
import { TextService, textCalls } from "../harness/text-service.ts";

const OPERATOR = "token-of-the-operator";
const WORKER = "token-of-the-workers";
const MEGABYTE = 1024 * 1024;

let server: CoreServer;
let port: number;
let decoded: number;
let sessions: ClientHttp2Session[];

beforeAll(async () => {
  server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: OPERATOR, worker: WORKER },
    clock: systemClock,
    log: createLogger("silent"),
  });
  const read = (bytes: Uint8Array) => {
    decoded++;
    return fromBinary(StringValueSchema, bytes);
  };
  server.add(
    served(
      TextService,
      {
        say: async (request) => request,
        join: async (requests) => {
          for await (const _ of requests);
          return {};
        },
        split: async function* (request) {
          yield request;
        },
        echo: (requests) => requests,
      },
      { say: read, join: read, split: read, echo: read },
    ),
  );
  port = await server.listen();
});
afterAll(() => server.close(1_000));
beforeEach(() => {
  decoded = 0;
  sessions = [];
});
afterEach(() => {
  for (const session of sessions) session.destroy();
});

/** Sends the headers of a call; its body follows. */
function open(method: string, token: string): ClientHttp2Stream {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  sessions.push(session);
  const call = session.request(
    {
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: `/${TextService.typeName}/${method}`,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: "application/grpc",
      te: "trailers",
      authorization: `Bearer ${token}`,
    },
    { endStream: false },
  );
  call.on("error", () => undefined);
  return call.resume();
}

/** Status of the call as soon as it is available. */
async function statusOf(call: ClientHttp2Stream): Promise<number> {
  const [headers] = await once(call, "response");
  return Number(headers["grpc-status"]);
}

/** Sends one large undecodable message with a separate client. */
function sendGarbage(kind: keyof typeof textCalls, token: string): Promise<ServiceError> {
  const { path, requestStream, responseStream, responseDeserialize } = textCalls[kind];
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  const garbage = Buffer.alloc(8 * MEGABYTE, 0xff);
  const asItIs = (bytes: Buffer) => bytes;
  const parts = [path, asItIs, responseDeserialize] as const;
  return new Promise<ServiceError>((resolve, reject) => {
    const answer = (error: ServiceError | null) => (error ? resolve(error) : reject(new Error("accepted")));
    if (requestStream) {
      const call = responseStream
        ? client.makeBidiStreamRequest(...parts, metadata).on("data", () => undefined)
        : client.makeClientStreamRequest(...parts, metadata, answer);
      call.on("error", answer);
      call.end(garbage);
    } else if (responseStream) {
      client
        .makeServerStreamRequest(...parts, garbage, metadata)
        .on("data", () => undefined)
        .on("error", answer);
    } else {
      client.makeUnaryRequest(...parts, garbage, metadata, answer);
    }
  }).finally(() => client.close());
}

const kinds = Object.keys(textCalls) as (keyof typeof textCalls)[];

describe.each(kinds)("a call of the method %s", (kind) => {
  it.each([
    ["a wrong token", "wrong", status.UNAUTHENTICATED, "auth.caller_invalid"],
    ["another role's token", WORKER, status.PERMISSION_DENIED, "auth.caller_forbidden"],
  ])("with %s is refused before its message is decoded", async (_name, token, code, reason) => {
    const refused = await sendGarbage(kind, token);
    expect([refused.code, detailsOf(refused).errorInfo?.reason, decoded]).toEqual([code, reason, 0]);
    expect(detailsOf(refused).requestInfo?.requestId).toMatch(/^sx_/);
  });

  it("with a wrong token is refused before any of its message arrives", async () => {
    const method = TextService.method[kind].name;
    expect(await statusOf(open(method, "wrong"))).toBe(status.UNAUTHENTICATED);
  });

  it("with the right token reaches its decoding", async () => {
    await sendGarbage(kind, OPERATOR);
    expect(decoded).toBe(1);
  });
});

it("keeps nothing of the data that unauthenticated clients send after their refusal", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const piece = Buffer.alloc(MEGABYTE);
  const calls = Array.from({ length: 12 }, () => open("Say", "wrong"));
  await Promise.all(calls.map(statusOf));
  const before = held();
  await Promise.all(
    calls.map(async (call) => {
      // Beginning of 64 MB that are never complete.
      call.write(Buffer.from([0, 0x04, 0, 0, 0]));
      for (let i = 0; i < 6; i++) await new Promise((resolve) => call.write(piece, resolve));
      // Frames are read in order: the answer arrives after all earlier data was read.
      await new Promise((resolve) => call.session?.ping(resolve));
    }),
  );
  expect(calls.every(({ destroyed }) => !destroyed)).toBe(true);
  // Data in transit is released a little later.
  while (held() - before >= 12 * MEGABYTE) await sleep(25);
});
