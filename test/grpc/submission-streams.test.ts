import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { idBound, newId } from "../../src/shared/ids.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { openStoreClient, type StoreClient } from "../harness/store-client.ts";
import { captured, envelopeTo, plainSource } from "../harness/submission.ts";

let hermod: Hermod;
let stored: StoreClient;

beforeAll(async () => {
  hermod = await startHermod({
    // The time for 40 uploads at once depends on the machine, and is not tested here.
    settings: { HERMOD_KEY_CACHE_MS: "200", HERMOD_CORE_DEADLINE_MS: "60000" },
  });
  stored = openStoreClient(hermod);
});
afterAll(async () => {
  await stored.close();
  await hermod.dispose();
});

const MEGABYTE = 1024 * 1024;
/** Lines of a base64 body. */
const LINES = Buffer.from(
  `${randomBytes(57 * 1024)
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n")}`,
);
const stream = (source: AsyncIterable<Uint8Array>, recipients = ["ann@example.net"]) =>
  hermod.core.submissions.submitStream(envelopeTo(hermod, recipients), source);
const counts = async () => ({
  messages: await stored.db.collection("messages").countDocuments(),
  contents: await stored.db.collection("contents").countDocuments(),
  chunks: await stored.db
    .collection("chunks")
    .countDocuments({ _id: { $gte: "cnt_", $lt: "cnt`" } } as never),
});

/** Unneeded data is removed, and no answer waits for it. */
const untilCounts = (expected: Awaited<ReturnType<typeof counts>>) =>
  eventually(async () => (isDeepStrictEqual(await counts(), expected) ? true : undefined));

/** A message of about this size. */
function largeSource(bytes: number, ...fields: readonly string[]): Buffer {
  const lines = Array.from({ length: Math.floor(bytes / LINES.length) }, () => LINES);
  return Buffer.concat([plainSource(...fields), ...lines]);
}

async function* pieces(source: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.length; at += 65_536) yield source.subarray(at, at + 65_536);
}

/** A message of about this size, in parts of 64 KB. */
async function* large(bytes: number, ...fields: readonly string[]): AsyncGenerator<Buffer> {
  yield* pieces(largeSource(bytes, ...fields));
}

/** Submitted octets, after the fields that were added. */
async function sameAsCaptured(messageId: string | undefined, source: Buffer): Promise<boolean> {
  const got = await captured(hermod, messageId);
  return got.subarray(got.length - source.length).equals(source);
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${hermod.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

it("accepts a message of 24 MB to several recipients, and delivers it octet for octet", async () => {
  const source = largeSource(24 * MEGABYTE);
  const answer = await stream(pieces(source), ["ann@example.net", "bob@example.net"]);
  expect(answer.messageIds).toHaveLength(2);
  for (const id of answer.messageIds) expect(await sameAsCaptured(id, source)).toBe(true);
});

it("accepts a small message, in parts of one octet", async () => {
  const source = plainSource();
  async function* octets() {
    for (const octet of source) yield Buffer.of(octet);
  }
  const answer = await stream(octets());
  expect(await sameAsCaptured(answer.messageIds[0], source)).toBe(true);
});

it("does not fill the memory with running uploads", async () => {
  // A process that has just started must load more than uploads.
  await stream(large(24 * MEGABYTE));
  const before = await residentBytes();
  let peak = 0;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentBytes().catch(() => 0));
  }, 50);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Pauses before its end, so that all of them run together. */
  async function* halting() {
    yield* large(4 * MEGABYTE);
    await released;
    yield Buffer.from("The end.\r\n");
  }
  const uploads = Array.from({ length: 40 }, () => stream(halting()));
  await eventually(async () => ((await counts()).chunks >= 40 * 14 ? true : undefined));
  clearInterval(watch);
  release();
  const answers = await Promise.all(uploads);
  expect(new Set(answers.flatMap(({ messageIds }) => messageIds)).size).toBe(40);
  // 160 MB arrived.
  expect(peak - before).toBeLessThan(130 * MEGABYTE);
});

it("keeps nothing of an interrupted upload, and delivers nothing", async () => {
  const before = await counts();
  /** Everything that it writes has an id after this one. */
  const begun = idBound("msg", new Date()).replace("msg", "cnt");
  const written = () => stored.db.collection("chunks").findOne({ _id: { $gt: begun, $lt: "cnt`" } } as never);
  async function* broken() {
    yield* large(2 * MEGABYTE);
    await eventually(async () => (await written()) ?? undefined);
    throw new Error("the client has gone");
  }
  await expect(stream(broken())).rejects.toThrow("the client has gone");
  await untilCounts(before);
});

it.each([
  ["an unknown policy", large(2 * MEGABYTE, "X-Service-Policy: fast"), "policy.unknown"],
  ["too many octets", large(26 * MEGABYTE), "message.too_large"],
  [
    "a bare LF far behind",
    (async function* () {
      yield* large(2 * MEGABYTE);
      yield Buffer.from("so\nmuch\r\n");
    })(),
    "message.malformed",
  ],
  [
    "a header without an end",
    (async function* () {
      for (let i = 0; i < 10_000; i++) yield Buffer.from(`X-Field-${i}: ${"x".repeat(900)}\r\n`);
    })(),
    "message.malformed",
  ],
])("refuses %s during the upload, and keeps nothing of it", async (_name, source, code) => {
  const before = await counts();
  await expect(stream(source)).rejects.toMatchObject({ code });
  await untilCounts(before);
});

it("answers a repeated upload like the first, and keeps its chunks once", async () => {
  const upload = () => stream(large(2 * MEGABYTE, "X-Idempotency-Key: upload"));
  const first = await upload();
  const before = await counts();
  expect(await upload()).toMatchObject({ ...first, replayed: true });
  await untilCounts(before);
  await expect(stream(large(3 * MEGABYTE, "X-Idempotency-Key: upload"))).rejects.toMatchObject({
    code: "idempotency.key_reused",
  });
  await untilCounts(before);
  const source = largeSource(2 * MEGABYTE);
  expect(await sameAsCaptured(first.messageIds[0], source.subarray(source.length - MEGABYTE))).toBe(true);
});

it("is paused while the source is, and continues with it", async () => {
  async function* slow() {
    for await (const piece of large(MEGABYTE)) {
      await sleep(20);
      yield piece;
    }
  }
  expect((await stream(slow())).messageIds).toHaveLength(1);
});

it("stores one message for two submissions with one submission id, and keeps its body", async () => {
  const submissionId = newId("sub", new Date());
  const source = largeSource(MEGABYTE);
  const before = await counts();
  const send = () =>
    hermod.core.submissions.submitStream(
      envelopeTo(hermod, ["ann@example.net"], { submissionId }),
      pieces(source),
    );
  const [one, other] = await Promise.all([send(), send()]);
  expect(one.messageIds).toEqual(other.messageIds);
  expect(await sameAsCaptured(one.messageIds[0], source)).toBe(true);
  expect((await counts()).messages).toBe(before.messages + 1);
});
