import type { StringValue } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CallDefinition, Handlers } from "../../src/rpc/bridge.ts";
import type { HandlerContext } from "../../src/rpc/callers.ts";
import { type CoreServer, createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { detailsOf } from "../harness/raw-grpc.ts";
import { served } from "../harness/served.ts";
import { createSignal, type Signal } from "../harness/signal.ts";
import { startTcpProxy } from "../harness/tcp-proxy.ts";
import { textCalls as definitions, type TextMethods, TextService } from "../harness/text-service.ts";

const TOKEN = "token-of-the-core";
let server: CoreServer;
let client: Client;
/** Ends of calls, as their handlers saw them. */
let ends: Signal<string>;
let produced: number;
/** Values that handlers have read. */
let seen: Signal<string>;
let port: number;

/** "refuse" is refused; the end of the handler is recorded. */
async function* read(requests: AsyncIterable<StringValue>, { signal }: HandlerContext) {
  try {
    for await (const { value } of requests) {
      if (value === "refuse") throw fault("message.too_large", { public: receivedText("Refused.") });
      seen.tell(value);
      yield value;
    }
    ends.tell("complete");
  } finally {
    if (signal.aborted) ends.tell("aborted");
  }
}

const handlers: Handlers<TextMethods, HandlerContext> = {
  say: async (request) => request,
  join: async (requests, context) => {
    let all = "";
    for await (const value of read(requests, context)) all += value;
    return { value: all };
  },
  split: async function* ({ value }) {
    try {
      if (value === "refuse") throw fault("message.too_large", { public: receivedText("Refused.") });
      for (let i = 0; value === "endless" || i < value.length; i++) {
        produced++;
        yield { value: value === "endless" ? "x".repeat(10_000) : value.charAt(i) };
      }
    } finally {
      ends.tell("ended");
    }
  },
  echo: async function* (requests, context) {
    for await (const value of read(requests, context)) yield { value };
    yield { value: "bye" };
  },
};

beforeAll(async () => {
  const log = createLogger("silent");
  server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: TOKEN },
    clock: systemClock,
    log,
  });
  server.add(served(TextService, handlers));
  port = await server.listen();
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close(1_000);
});
beforeEach(() => {
  ends = createSignal();
  produced = 0;
  seen = createSignal();
});

function metadata(token = TOKEN): Metadata {
  const made = new Metadata();
  made.set("authorization", `Bearer ${token}`);
  return made;
}

function parts({ path, requestSerialize, responseDeserialize }: CallDefinition) {
  return [path, requestSerialize, responseDeserialize] as const;
}

type Ended = { readonly values: string[]; readonly error: ServiceError | undefined };

/** Sends all values and ends. */
function join(values: readonly string[], token?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const call = client.makeClientStreamRequest(
      ...parts(definitions.join),
      metadata(token),
      (error, answer) =>
        resolve({ values: answer ? [(answer as StringValue).value] : [], error: error ?? undefined }),
    );
    for (const value of values) call.write({ value });
    call.end();
  });
}

function echo(values: readonly string[], token?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const call = client.makeBidiStreamRequest(...parts(definitions.echo), metadata(token));
    const received: string[] = [];
    let error: ServiceError | undefined;
    call.on("data", ({ value }: StringValue) => received.push(value));
    call.on("error", (thrown: ServiceError) => {
      error = thrown;
    });
    call.on("status", () => setImmediate(() => resolve({ values: received, error })));
    for (const value of values) call.write({ value });
    call.end();
  });
}

it("a client's stream is answered after its end", async () => {
  expect(await join(["a", "b", "c"])).toEqual({ values: ["abc"], error: undefined });
  expect(ends.seen).toEqual(["complete"]);
});

it("a bidirectional stream continues after the client has sent everything", async () => {
  expect(await echo(["a", "b"])).toEqual({ values: ["a", "b", "bye"], error: undefined });
});

it.each([
  ["client's", join],
  ["two-way", echo],
])("a fault during a %s stream reaches the caller with its details", async (_name, call) => {
  const { error } = await call(["a", "refuse", "b"]);
  expect([error?.code, error?.details]).toEqual([status.RESOURCE_EXHAUSTED, "Refused."]);
  expect(detailsOf(error as ServiceError).errorInfo?.reason).toBe("message.too_large");
});

it.each([
  ["client's", join],
  ["two-way", echo],
])("a %s stream without the token is refused before its handler sees it", async (_name, call) => {
  const { values, error } = await call(["a"], "wrong");
  expect([values, error?.code, ends.seen]).toEqual([[], status.UNAUTHENTICATED, []]);
});

it("a handler ends when its caller disconnects", async () => {
  const call = client.makeBidiStreamRequest(...parts(definitions.echo), metadata());
  call.on("error", () => undefined);
  call.write({ value: "a" });
  await seen.until(1);
  call.cancel();
  await ends.until(1);
});

it("a stream with a broken connection is aborted, not completed", async () => {
  for (const kind of ["join", "echo", "join", "echo", "join", "echo"] as const) {
    [ends, seen] = [createSignal(), createSignal()];
    const proxy = await startTcpProxy({ host: "127.0.0.1", port });
    const through = new Client(`127.0.0.1:${proxy.port}`, credentials.createInsecure());
    try {
      const call =
        kind === "join"
          ? through.makeClientStreamRequest(...parts(definitions.join), metadata(), () => undefined)
          : through.makeBidiStreamRequest(...parts(definitions.echo), metadata());
      call.on("error", () => undefined);
      call.write({ value: "a" });
      await seen.until(1);
      proxy.cut();
      await ends.until(1);
      expect(ends.seen).toEqual(["aborted"]);
    } finally {
      through.close();
      await proxy.close();
    }
  }
});

it("a handler produces no more than its caller reads, and ends with it", async () => {
  const call = client.makeServerStreamRequest(...parts(definitions.split), { value: "endless" }, metadata());
  call.on("error", () => undefined);
  await new Promise((resolve) => call.once("readable", resolve));
  // No event shows that it has stopped.
  for (let before = -1; before !== produced; ) {
    before = produced;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(produced).toBeLessThan(10_000);
  call.cancel();
  await ends.until(1);
  expect(ends.seen).toEqual(["ended"]);
});
