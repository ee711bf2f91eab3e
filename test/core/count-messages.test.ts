import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CountMessagesResponse } from "../../gen/hermod/counter/v1/counter_service_pb.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { createCounterWriter } from "../../src/store/counters/counter-writer.ts";
import { createSendingDays } from "../../src/store/counters/sending-days.ts";
import { createTally } from "../../src/store/counters/tally.ts";
import type { JournalEntry } from "../../src/store/journal/journal-documents.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let identity: Identity;
let accountId: string;
let owner: AreaClients;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await freshAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

async function freshAccount(): Promise<string> {
  const { account } = await identity.operator.accounts.createAccount({ name: "Shop" });
  return account?.id ?? "";
}

/** Counts events as the process does that has stored them. */
async function happened(
  ...entries: (Partial<JournalEntry> & Pick<JournalEntry, "kind" | "at">)[]
): Promise<void> {
  const tally = createTally();
  tally.addAll(entries.map((entry) => ({ messageId: "msg_1", accountId, attempt: 0, ...entry })));
  const writer = createCounterWriter(identity.db, createSendingDays(identity.db));
  await inTransaction(identity.db.client, (session) => writer.add(session, tally));
}

const at = (text: string) => new Date(`2030-03-${text}Z`);
const span = (from: string, until: string) => ({
  from: timestampFromDate(at(from)),
  until: timestampFromDate(at(until)),
});
const lines = ({ series }: CountMessagesResponse) =>
  Object.fromEntries(
    series.map(({ value, isOther, kind, counts }) => [
      `${isOther ? "(others)" : value} ${kind}`.trim(),
      counts,
    ]),
  );

describe("a count of messages", () => {
  it("has a number for each step, zero without events, by kind", async () => {
    await happened(
      { kind: "accepted", at: at("04T10:00:00") },
      { kind: "accepted", at: at("04T10:59:59.999") },
      { kind: "delivered", at: at("04T12:00:00") },
    );
    const found = await owner.counters.countMessages({ ...span("04T10:30:00", "04T13:00:00"), step: "hour" });
    expect(found.step).toBe("hour");
    expect(found.points.map((point) => timestampDate(point).toISOString())).toEqual([
      "2030-03-04T10:00:00.000Z",
      "2030-03-04T11:00:00.000Z",
      "2030-03-04T12:00:00.000Z",
    ]);
    expect(lines(found)).toEqual({ accepted: [2, 0, 0], delivered: [0, 0, 1] });
    expect(found.series.map(({ sum }) => sum)).toEqual([2n, 1n]);
  });

  it("covers the last day by default, in steps that fit the time range", async () => {
    const now = identity.time.clock.now();
    await happened({ kind: "delivered", at: new Date(now.getTime() - HOUR_MS) });
    const found = await owner.counters.countMessages({});
    expect(found.step).toBe("hour");
    expect(found.points).toHaveLength(25);
    expect(found.series).toMatchObject([{ kind: "delivered", sum: 1n }]);
    const steps = [];
    for (const until of ["04T03:00:00", "10T00:00:00", "30T00:00:00"])
      steps.push((await owner.counters.countMessages(span("04T00:00:00", until))).step);
    expect(steps).toEqual(["minute", "hour", "day"]);
  });

  it("shows the values with the highest counts and all others combined, or the requested values", async () => {
    const tags = (count: number, tag: string) =>
      Array.from({ length: count }, () => ({
        kind: "delivered" as const,
        at: at("04T10:00:00"),
        tags: [tag],
      }));
    await happened(...tags(3, "a.b$c"), ...tags(2, "__proto__"), ...tags(1, "rare"));
    const day = { ...span("04T00:00:00", "05T00:00:00"), step: "day", dimension: "tag" };
    expect(lines(await owner.counters.countMessages({ ...day, top: 2 }))).toEqual({
      "a.b$c delivered": [3],
      "__proto__ delivered": [2],
      "(others) delivered": [1],
    });
    const asked = { ...day, values: ["rare", "nobody's"], kinds: ["delivered"] };
    expect(lines(await owner.counters.countMessages(asked))).toEqual({
      "rare delivered": [1],
      "nobody's delivered": [0],
    });
  });

  it("has days of a time zone, including those of 23 hours", async () => {
    // In Berlin, the 31st has 23 hours because of the clock change.
    await happened(
      { kind: "delivered", at: at("30T22:30:00") },
      { kind: "delivered", at: at("30T23:30:00") },
      { kind: "delivered", at: at("31T21:30:00") },
      { kind: "delivered", at: at("31T22:30:00") },
    );
    const days = { ...span("30T00:00:00", "31T23:00:00"), step: "day", timeZone: "Europe/Berlin" };
    const found = await owner.counters.countMessages(days);
    expect(found.points.map((point) => timestampDate(point).toISOString())).toEqual([
      "2030-03-29T23:00:00.000Z",
      "2030-03-30T23:00:00.000Z",
      "2030-03-31T22:00:00.000Z",
    ]);
    expect(lines(found)).toEqual({ delivered: [1, 2, 1] });
  });

  it("covers only its own account", async () => {
    await happened({ kind: "delivered", at: at("04T10:00:00") });
    const other = identity.as({ session: (await identity.memberOf(await freshAccount())).token });
    const day = span("04T00:00:00", "05T00:00:00");
    expect((await other.counters.countMessages(day)).series).toEqual([]);
    expect((await owner.counters.countMessages(day)).series).toHaveLength(1);
  });

  it.each([
    ["/until", span("05T00:00:00", "04T00:00:00")],
    ["/step", { step: "week" }],
    ["/step", { ...span("01T00:00:00", "31T00:00:00"), step: "minute" }],
    ["/dimension", { dimension: "recipient" }],
    ["/kinds/1", { kinds: ["delivered", "resent"] }],
    ["/values", { values: ["a"] }],
    ["/values", { dimension: "tag", values: Array.from({ length: 51 }, String) }],
    ["/top", { dimension: "tag", top: 51 }],
    ["/time_zone", { timeZone: "Berlin" }],
  ])("is refused at %s (%#)", async (pointer, request) => {
    await expect(owner.counters.countMessages(request)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer }],
    });
  });

  it("of two years reads only its points", async () => {
    const now = identity.time.clock.now();
    const from = timestampFromDate(new Date(now.getTime() - 731 * DAY_MS));
    expect((await owner.counters.countMessages({ from, timeZone: "UTC" })).points).toHaveLength(732);
  });
});

describe("a count of engagement", () => {
  const april = { from: timestampFromDate(new Date("2030-04-04T00:00:00Z")), step: "day" };
  const when = new Date("2030-04-04T10:00:00Z");
  const day = { ...april, until: timestampFromDate(new Date("2030-04-05T00:00:00Z")) };

  it("has each message once that a person opened or clicked, without opens by programs", async () => {
    await happened(
      { kind: "delivered", at: when },
      { kind: "opened", at: when, first: true },
      { kind: "opened", at: when },
      { kind: "clicked", at: when, first: true },
      { kind: "unsubscribed", at: when },
    );
    expect(lines(await owner.counters.countMessages(day))).toEqual({
      delivered: [1],
      opened: [1],
      clicked: [1],
      unsubscribed: [1],
    });
  });

  it.each(["key", "template", "sending_domain"])(
    "counts by %s, and omits messages without one",
    async (dimension) => {
      const named = { key: "key_1", template: "order", sender: "shop.example" };
      await happened({ kind: "delivered", at: when, ...named }, { kind: "bounced", at: when });
      const value = { key: "key_1", template: "order", sending_domain: "shop.example" }[dimension];
      expect(lines(await owner.counters.countMessages({ ...day, dimension }))).toEqual({
        [`${value} delivered`]: [1],
      });
    },
  );
});

describe("a measurement of latency", () => {
  const when = at("04T10:00:00");
  const delivered = (seconds: number, more: Partial<JournalEntry> = {}) => ({
    kind: "delivered" as const,
    at: when,
    dueAt: new Date(when.getTime() - seconds * 1000),
    ...more,
  });
  const day = { ...span("04T09:00:00", "04T12:00:00"), step: "hour" };
  const close = (ms: number) => [BigInt(Math.floor(ms * 0.97)), BigInt(Math.ceil(ms * 1.03))] as const;

  it("has percentiles of each point and of all points, by value", async () => {
    await happened(
      ...Array.from({ length: 98 }, () => delivered(1, { provider: "google" })),
      delivered(60, { provider: "google" }),
      delivered(60, { provider: "google" }),
      delivered(5, { provider: "microsoft" }),
    );
    const found = await owner.counters.measureLatency({ ...day, dimension: "provider" });
    const [google, microsoft] = found.series;
    expect([google?.value, google?.all?.count, microsoft?.value]).toEqual(["google", 100n, "microsoft"]);
    expect(google?.points.map(({ count }) => count)).toEqual([0n, 100n, 0n]);
    for (const [ms, found] of [
      [1_000, google?.all?.p50Ms],
      [1_000, google?.all?.p95Ms],
      [60_000, google?.all?.p99Ms],
      [5_000, microsoft?.points[1]?.p50Ms],
    ] as const) {
      const [least, most] = close(ms);
      expect(found).toBeGreaterThanOrEqual(least);
      expect(found).toBeLessThanOrEqual(most);
    }
    const total = await owner.counters.measureLatency(day);
    expect(total.series.map(({ value, all }) => [value, all?.count])).toEqual([["", 101n]]);
    expect(total.measuredSince).toBeUndefined();
  });

  it("combines values without their own series, or shows the requested ones", async () => {
    await happened(...["a", "a", "b", "c"].map((tag) => delivered(1, { tags: [tag] })));
    const top = await owner.counters.measureLatency({ ...day, dimension: "tag", top: 1 });
    expect(top.series.map(({ value, isOther, all }) => [value, isOther, all?.count])).toEqual([
      ["a", false, 2n],
      ["", true, 2n],
    ]);
    const asked = await owner.counters.measureLatency({ ...day, dimension: "tag", values: ["c", "none"] });
    expect(asked.series.map(({ value, all }) => [value, all?.count])).toEqual([
      ["c", 1n],
      ["none", 0n],
    ]);
  });

  it("covers only its own account", async () => {
    await happened(delivered(1));
    const other = identity.as({ session: (await identity.memberOf(await freshAccount())).token });
    expect((await other.counters.measureLatency(day)).series).toEqual([]);
  });
});

describe("counts of an updated installation", () => {
  it("report the time since which they are measured, if it is within their time range", async () => {
    const updated = await openIdentity();
    try {
      const { counters, accounts } = updated.operator;
      const { account } = await accounts.createAccount({ name: "Shop" });
      const nowMs = updated.time.clock.now().getTime();
      const from = (ms: number) => ({
        accountId: account?.id ?? "",
        from: timestampFromDate(new Date(nowMs - ms)),
        step: "hour",
      });
      const notes = updated.db.collection<{ _id: string }>("schema");
      const note = { version: 9, name: "", background: true, state: "running", done: 0 };
      await notes.insertOne({ _id: "migration.9", ...note } as never);
      const { measuredSince: unknown } = await counters.measureLatency(from(3 * HOUR_MS));
      expect(unknown && timestampDate(unknown).getTime()).toBeGreaterThanOrEqual(nowMs);

      const finishedAt = new Date(nowMs - 1.5 * HOUR_MS);
      await notes.updateOne({ _id: "migration.9" }, { $set: { state: "done", finishedAt } });
      const since = timestampFromDate(finishedAt);
      const before = from(4 * HOUR_MS);
      expect((await counters.measureLatency(before)).measuredSince).toEqual(since);
      expect((await counters.measureLatency(from(HOUR_MS / 4))).measuredSince).toBeUndefined();
      expect((await counters.countMessages(before)).measuredSince).toEqual(since);
      expect((await counters.countMessages({ ...before, dimension: "key" })).measuredSince).toEqual(since);
      const delivered = { ...before, kinds: ["delivered"] };
      expect((await counters.countMessages(delivered)).measuredSince).toBeUndefined();
    } finally {
      await updated.close();
    }
  });
});
