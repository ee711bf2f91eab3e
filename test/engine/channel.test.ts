import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import type { Document } from "bson";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EngineChannel, openChannel } from "../../src/engine/channel.ts";
import { messageOf, type RunningEngine, rawCommand, sayingOf, startEngine } from "./harness.ts";

const ask = async (channel: EngineChannel, command: Document) =>
  sayingOf(await channel.ask(messageOf({ ...command, $db: "channel" })));

describe("a channel to the engine", () => {
  let engine: RunningEngine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.close());

  it("carries commands like the socket, and replies to the caller", async () => {
    const inserts = Array.from({ length: 50 }, (_, n) => ({
      insert: "c",
      documents: [{ _id: n }, { _id: n }],
    }));
    const finds = Array.from({ length: 50 }, (_, n) => ({ find: "c", filter: { _id: n } }));
    const inserted = await Promise.all(inserts.map((command) => ask(engine.channel, command)));
    expect(inserted.map(({ writeErrors }) => writeErrors[0].keyValue._id)).toEqual(inserts.map((_, n) => n));
    const found = await Promise.all(finds.map((command) => ask(engine.channel, command)));
    expect(found.map(({ cursor }) => cursor.firstBatch)).toEqual(finds.map((_, n) => [{ _id: n }]));
    const client = await MongoClient.connect(engine.url);
    expect(await client.db("channel").collection("c").countDocuments()).toBe(50);
    await client.close();
  });

  it("replies with the errors of commands", async () => {
    expect(await ask(engine.channel, { nonsense: 1 })).toMatchObject({ ok: 0, code: 59 });
    expect(await ask(engine.channel, { ping: 1 })).toMatchObject({ ok: 1 });
  });

  it("takes documents of the largest size", async () => {
    const text = "x".repeat(16_000_000);
    expect(await ask(engine.channel, { insert: "c", documents: [{ _id: 1, text }] })).toMatchObject({ n: 1 });
    const { cursor } = await ask(engine.channel, { find: "c" });
    expect(cursor.firstBatch[0].text.length).toBe(text.length);
  });

  it("ends after an invalid message, and notifies all waiting callers; the engine continues", async () => {
    const asked = [
      engine.channel.ask(new Uint8Array(20)),
      engine.channel.ask(messageOf({ ping: 1, $db: "channel" })),
    ];
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ reason: new Error("the embedded engine has ended") });
    }
    await expect(ask(engine.channel, { ping: 1 })).rejects.toThrow("the embedded engine has ended");
    expect(await rawCommand(engine.url, { ping: 1, $db: "channel" })).toMatchObject({ ok: 1 });
  });

  it("answers requests before its end, and none after it", async () => {
    const asked = ask(engine.channel, { insert: "c", documents: [{ _id: 1 }] });
    const closed = engine.close();
    expect(await asked.catch(({ message }: Error) => message)).toEqual(
      expect.toSatisfy((it) => it.n === 1 || it === "the embedded engine has ended"),
    );
    await closed;
    await expect(ask(engine.channel, { ping: 1 })).rejects.toThrow("the embedded engine has ended");
  });
});

it("waits 20 seconds for a silent engine, and treats no late reply as that of another one", async () => {
  const { port1, port2 } = new MessageChannel();
  const channel = openChannel(port1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const late = channel.ask(messageOf({ ping: 1 }));
  const outcome = late.catch(({ message }: Error) => message);
  vi.advanceTimersByTime(20_000);
  vi.useRealTimers();
  expect(await outcome).toBe("the embedded engine does not answer");
  const [first] = await once(port2, "message");
  const next = channel.ask(messageOf({ ping: 1 }));
  const [second] = await once(port2, "message");
  const replyTo = (message: Uint8Array, text: string) => {
    const reply = Buffer.from(messageOf({ text }));
    reply.writeInt32LE(Buffer.from(message).readInt32LE(4), 8);
    return new Uint8Array(reply);
  };
  port2.postMessage([replyTo(first, "late"), replyTo(second, "in time")]);
  expect(sayingOf(await next)).toEqual({ text: "in time" });
  port1.close();
});
