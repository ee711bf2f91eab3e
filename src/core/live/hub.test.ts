import { describe, expect, it } from "vitest";
import { createTestTime } from "../../../test/harness/test-time.ts";
import { createLogger } from "../../shared/logger.ts";
import { createLiveHub } from "./hub.ts";
import type { Change, LiveEvent, TailBatch } from "./journal-tail.ts";
import { formatPosition } from "./position.ts";
import { MAX_CHANGES, MAX_RESOURCES } from "./report.ts";

const OWNER = { accountId: "acc_1", userId: "usr_1", sessionId: "ses_1" };
const NEVER = new AbortController().signal;

function events(throughMs: number, messageId: string, accountId = OWNER.accountId): LiveEvent {
  const at = new Date(throughMs);
  const change: Change = {
    id: messageId,
    accountId,
    messageId,
    kind: "delivered",
    at,
    attempt: 1,
    category: "",
  };
  return { position: { throughMs, late: 0 }, changes: [change] };
}

const batchOf = (throughMs: number, ...all: LiveEvent[]): TailBatch => ({
  events: all,
  position: { throughMs, late: 0 },
});

function make() {
  const time = createTestTime();
  const batches: (TailBatch | Error)[] = [];
  let asked: (() => void) | undefined;
  /** Waits for the next result that the test supplies. */
  const next = async (): Promise<TailBatch> => {
    if (batches.length === 0) await new Promise<void>((resolve) => (asked = resolve));
    const batch = batches.shift();
    if (!batch || batch instanceof Error) throw batch;
    return batch;
  };
  const log = createLogger("silent");
  const hub = createLiveHub({ tail: { begin: next, next }, clock: time.clock, log });
  const read = async (batch: TailBatch | Error) => {
    batches.push(batch);
    asked?.();
    await hub.read();
  };
  const begin = (throughMs: number, sinceMs: number, ...all: LiveEvent[]) =>
    read({ ...batchOf(throughMs, ...all), since: { throughMs: sinceMs, late: 0 } });
  return { hub, time, read, begin };
}

const namesIn = (report: { readonly changes: readonly Change[] } | undefined) =>
  report?.changes.map(({ messageId }) => messageId);

describe("a stream", () => {
  it("reports only changes of its own account after its start", async () => {
    const { hub, begin, read } = make();
    const stream = hub.open(OWNER, "");
    await begin(1_000, 0, events(900, "before"));
    await read(batchOf(2_000, events(1_500, "mine"), events(1_600, "theirs", "acc_2")));
    const report = await stream.next(NEVER);
    expect(namesIn(report)).toEqual(["mine"]);
    expect([...(report?.counts ?? [])]).toEqual([["delivered", 1]]);
    expect(report?.position).toEqual({ throughMs: 2_000, late: 0 });
  });

  it.each([
    [100, ["a", "b", "c"]],
    [500, ["b", "c"]],
    [1_000, ["c"]],
    [2_000, []],
  ])("continues after %i, and reports later changes once", async (throughMs, missed) => {
    const { hub, begin, read } = make();
    hub.open(OWNER, "");
    await begin(1_000, 0, events(500, "a"), events(900, "b"));
    await read(batchOf(2_000, events(1_500, "c")));
    const stream = hub.open(OWNER, formatPosition({ throughMs, late: 0 }));
    await read(batchOf(3_000, events(2_500, "new")));
    expect(namesIn(await stream.next(NEVER))).toEqual([...missed, "new"]);
  });

  it("continues at the position of a core that was ahead of this one", async () => {
    const { hub, begin, read } = make();
    const stream = hub.open(OWNER, formatPosition({ throughMs: 1_500, late: 0 }));
    await begin(1_000, 0);
    await read(batchOf(2_000, events(1_400, "heard there"), events(1_600, "new")));
    expect(namesIn(await stream.next(NEVER))).toEqual(["new"]);
  });

  it.each([
    ["is too old", formatPosition({ throughMs: 50, late: 0 })],
    ["is invalid", "whatever"],
    ["is far ahead", formatPosition({ throughMs: 100_000, late: 0 })],
  ])("reports a gap if its position %s", async (_, after) => {
    const { hub, begin } = make();
    const stream = hub.open(OWNER, after);
    await begin(1_000, 100, events(900, "before"));
    expect(await stream.next(NEVER)).toMatchObject({ gap: true, changes: [] });
  });

  it("reports a gap after the journal could not be read for a long time", async () => {
    const { hub, begin, read } = make();
    const stream = hub.open(OWNER, "");
    await begin(1_000, 0);
    await read(new Error("the store is away"));
    await begin(200_000, 140_000, events(199_000, "young"));
    expect(await stream.next(NEVER)).toMatchObject({ gap: true, changes: [] });
  });

  it("that is read slowly keeps one report, and counts further changes", async () => {
    const { hub, begin, read } = make();
    const stream = hub.open(OWNER, "");
    await begin(0, 0);
    for (let n = 1; n <= 10_000; n += 100) {
      await read(batchOf(n + 99, ...Array.from({ length: 100 }, (_, i) => events(n + i, `m${n + i}`))));
    }
    const report = await stream.next(NEVER);
    expect(report?.changes).toHaveLength(MAX_CHANGES);
    expect(report?.counts.get("delivered")).toBe(10_000);
    expect(report?.skipped).toBe(10_000 - MAX_CHANGES);
  });

  it("reports each changed resource of its account once, and a gap beyond the maximum of a report", async () => {
    const { hub, begin, read } = make();
    const stream = hub.open(OWNER, "");
    await begin(0, 0);
    const changed = (throughMs: number, id: string, accountId = OWNER.accountId): LiveEvent => ({
      position: { throughMs, late: 0 },
      changes: [],
      resources: [{ accountId, kind: "job", id }],
    });
    await read(batchOf(3, changed(1, "a"), changed(2, "theirs", "acc_2"), changed(3, "a")));
    const first = await stream.next(NEVER);
    expect([first?.resources.map(({ id }) => id), first?.gap]).toEqual([["a"], false]);
    const many = Array.from({ length: MAX_RESOURCES + 1 }, (_, n) => changed(10 + n, `job ${n}`));
    await read(batchOf(1_000, ...many));
    const second = await stream.next(NEVER);
    expect([second?.resources.length, second?.gap]).toEqual([MAX_RESOURCES, true]);
  });

  it("that no client reads is closed, which frees its capacity", async () => {
    const { hub, begin, time } = make();
    const stream = hub.open(OWNER, "");
    await begin(1_000, 0);
    time.pass(31_000);
    hub.beat();
    expect(await stream.next(NEVER)).toBeUndefined();
    for (let n = 0; n < 10; n++) hub.open(OWNER, "");
  });

  it("sends an answer every two seconds, and ends with its process", async () => {
    const { hub, begin, time } = make();
    const stream = hub.open(OWNER, "");
    await begin(1_000, 0);
    expect(await stream.next(NEVER)).toMatchObject({ position: { throughMs: 1_000, late: 0 } });
    const beat = stream.next(NEVER);
    time.pass(2_000);
    hub.beat();
    expect(await beat).toMatchObject({ changes: [], gap: false });
    const last = stream.next(NEVER);
    hub.close();
    expect(await last).toBeUndefined();
    expect(() => hub.open(OWNER, "")).toThrow(expect.objectContaining({ code: "core.unavailable" }));
  });

  it("stops waiting when its caller cancels", async () => {
    const { hub, begin } = make();
    const stream = hub.open(OWNER, "");
    await begin(1_000, 0);
    await stream.next(NEVER);
    const abort = new AbortController();
    const waiting = stream.next(abort.signal);
    abort.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(stream.next(abort.signal)).rejects.toThrow("gone");
  });
});

it("limits the streams of a session, a user and an account, and no longer counts closed ones", () => {
  const { hub } = make();
  const refused = expect.objectContaining({ code: "live.too_many_streams", retryAfterSeconds: 10 });
  const ofSession = Array.from({ length: 10 }, () => hub.open(OWNER, ""));
  expect(() => hub.open(OWNER, "")).toThrow(refused);
  for (const stream of ofSession) {
    stream.close();
    stream.close();
  }
  for (let n = 0; n < 300; n++) hub.open({ ...OWNER, sessionId: `ses_${n}` }, "");
  expect(() => hub.open({ ...OWNER, sessionId: "ses_last" }, "")).toThrow(refused);
  for (let n = 0; n < 200; n++) hub.open({ ...OWNER, userId: `user_${n}`, sessionId: `other_${n}` }, "");
  expect(() => hub.open({ ...OWNER, userId: "usr_last", sessionId: "ses_last" }, "")).toThrow(refused);
  for (let n = 0; n < 1_500; n++)
    hub.open({ ...OWNER, accountId: `other_${n}`, userId: "", sessionId: "" }, "");
  const another = { ...OWNER, accountId: "acc_last", userId: "", sessionId: "" };
  expect(() => hub.open(another, "")).toThrow(expect.objectContaining({ code: "live.full" }));
});

it("reads nothing without an open stream", async () => {
  const { hub } = make();
  // A requested turn would never arrive.
  await hub.read();
  expect(() => hub.close()).not.toThrow();
});
