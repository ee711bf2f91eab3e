import { afterAll, beforeAll, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let token: string;
let accountId: string;

beforeAll(async () => {
  world = await openDashboard();
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId, "support"));
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  const policy = { name: "news", default: true, transports };
  await world.identity.operator.policies.putPolicy({ accountId, policy });
});
afterAll(() => world.close());

const path = "/api/suppressions";
const post = (at: string, body: unknown) => world.ask("POST", `${path}${at}`, { token, body });
const get = (at: string) => world.ask("GET", `${path}${at}`, { token });
const pointers = (problem: { errors?: readonly { pointer: string }[] }) =>
  problem.errors?.map(({ pointer }) => pointer);

it("an entry is added, read, found and removed", async () => {
  const added = await post("", {
    address: "Ann@example.net",
    reason: "unsubscribe",
    policy: "news",
    detail: "by phone",
    expire_at: "2126-01-02T03:04:05Z",
  });
  expect(added.status).toBe(200);
  const { suppression, outcome } = added.body;
  expect(outcome).toBe("added");
  expect(suppression).toEqual({
    id: expect.stringMatching(/^sup_[\w-]+$/),
    account_id: accountId,
    address: "Ann@example.net",
    reason: "unsubscribe",
    policy: "news",
    message_id: "",
    detail: "by phone",
    created_at: expect.any(String),
    expire_at: "2126-01-02T03:04:05Z",
  });
  expect((await get(`/${suppression.id}`)).body).toEqual(suppression);
  for (const query of ["address=ann@EXAMPLE.net", "domain=@example.net&policy=news", "reason=unsubscribe"])
    expect((await get(`?${query}`)).body).toEqual({ data: [suppression], has_more: false });
  for (const query of ["scope=account", "message_id=msg_1", "domain=example.org", "reason=complaint"])
    expect((await get(`?${query}`)).body.data).toEqual([]);
  const { status, body } = await world.ask("DELETE", `${path}/${suppression.id}`, { token });
  expect([status, body.suppression, body.remaining]).toEqual([200, suppression, []]);
  expect(body.notice).toBe(
    'Mail of the policy "news" to Ann@example.net is sent again, starting with the next attempt. Messages that were suppressed before are not sent.',
  );
  expect((await get(`/${suppression.id}`)).problem.code).toBe("suppression.unknown");
});

it("many entries are added, listed in pages, and removed", async () => {
  const addresses = ["c@example.org", "a@example.org", "no address", "b@example.org"];
  const { body } = await post("/add", { addresses, reason: "complaint" });
  expect(body.results.map((one: { outcome: string }) => one.outcome)).toEqual([
    ...["added", "added", "refused", "added"],
  ]);
  expect(body.results[2]).toMatchObject({
    address: "no address",
    pointer: "/addresses/2",
    suppression_id: "",
  });
  const first = (await get("?domain=example.org&limit=2")).body;
  expect(first).toMatchObject({ has_more: true, data: [{ address: "a@example.org" }, {}] });
  const second = (await get(`?domain=example.org&limit=2&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ has_more: false, data: [{ address: "c@example.org" }] });
  const removed = (await post("/remove", { addresses })).body.results;
  expect(removed.map((one: { outcome: string }) => one.outcome)).toEqual([
    ...["removed", "removed", "refused", "removed"],
  ]);
});

it("an import has a preview", async () => {
  const csv = "email,reason,size\r\nd@example.com,spam,3\r\nnobody,,\r\n";
  const preview = (await post("/import", { csv, preview: true })).body;
  expect(preview).toMatchObject({
    preview: true,
    counts: { added: 1, strengthened: 0, already_there: 0, refused: 1 },
    columns: [{ field: "address" }, { field: "reason" }, { name: "size", field: "" }],
    rows: [
      { row: 2, address: "d@example.com", outcome: "added", code: "" },
      { row: 3, outcome: "refused", code: "address.missing_at", field: "address" },
    ],
  });
  expect((await get("?domain=example.com")).body.data).toEqual([]);
  expect((await post("/import", { csv })).body).toEqual({ ...preview, preview: false });
  expect((await get("?domain=example.com")).body.data).toMatchObject([{ reason: "complaint" }]);
});

it("an export is a CSV file with only the entries of the filter", async () => {
  await post("/add", { addresses: ["+x@example.info", "@example.info", "y@example.info"] });
  const answer = await get("/export?domain=example.info&scope=account");
  expect(answer.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="suppressions.csv"',
  });
  const lines = String(answer.body).split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    ...["address", "'+x@example.info", "'@example.info", "y@example.info", ""],
  ]);
});

it.each([
  ["GET", "?address=nobody", undefined, ["/address"]],
  ["GET", "?cursor=x", undefined, ["/cursor"]],
  ["GET", "?reason=boredom", undefined, ["/reason"]],
  ["GET", "?scope=account&policy=news", undefined, ["/policy"]],
  ["GET", "/export?domain=x", undefined, ["/domain"]],
  ["POST", "", { address: "a", reason: "b", detail: "\n" }, ["/address", "/reason", "/detail"]],
  ["POST", "", { address: "a@b.example", expire_at: "tomorrow" }, ["/expire_at"]],
  ["POST", "", { address: "a@b.example", color: 1 }, ["/color"]],
  ["POST", "", { address: "a@b.example", policy: "none" }, ["/policy"]],
  ["POST", "/add", { addresses: [] }, ["/addresses"]],
  ["POST", "/remove", { addresses: Array(1001).fill("a@b.example") }, ["/addresses"]],
  ["POST", "/import", { csv: 'email\n"a' }, ["/csv"]],
  ["POST", "/import", { csv: "a@b.example", reason: "boredom" }, ["/reason"]],
] as const)("refuses %s %s %j with the field", async (method, at, body, where) => {
  const { status, problem } = await world.ask(method, `${path}${at}`, { token, ...(body && { body }) });
  expect([status, pointers(problem)]).toEqual([422, where]);
});
