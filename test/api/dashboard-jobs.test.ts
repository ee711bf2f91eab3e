import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { beginJob } from "../../src/core/jobs/begin-job.ts";
import { jobKind } from "../../src/core/jobs/job-kind.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId));
});

/** Skips every third item. A step has seven items. */
const kind = jobKind<number>({
  kind: "test.thirds",
  prepare: async ({ params }) => ({ total: params.count as number, place: 0 }),
  step: async ({ params }, place) => {
    const end = Math.min(place + 7, params.count as number);
    const results = Array.from({ length: end - place }, (_, n) => ({
      item: `item-${place + n}`,
      ...((place + n) % 3 === 0
        ? { outcome: "skipped" as const, code: "message.not_cancellable", message: "It is delivered." }
        : { outcome: "done" as const }),
    }));
    return { results, next: end === params.count ? undefined : end };
  },
});

async function begin(count: number, permission = "messages.write", of = kind.kind): Promise<string> {
  const { store, time } = world.identity;
  const wanted = { kind: of, params: { count }, about: { action: "count" }, permission };
  time.pass(1);
  const audit = { ...testAudit, now: () => time.clock.now() };
  return (await beginJob(store.forAccount(accountId), wanted, { audit }))._id;
}

async function run(): Promise<void> {
  const { store, time } = world.identity;
  const { signal } = new AbortController();
  const parts = { clock: time.clock, timers: time.timers, log: createLogger("silent"), signal };
  await createRunJobs({ jobs: store.acrossAccounts.jobs, kinds: [kind], ...parts })();
}

const get = (path: string, as = token) => world.ask("GET", `/api/jobs${path}`, { token: as });

it("shows the progress of a job and the results of its items, in pages", async () => {
  const id = await begin(20);
  const { body: queued } = await get(`/${id}`);
  expect(queued).toMatchObject({ id, account_id: accountId, kind: "test.thirds", state: "queued", done: 0 });
  expect(queued).toMatchObject({ about: { action: "count" }, started_by_kind: "operator" });
  expect(queued).not.toHaveProperty("total");
  await run();
  const { body: over } = await get(`/${id}`);
  expect(over).toMatchObject({ state: "succeeded", total: 20, done: 13, skipped: 7, failed: 0 });

  for (const [query, expected] of [
    ["", Array.from({ length: 20 }, (_, n) => `item-${n}`)],
    ["outcome=skipped&", [0, 3, 6, 9, 12, 15, 18].map((n) => `item-${n}`)],
    ["outcome=failed&", []],
  ] as const) {
    for (const limit of [1, 2, 7, 100]) {
      const items: string[] = [];
      let cursor = "";
      do {
        const { body } = await get(
          `/${id}/results?${query}limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`,
        );
        items.push(...body.data.map(({ item }: { item: string }) => item));
        cursor = body.next_cursor ?? "";
      } while (cursor !== "");
      expect([query, limit, items]).toEqual([query, limit, expected]);
    }
  }
  const { body: skipped } = await get(`/${id}/results?outcome=skipped&limit=1`);
  expect(skipped.data).toEqual([
    { item: "item-0", outcome: "skipped", code: "message.not_cancellable", message: "It is delivered." },
  ]);
});

it("lists jobs newest first, also by state", async () => {
  const ids = [await begin(1), await begin(1)];
  await run();
  ids.push(await begin(1));
  const listed = async (query: string) =>
    (await get(query)).body.data.map(({ id }: { id: string }) => id) as string[];
  expect(await listed("")).toEqual(ids.toReversed());
  expect(await listed("?state=succeeded")).toEqual([ids[1], ids[0]]);
  const { body } = await get("?limit=2");
  expect(await listed(`?limit=2&cursor=${body.next_cursor}`)).toEqual([ids[0]]);
  for (const wrong of ["?state=asleep", "?cursor=job_1", `/${ids[0]}/results?outcome=none`])
    expect((await get(wrong)).status).toBe(422);
});

it("lists jobs by kind, also together with their state, in pages", async () => {
  const kinds = ["message.bulk", "webhook.replay", "message.bulk", "message.bulk"];
  const ids: string[] = [];
  for (const one of kinds) ids.push(await begin(1, "messages.write", one));
  expect((await world.ask("POST", `/api/jobs/${ids[2]}/cancel`, { token })).status).toBe(200);
  const listed = async (query: string) =>
    (await get(query)).body.data.map(({ id }: { id: string }) => id) as string[];
  expect(await listed("?kind=message.bulk")).toEqual([ids[3], ids[2], ids[0]]);
  expect(await listed("?kind=webhook.replay")).toEqual([ids[1]]);
  expect(await listed("?kind=report.generate")).toEqual([]);
  expect(await listed("?kind=message.bulk&state=queued")).toEqual([ids[3], ids[0]]);
  expect(await listed("?kind=message.bulk&state=cancelled")).toEqual([ids[2]]);
  expect(await listed("?kind=webhook.replay&state=cancelled")).toEqual([]);
  const { body } = await get("?kind=message.bulk&limit=2");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[3], ids[2]]);
  expect(await listed(`?kind=message.bulk&limit=2&cursor=${body.next_cursor}`)).toEqual([ids[0]]);
  for (const wrong of ["message", "message.bulk ", "message.sleep"]) {
    const { status, body: refusal } = await get(`?kind=${encodeURIComponent(wrong)}`);
    expect([status, refusal.code]).toEqual([422, "request.validation_failed"]);
  }
});

it("answers 404 for a job of another account", async () => {
  const id = await begin(1);
  const { account } = await world.identity.operator.accounts.createAccount({ name: "Other" });
  const { token: stranger } = await world.identity.memberOf(account?.id ?? "");
  const unknown = await get("/job_01k9z4c3r8h2v6y0n5t7w1x3q9", stranger);
  for (const path of [`/${id}`, `/${id}/results`]) {
    const { status, body } = await get(path, stranger);
    expect([status, body.code, body.detail]).toEqual([404, "job.unknown", unknown.body.detail]);
  }
  const cancelled = await world.ask("POST", `/api/jobs/${id}/cancel`, { token: stranger });
  expect(cancelled.status).toBe(404);
  expect((await get("", stranger)).body.data).toEqual([]);
  expect((await get(`/${id}`)).body.state).toBe("queued");
});

it("can be cancelled by members who may start the job", async () => {
  const cancel = (id: string, as: string) => world.ask("POST", `/api/jobs/${id}/cancel`, { token: as });
  const { token: support } = await world.identity.memberOf(accountId, "support");
  const { token: viewer } = await world.identity.memberOf(accountId, "viewer");
  const [messages, account] = [await begin(1), await begin(1, "account.delete")];
  expect((await cancel(messages, viewer)).body.code).toBe("auth.permission_missing");
  expect((await cancel(account, support)).body).toMatchObject({
    code: "auth.permission_missing",
    detail: "Cancelling this job needs the permission account.delete, as starting it did.",
  });
  for (const _ of [1, 2]) {
    const { status, body } = await cancel(messages, support);
    expect([status, body.state]).toEqual([200, "cancelled"]);
  }
  expect((await get(`/${account}`)).body.state).toBe("queued");
  await run();
  const over = await cancel(account, token);
  expect([over.status, over.body.code]).toEqual([422, "job.ended"]);
});
