import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogger } from "../../shared/logger.ts";
import { type AcceptMessageOptions, createAcceptMessage } from "./accept-message.ts";
import type { Transaction } from "./relay-rules.ts";

it("holds no more of all messages that are coming than its share of memory: what is over it passes on", async () => {
  const piece = Buffer.from(`${"x".repeat(98)}\r\n`.repeat(100));
  const ways: string[] = [];
  const submissions = {
    submit: async () => {
      ways.push("held");
      return { traceId: "sx_1" };
    },
    submitStream: async (_: unknown, source: AsyncIterable<Uint8Array>) => {
      ways.push("passed on");
      for await (const _piece of source);
      return { traceId: "sx_2" };
    },
  } as unknown as AcceptMessageOptions["submissions"];
  const accept = createAcceptMessage({
    submissions,
    serverName: "mx.example.com",
    maxBytes: 1_000_000,
    repeatForMs: 0,
    now: () => new Date(),
    log: createLogger("silent"),
    onAnswer: () => undefined,
    maxAllHeldBytes: 3 * piece.length,
  });
  const transaction = { mail: { address: "a@example.com" }, recipients: [] } as unknown as Transaction;
  const take = async (count: number) => {
    const streams = Array.from({ length: count }, () => new PassThrough());
    const answers = streams.map((stream) => accept(stream as never, transaction));
    // All have begun before any ends.
    for (const stream of streams) stream.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
    for (const stream of streams) stream.end();
    expect((await Promise.all(answers)).map(({ code }) => code)).toEqual(streams.map(() => 250));
    return ways.splice(0).sort();
  };
  expect(await take(2)).toEqual(["held", "held"]);
  expect(await take(8)).toContain("passed on");
  expect(await take(2)).toEqual(["held", "held"]);
});
