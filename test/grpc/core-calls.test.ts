import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import type { StringValue } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallerIdentity } from "../../src/rpc/caller-identity.ts";
import type { HandlerContext } from "../../src/rpc/callers.ts";
import type { CoreCalls, Upload } from "../../src/rpc/calls.ts";
import { openRemoteCalls } from "../../src/rpc/remote.ts";
import { serveThread } from "../../src/rpc/serve-thread.ts";
import { type CoreServer, createCoreServer } from "../../src/rpc/server.ts";
import { openThreadCalls } from "../../src/rpc/thread.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { type Fault, fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { served } from "../harness/served.ts";
import { createSignal, type Signal } from "../harness/signal.ts";
import { TextService, textCalls } from "../harness/text-service.ts";

const TOKEN = "token-of-the-core";
/** For tests that are not about deadlines: never reached. */
const DEADLINE_MS = 60_000;
/** Long enough for a call to reach the core first, on a busy machine, too. */
const SHORT_DEADLINE_MS = 2_000;

let server: CoreServer;
let calls: CoreCalls;
let contexts: HandlerContext[];
let received: Signal<string>;
let goOn: () => void;
let held: Promise<void>;

async function say({ value }: StringValue, context: HandlerContext) {
  contexts.push(context);
  received.tell(value);
  if (value === "wait") await held;
  if (value === "break") throw new Error("a secret of the core");
  if (value === "refuse") {
    throw fault("request.validation_failed", {
      public: receivedText("Refused."),
      errors: [{ pointer: "/value", code: "field.invalid", message: receivedText("Not this.") }],
    });
  }
  if (value === "later") throw fault("store.unavailable", { retryAfterSeconds: 7 });
  return { value: value.toUpperCase() };
}

async function join(requests: AsyncIterable<StringValue>, context: HandlerContext) {
  contexts.push(context);
  let all = "";
  for await (const { value } of requests) {
    if (value === "refuse") throw fault("message.too_large", { public: receivedText("Refused.") });
    received.tell(value);
    await held;
    all += value;
  }
  return { value: all };
}

/** Letters, one by one; "endless" never ends. */
async function* split({ value }: StringValue, context: HandlerContext) {
  contexts.push(context);
  try {
    for (let at = 0; value === "endless" || at < value.length; at++) {
      if (value.charAt(at) === "!") throw fault("message.too_large", { public: receivedText("Refused.") });
      if (value.charAt(at) === "?") await Promise.race([held, once(context.signal, "abort")]);
      if (at % 100 === 0) received.tell(`${at}`);
      yield { value: value === "endless" ? "x".repeat(10_000) : value.charAt(at) };
    }
  } finally {
    received.tell("ended");
  }
}

const ways: readonly (readonly [string, (port: number) => CoreCalls])[] = [
  [
    "over gRPC",
    (port) => openRemoteCalls({ address: `127.0.0.1:${port}`, token: TOKEN, deadlineMs: DEADLINE_MS }),
  ],
  ["in the core's own process", () => server.localCalls("operator", DEADLINE_MS)],
  [
    "from another thread",
    () => {
      const { port1, port2 } = new MessageChannel();
      serveThread(port1, server.wireCalls("operator"));
      return openThreadCalls(port2, DEADLINE_MS);
    },
  ],
];

describe.each(ways)("a call %s", (_way, open) => {
  beforeEach(async () => {
    const log = createLogger("silent");
    contexts = [];
    received = createSignal();
    held = new Promise((resolve) => {
      goOn = resolve;
    });
    server = createCoreServer({
      host: "127.0.0.1",
      port: 0,
      tokens: { operator: TOKEN },
      clock: systemClock,
      log,
    });
    server.add(
      served(TextService, {
        say,
        join,
        split,
        echo: () => expect.fail("not called"),
      }),
    );
    calls = open(await server.listen());
  });
  afterEach(async () => {
    goOn();
    calls.close();
    await server.close(1_000);
  });

  /** Resolves when the first call is aborted in the core. */
  async function aborted(): Promise<void> {
    const signal = contexts[0]?.signal;
    if (signal && !signal.aborted) await once(signal, "abort");
  }

  const answerTo = async (value: string) =>
    ((await calls.unary(textCalls.say, { value })) as StringValue).value;
  const refusalOf = (value: string): Promise<Fault> =>
    calls.unary(textCalls.say, { value }).then(
      () => expect.fail("was answered"),
      (refusal) => refusal,
    );

  /** An upload, and its result. */
  async function upload(): Promise<{ call: Upload; ended: Promise<{ refusal?: Fault; answer?: string }> }> {
    let settle: (ended: { refusal?: Fault; answer?: string }) => void = () => undefined;
    const ended = new Promise<{ refusal?: Fault; answer?: string }>((resolve) => {
      settle = resolve;
    });
    const call = await calls.upload(textCalls.join, (refusal, answer) =>
      settle(refusal ? { refusal } : { answer: (answer as StringValue).value }),
    );
    return { call, ended };
  }

  it("is answered", async () => {
    expect(await Promise.all(["a", "b"].map(answerTo))).toEqual(["A", "B"]);
    expect(contexts[0]).toMatchObject({ peerAddress: "127.0.0.1", traceId: expect.stringMatching(/^sx_/) });
    expect(contexts[0]?.traceId).not.toBe(contexts[1]?.traceId);
  });

  it("contains the client that makes it, with its own description", async () => {
    const identity = { session: "ses%20 ü", clientAddress: "2001:db8::1", clientAgent: "Bröwser/1 \u0007%" };
    await calls.unary(textCalls.say, { value: "a" }, { identity });
    const unknown = { session: "", clientAddress: "192.0.2.1", clientAgent: "" };
    await calls.unary(textCalls.say, { value: "a" }, { identity: unknown });
    await answerTo("a");
    expect(contexts.map((context) => context.identity)).toEqual([identity, unknown, undefined]);
  });

  it("delivers its request in wire form", async () => {
    expect(await answerTo("a\ud800b")).toBe("A\ufffdB");
  });

  it("is refused with all details of the fault", async () => {
    expect(await refusalOf("refuse")).toMatchObject({
      code: "request.validation_failed",
      public: "Refused.",
      errors: [{ pointer: "/value", code: "field.invalid", message: "Not this." }],
    });
    expect(await refusalOf("later")).toMatchObject({ code: "store.unavailable", retryAfterSeconds: 7 });
  });

  it("does not reveal an internal error of the core", async () => {
    const refusal = await refusalOf("break");
    expect(refusal).toMatchObject({ code: "internal.error" });
    expect(JSON.stringify([refusal, refusal.message, refusal.cause ?? ""])).not.toContain("secret");
  });

  it("is refused at its deadline, and the core is notified", async () => {
    const answer = calls.unary(textCalls.say, { value: "wait" }, { withinMs: SHORT_DEADLINE_MS });
    await expect(answer).rejects.toMatchObject({ code: "core.timeout" });
    await aborted();
  });

  it("that has been answered is not aborted", async () => {
    await answerTo("a");
    calls.close();
    await server.close(100);
    expect(contexts[0]?.signal.aborted).toBe(false);
  });

  it("that cannot be encoded fails, and does not reach the core", async () => {
    expect(
      await calls.unary(textCalls.say, { value: Symbol("no text") }).catch((error) => error),
    ).toMatchObject({
      code: "internal.error",
    });
    expect(received.seen).toEqual([]);
  });

  /** Answers of a download, and its end. */
  async function download(value: string, most = Number.POSITIVE_INFINITY, identity?: CallerIdentity) {
    const letters: string[] = [];
    try {
      for await (const answer of calls.download(textCalls.split, { value }, { identity })) {
        letters.push((answer as StringValue).value);
        if (letters.length === most) break;
      }
      return { letters, refusal: undefined };
    } catch (refusal) {
      return { letters, refusal };
    }
  }

  it("that downloads receives one answer after the other", async () => {
    const identity = { session: "s", clientAddress: "192.0.2.1", clientAgent: "" };
    const { letters, refusal } = await download("abc", undefined, identity);
    expect([letters, refusal]).toEqual([["a", "b", "c"], undefined]);
    expect(contexts[0]).toMatchObject({ identity, peerAddress: "127.0.0.1" });
    expect((await download("")).letters).toEqual([]);
  });

  it("that downloads is refused in the middle, with all details of the fault", async () => {
    expect(await download("ab!c")).toMatchObject({
      letters: ["a", "b"],
      refusal: { code: "message.too_large", public: "Refused." },
    });
  });

  it("that downloads ends in the core when the client stops reading, and nothing is produced ahead", async () => {
    expect((await download("endless", 3)).letters).toHaveLength(3);
    await received.until((seen) => seen.includes("ended"));
    expect(received.seen.filter((one) => one !== "ended").length).toBeLessThan(20);
  });

  it("that downloads ends in the core and at the client when its caller cancels while it waits for an answer", async () => {
    const gone = new AbortController();
    const letters: string[] = [];
    for await (const answer of calls.download(textCalls.split, { value: "a?b" }, { signal: gone.signal })) {
      letters.push((answer as StringValue).value);
      setImmediate(() => gone.abort());
    }
    expect(letters).toEqual(["a"]);
    await received.until((seen) => seen.includes("ended"));
  });

  it("that uploads is answered after its end", async () => {
    goOn();
    const { call, ended } = await upload();
    for (const value of ["a", "b", "c"]) call.write({ value });
    call.end();
    expect(await ended).toEqual({ answer: "abc" });
  });

  it("that uploads is paused when the core has enough, and continues when it reads more", async () => {
    const { call, ended } = await upload();
    let sent = 0;
    while (sent < 10_000 && call.write({ value: "x".repeat(1_000) })) sent++;
    expect(sent).toBeLessThan(10_000);
    const drained = call.drained(AbortSignal.timeout(5_000));
    goOn();
    await drained;
    call.end();
    expect((await ended).answer).toHaveLength((sent + 1) * 1_000);
  });

  it("that uploads is notified to stop waiting", async () => {
    const { call } = await upload();
    while (call.write({ value: "x".repeat(1_000) }));
    await expect(call.drained(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    call.cancel();
  });

  it("that uploads can be refused before its end", async () => {
    goOn();
    const { call, ended } = await upload();
    call.write({ value: "refuse" });
    expect(await ended).toMatchObject({ refusal: { code: "message.too_large", public: "Refused." } });
  });

  it("that uploads and is cancelled is aborted in the core, and ends with a refusal", async () => {
    const { call, ended } = await upload();
    call.write({ value: "a" });
    await received.until(1);
    call.cancel();
    await aborted();
    goOn();
    expect((await ended).refusal).toBeDefined();
  });

  it("is completed when the core stops, and the next one is refused", async () => {
    expect(await calls.ready()).toBe(true);
    const underWay = answerTo("wait");
    await received.until(1);
    const closed = server.close(5_000);
    while (await calls.ready());
    expect(await refusalOf("next")).toMatchObject({ code: "core.unavailable" });
    goOn();
    expect(await underWay).toBe("WAIT");
    await closed;
    expect(received.seen).toEqual(["wait"]);
  });

  it("is aborted after the maximum time of stopping", async () => {
    const underWay = refusalOf("wait");
    await received.until(1);
    await server.close(50);
    await aborted();
    goOn();
    await underWay.catch(() => undefined);
  });
});
