import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccountDeletions } from "../../src/core/accounts/delete-account.ts";
import { newTraceId, traceTime } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { answered, type RequestInit } from "../harness/logged-requests.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";

type Filter = NonNullable<Parameters<Identity["operator"]["requests"]["listRequests"]>[0]["filter"]>;

const DAY_MS = 86_400_000;
const RETENTION_MS = 7 * 86_400_000;

let identity: Identity;
let accountId: string;
let batches = 0;

beforeAll(async () => {
  identity = await openIdentity();
  // The first account is the operator's, and stays; the others are created later.
  await identity.operator.accounts.createAccount({ name: "Operator" });
  identity.time.pass(1);
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
});

const now = () => identity.time.clock.now();

/** A request of that time, which is also in its trace id. */
function request(at: Date, changes: RequestInit = {}) {
  return {
    accountId,
    at: timestampFromDate(at),
    keyId: "key_1",
    method: "POST",
    route: "/v1/email/send",
    status: 202,
    code: "",
    traceId: newTraceId(at),
    count: 1,
    ...changes,
  };
}

async function record(requests: readonly ReturnType<typeof request>[], batchId = `batch ${batches++}`) {
  for (let from = 0; from < requests.length; from += 1_000) {
    const part = requests.slice(from, from + 1_000);
    await identity.frontEnd.requests.recordRequests({
      batchId: `${batchId}.${from}`,
      answered: part.map(answered),
    });
  }
}

const list = (filter: Filter = {}, pageSize = 1_000, pageToken = "") =>
  identity.operator.requests.listRequests({ accountId, filter, pageSize, pageToken });

/** All pages of a search, with actions between them. */
async function pages(filter: Filter, pageSize: number, between = async () => {}): Promise<string[]> {
  const found: string[] = [];
  let token = "";
  do {
    const { requests, nextPageToken } = await list(filter, pageSize, token);
    expect(requests.length).toBeLessThanOrEqual(pageSize);
    found.push(...requests.map(({ traceId }) => traceId));
    token = nextPageToken;
    if (token !== "") await between();
  } while (token !== "");
  return found;
}

describe("a request", () => {
  it("is returned with all its data, in the list and by its id", async () => {
    const at = now();
    const whole = {
      messageId: "msg_1",
      durationMs: 12,
      clientAddress: "192.0.2.1",
      bodyBytes: 900,
      replayed: true,
    };
    const given = request(at, whole);
    await record([given]);
    const [shown] = (await list()).requests;
    expect(shown).toMatchObject({ ...given, id: expect.stringMatching(/^req_\w{26}\.0$/) });
    const alone = await identity.operator.requests.getRequest({ accountId, id: shown?.id ?? "" });
    expect(alone.request).toEqual(shown);
  });

  it("with the same answer as others is sent together with them; beyond the limits, the last one stands for all", async () => {
    const at = now();
    const [first, second] = [newTraceId(at), newTraceId(new Date(at.getTime() + 5))];
    const { at: _, ...alike } = answered(request(at));
    const both = {
      messageIds: ["msg_1", ""],
      clientAddresses: ["192.0.2.1", "192.0.2.2"],
      replayed: [false, true],
    };
    const lists = { traceIds: [first, second], durationsMs: [1, 2], bodyBytes: [3, 4], lastCount: 70 };
    const batch = { batchId: "alike", answered: [{ ...alike, ...both, ...lists }] };
    await identity.frontEnd.requests.recordRequests(batch);
    const [last, one] = (await list()).requests;
    expect(one).toMatchObject({
      traceId: first,
      messageId: "msg_1",
      clientAddress: "192.0.2.1",
      durationMs: 1,
    });
    expect(one).toMatchObject({ at: timestampFromDate(at), bodyBytes: 3, replayed: false, count: 1 });
    expect(last).toMatchObject({ traceId: second, messageId: "", clientAddress: "192.0.2.2", durationMs: 2 });
    expect(last).toMatchObject({ bodyBytes: 4, replayed: true, count: 70 });
  });

  it("is recorded once, for any number of repetitions of its batch", async () => {
    const batch = { batchId: "the same", answered: [request(now()), request(now())].map(answered) };
    for (const _ of [1, 2, 3]) await identity.frontEnd.requests.recordRequests(batch);
    expect((await list()).requests).toHaveLength(2);
  });

  it("of an unknown account is not recorded, and does not stop the others", async () => {
    await record([request(now(), { accountId: "acc_gone" }), request(now())]);
    expect((await list()).requests).toHaveLength(1);
    expect(await identity.db.collection("requests").countDocuments({ accountId: "acc_gone" })).toBe(0);
  });

  it.each(["", "req_1", "key_1.0", `req_${"0".repeat(26)}.0`, `req_${"0".repeat(26)}.9999`])(
    "is unknown by the id %j",
    async (id) => {
      const asked = identity.operator.requests.getRequest({ accountId, id });
      await expect(asked).rejects.toMatchObject({ code: "request.unknown" });
    },
  );

  it("is removed after its retention time, and with its account", async () => {
    await record([request(now())]);
    const stored = identity.db.collection("requests");
    const document = await stored.findOne({ accountId });
    expect(document?.expireAt.getTime() - now().getTime()).toBe(RETENTION_MS);
    await identity.operator.accounts.deleteAccount({ accountId });
    const step = createAccountDeletions({
      store: identity.store,
      clock: identity.time.clock,
      log: createLogger("silent"),
      proofMs: DAY_MS,
    });
    for (let turn = 0; turn < 5; turn++) {
      identity.time.pass(DAY_MS);
      await step();
    }
    expect(await stored.countDocuments({ accountId })).toBe(0);
  });
});

it("an invalid batch is refused completely", async () => {
  const { requests } = identity.frontEnd;
  const one = answered(request(now()));
  const many = Array.from({ length: 1_001 }, () => one);
  const { at: _, ...rest } = one;
  const timeless = { ...rest, traceIds: ["sx_1"] };
  const uneven = { ...one, replayed: [] };
  for (const [batchId, batch, pointer] of [
    ["", [one], "/batch_id"],
    ["x".repeat(101), [one], "/batch_id"],
    ["none", [], "/answered"],
    ["empty", [{ accountId }], "/answered"],
    ["many", many, "/answered"],
    ["whose", [one, { ...one, accountId: "" }], "/answered/1/account_id"],
    ["when", [one, timeless], "/answered/1/at"],
    ["lists", [one, uneven], "/answered/1"],
  ] as const) {
    const recording = requests.recordRequests({ batchId, answered: [...batch] });
    await expect(recording).rejects.toMatchObject({ errors: [{ pointer }] });
  }
  expect((await list()).requests).toEqual([]);
});

describe("a search", () => {
  it.each([
    [{ status: "4x" }, "/filter/status"],
    [{ status: "600" }, "/filter/status"],
    [{ traceId: "sx_1" }, "/filter/trace_id"],
    [{ keyId: "k".repeat(201) }, "/filter/key_id"],
  ])("for %j is refused with its errors", async (filter, pointer) => {
    await expect(list(filter)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("requires an end after its start, and a valid cursor", async () => {
    const at = timestampFromDate(now());
    await expect(list({ from: at, until: at })).rejects.toMatchObject({
      errors: [{ pointer: "/filter/until" }],
    });
    for (const token of ["req_1.0", "x", `acc_${"0".repeat(26)}.1`])
      await expect(list({}, 10, token)).rejects.toMatchObject({ errors: [{ pointer: "/page_token" }] });
  });

  it("has the same result as a plain filter, newest first and page by page, while others are added", async () => {
    const random = seeded(7);
    const any = <T>(...choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T;
    const start = now().getTime();
    const made = Array.from({ length: 1_500 }, (_, n) => {
      const [status, code] = any(
        [202, ""],
        [202, ""],
        [422, "request.validation_failed"],
        [403, "auth.scope_missing"],
        [503, "core.unavailable"],
      ) as [number, string];
      return request(new Date(start + n * 20), {
        keyId: any("key_1", "key_2", "key_3"),
        method: any("POST", "GET"),
        route: any("/v1/email/send", "/v1/send"),
        status,
        code,
      });
    });
    // As sent by several front ends: in batches of any size, with overlapping times.
    const halves = [made.filter((_, n) => n % 3 !== 0), made.filter((_, n) => n % 3 === 0)];
    for (const half of halves) {
      for (let from = 0; from < half.length; ) {
        const size = 1 + Math.floor(random() * 90);
        await record(half.slice(from, from + size));
        from += size;
      }
    }
    let later = start + made.length * 20;
    const meanwhile = async () => {
      later += 300;
      await record([request(new Date(later), { keyId: "key_2", status: 422 })]);
    };
    for (let round = 0; round < 40; round++) {
      const one = any(...made);
      const [from, until] = [random() * 30_000, random() * 30_000].sort((a, b) => a - b) as [number, number];
      const filter = {
        ...(any(true, false) && { keyId: one.keyId }),
        ...(any(true, false, false) && { method: one.method }),
        ...(any(true, false, false) && { route: one.route }),
        ...(any(true, false) && { status: any(String(one.status), `${Math.floor(one.status / 100)}xx`) }),
        ...(any(true, false, false) && { code: one.code }),
        ...(random() < 0.1 && { traceId: one.traceId }),
        ...(any(true, false) && { from: timestampFromDate(new Date(start + from)) }),
        ...(any(true, false) && { until: timestampFromDate(new Date(start + until + 1)) }),
      };
      const found = await pages(filter, any(1, 7, 50, 1_000) === 1 ? 25 : any(7, 50, 1_000), meanwhile);
      const known = new Map(made.map((each) => [each.traceId, each]));
      const ofMade = found.filter((traceId) => known.has(traceId));
      const wanted = made.filter((each) => isMeant(each, filter)).map(({ traceId }) => traceId);
      expect(new Set(found).size).toBe(found.length);
      expect(ofMade.toSorted()).toEqual(wanted.toSorted());
      // The times of one document are within a second, which limits the difference between several front ends.
      const times = ofMade.map((traceId) => traceTime(traceId)?.getTime() ?? 0);
      for (const [n, time] of times.entries()) expect(time).toBeLessThan((times[n - 1] ?? time) + 2_000);
    }
  });

  it("of the requests of one front end keeps their order", async () => {
    const start = now().getTime();
    const made = Array.from({ length: 1_000 }, (_, n) => request(new Date(start + Math.floor(n / 4))));
    await record(made.toReversed());
    const times = (await pages({}, 300)).map((traceId) => traceTime(traceId)?.getTime() ?? 0);
    expect(times).toHaveLength(1_000);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it("reads a limited number at once, and can continue after an empty page", async () => {
    const start = now().getTime();
    // One document each, because they are seconds apart.
    const made = Array.from({ length: 450 }, (_, n) => request(new Date(start + n * 2_000)));
    await record(made);
    const [oldest] = made;
    const filter = { method: "GET" };
    await record([request(new Date(start - 5_000), filter)]);
    const first = await list(filter, 10);
    expect(first.requests).toEqual([]);
    expect(first.nextPageToken).not.toBe("");
    expect(await pages(filter, 10)).toHaveLength(1);
    expect(await pages({ traceId: oldest?.traceId ?? "" }, 10)).toEqual([oldest?.traceId]);
  });

  it("skips a damaged document", async () => {
    const start = now().getTime();
    await record(Array.from({ length: 30 }, (_, n) => request(new Date(start + n * 2_000))));
    const stored = identity.db.collection("requests");
    const [, damaged] = await stored.find({ accountId }).sort({ _id: -1 }).limit(2).toArray();
    await damage(identity.db, "requests", damaged?._id, invalidUtf8("/v1/email/send"));
    expect(await pages({}, 5)).toHaveLength(29);
  });
});

/** Reference implementation. */
function isMeant(one: ReturnType<typeof request>, filter: Filter): boolean {
  const time = traceTime(one.traceId ?? "")?.getTime() ?? 0;
  const ms = (at: Filter["from"]) => Number(at?.seconds) * 1_000 + (at?.nanos ?? 0) / 1e6;
  const wanted = filter.status ?? "";
  return (
    (!filter.keyId || filter.keyId === one.keyId) &&
    (!filter.method || filter.method === one.method) &&
    (!filter.route || filter.route === one.route) &&
    (!filter.code || filter.code === one.code) &&
    (!filter.traceId || filter.traceId === one.traceId) &&
    (wanted === "" || wanted === String(one.status) || wanted === `${String(one.status)[0]}xx`) &&
    (!filter.from || time >= ms(filter.from)) &&
    (!filter.until || time < ms(filter.until))
  );
}

/** Mulberry32: the same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
