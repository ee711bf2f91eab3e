import { expect, it } from "vitest";
import { fault } from "../shared/fault.ts";
import { newTraceId } from "../shared/ids.ts";
import {
  type AnsweredRequest,
  createRequestCollector,
  ENTRIES_OF_ACCOUNT,
  MOST_ACCOUNTS,
  MOST_ENTRIES,
  MOST_GROUPS,
  REFUSALS_OF_ACCOUNT,
  type RequestBatch,
} from "./request-collector.ts";

/** An entry, as the core makes it of the lists. */
interface Entry {
  readonly accountId: string;
  readonly keyId: string;
  readonly route: string;
  readonly status: number;
  readonly traceId: string;
  readonly count: number;
}

function entriesOf({ answered }: RequestBatch): Entry[] {
  return answered.flatMap(({ traceIds, lastCount, accountId, keyId, route, status }) =>
    traceIds.map((traceId, n) => {
      const count = n === traceIds.length - 1 ? Math.max(1, lastCount) : 1;
      return { accountId, keyId, route, status, traceId, count };
    }),
  );
}

/** A collector, what it has handed over, and a time that stands still. */
function setUp() {
  let ms = 0;
  let away: Error | undefined;
  let leftOut = 0;
  const handed: RequestBatch[] = [];
  const attempted: string[] = [];
  const clock = { now: () => new Date(1_800_000_000_000 + ms), monotonicMs: () => ms };
  const collector = createRequestCollector({
    clock,
    send: async (batch) => {
      attempted.push(batch.batchId);
      if (away) throw away;
      handed.push(batch);
    },
    onLeftOut: (count) => {
      leftOut += count;
    },
  });
  const request = (changes: Partial<AnsweredRequest> = {}, accountId = "acc_1", keyId = "key_1") => ({
    owner: { keyId, accountId },
    method: "POST",
    route: "/v1/email/send",
    status: 202,
    code: "",
    traceId: newTraceId(clock.now()),
    messageId: "",
    durationMs: 1,
    clientAddress: "192.0.2.1",
    bodyBytes: 10,
    replayed: false,
    ...changes,
  });
  return {
    collector,
    request,
    attempted,
    batches: handed,
    entries: () => handed.flatMap(entriesOf),
    leftOut: () => leftOut,
    pass: (by: number) => {
      ms += by;
    },
    goAway: (error: Error | undefined) => {
      away = error;
    },
  };
}

const sum = (entries: readonly Entry[]) => entries.reduce((total, { count }) => total + count, 0);

it("sends each request to the core once, and sends no empty batch", async () => {
  const { collector, request, batches } = setUp();
  await collector.flush();
  expect(batches).toEqual([]);
  const [one, other] = [
    request(),
    request({ messageId: "msg_1", durationMs: 7, bodyBytes: 3, replayed: true }),
  ];
  collector.add(one);
  collector.add(other);
  await collector.flush();
  await collector.flush();
  expect(batches).toHaveLength(1);
  expect(batches[0]?.answered).toEqual([
    {
      accountId: "acc_1",
      keyId: "key_1",
      method: "POST",
      route: "/v1/email/send",
      status: 202,
      code: "",
      traceIds: [one.traceId, other.traceId],
      messageIds: ["", "msg_1"],
      clientAddresses: ["192.0.2.1", "192.0.2.1"],
      durationsMs: [1, 7],
      bodyBytes: [10, 3],
      replayed: [false, true],
      lastCount: 0,
    },
  ]);
});

it("a client in a loop has a limited number of entries in ten seconds, and a count of its other requests", async () => {
  const { collector, request, entries, leftOut, pass } = setUp();
  const refused = { status: 403, code: "auth.scope_missing" };
  for (let second = 0; second < 3; second++) {
    for (let n = 0; n < 10_000; n++) collector.add(request(refused));
    await collector.flush();
    pass(10_000);
  }
  expect(entries()).toHaveLength(3 * (REFUSALS_OF_ACCOUNT + 1));
  expect(entries().filter(({ count }) => count > 1)).toMatchObject(
    Array.from({ length: 3 }, () => ({ status: 403, keyId: "key_1", count: 10_000 - REFUSALS_OF_ACCOUNT })),
  );
  expect(leftOut()).toBe(0);
});

it("refusals take no entry from what is accepted, nor one account from another", async () => {
  const { collector, request, entries } = setUp();
  for (let n = 0; n < 5_000; n++) collector.add(request({ status: 422, code: "field.invalid" }));
  for (let n = 0; n < 500; n++) collector.add(request());
  collector.add(request({ status: 422 }, "acc_2"));
  await collector.flush();
  expect(entries().filter(({ status }) => status === 202)).toHaveLength(500);
  expect(entries().filter(({ accountId }) => accountId === "acc_2")).toMatchObject([{ count: 1 }]);
});

it("a window is ten seconds, however often it is handed over within", async () => {
  const { collector, request, entries, pass } = setUp();
  for (let n = 0; n < 10; n++) {
    for (let each = 0; each < ENTRIES_OF_ACCOUNT / 2; each++) collector.add(request());
    await collector.flush();
    pass(999);
  }
  expect(entries().filter(({ count }) => count === 1)).toHaveLength(ENTRIES_OF_ACCOUNT);
  expect(sum(entries())).toBe(5 * ENTRIES_OF_ACCOUNT);
});

it("keeps a limited number while the core is unavailable, and logs how many are missing", async () => {
  const { collector, request, entries, batches, leftOut, pass, goAway } = setUp();
  goAway(fault("core.unavailable"));
  let added = 0;
  for (let second = 0; second < 60; second++) {
    for (let account = 0; account < 20; account++) {
      for (let n = 0; n < 200; n++, added++)
        collector.add(request({ code: `code.${n % 90} ${second}`, status: 503 }, `acc_${account}`));
    }
    await expect(collector.flush()).rejects.toMatchObject({ code: "core.unavailable" });
    pass(1_000);
  }
  goAway(undefined);
  await collector.flush();
  await collector.flush();
  const most = 2 * (MOST_ENTRIES + MOST_GROUPS + 20);
  expect(entries().length).toBeLessThanOrEqual(most);
  for (const batch of batches) expect(entriesOf(batch).length).toBeLessThanOrEqual(1_000);
  // Each request is in an entry or in a count, exactly once.
  expect(sum(entries())).toBe(added);
  const notes = entries().filter(({ route }) => route === "");
  expect(notes.length).toBeGreaterThan(0);
  expect(sum(notes)).toBe(leftOut());
});

it("a batch that could not be sent is sent again under its name", async () => {
  const { collector, request, entries, attempted, goAway } = setUp();
  goAway(fault("core.timeout"));
  collector.add(request());
  await expect(collector.flush()).rejects.toMatchObject({ code: "core.timeout" });
  collector.add(request());
  await expect(collector.flush()).rejects.toMatchObject({ code: "core.timeout" });
  goAway(undefined);
  await collector.flush();
  await collector.flush();
  const [first, second, third, fourth] = attempted;
  expect([first, first]).toEqual([second, third]);
  expect(fourth).not.toBe(first);
  expect(entries()).toHaveLength(2);
});

it("a batch that the core refuses is dropped, and the next ones are sent", async () => {
  const { collector, request, entries, leftOut, goAway } = setUp();
  goAway(fault("request.validation_failed"));
  collector.add(request());
  await collector.flush();
  expect(leftOut()).toBe(1);
  goAway(undefined);
  collector.add(request());
  await collector.flush();
  expect(entries()).toHaveLength(1);
});

it("keeps a limited number of accounts and kinds of answers apart, and counts the others", async () => {
  const { collector, request, entries, leftOut, pass } = setUp();
  for (let n = 0; n < MOST_ACCOUNTS; n++) collector.add(request({}, `acc_${n}`));
  expect(MOST_GROUPS).toBe(MOST_ACCOUNTS);
  for (let n = 0; n < 7; n++) collector.add(request({ code: `${n}` }, "acc_0"));
  for (let n = 0; n < 5; n++) collector.add(request({}, `acc_strange_${n}`));
  expect(leftOut()).toBe(12);
  await collector.flush();
  expect(entries()).toHaveLength(MOST_ACCOUNTS + 1);
  expect(entries().at(-1)).toMatchObject({ accountId: "acc_0", route: "", status: 0, count: 7 });
  pass(10_000);
  await collector.flush();
  collector.add(request({}, "acc_new"));
  await collector.flush();
  expect(entries().at(-1)).toMatchObject({ accountId: "acc_new", route: "/v1/email/send", count: 1 });
});
