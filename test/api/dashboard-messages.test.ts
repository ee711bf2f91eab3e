import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { phrase } from "../../src/shared/phrase.ts";
import type { EventDocument, MessageDocument } from "../../src/store/message-documents.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId, "viewer")).token;
});

/** Stores messages, each one second older than the previous one. */
async function stored(...changes: Partial<MessageDocument>[]): Promise<string[]> {
  const now = world.identity.time.clock.now();
  const documents = changes.map((change, index) => {
    const at = new Date(now.getTime() - index * 1_000);
    const _id = newIdInBucket("msg", at, 1);
    return queuedMessage(at, { _id, bucket: 1, accountId, ...change });
  });
  await world.identity.store.acrossAccounts.messages.insertMany(documents);
  return documents.map(({ _id }) => _id);
}

/** Stores an event of a message, by its id. */
async function happened(_id: string, facts: Partial<EventDocument>): Promise<void> {
  const [messageId = "", attempt, kind] = _id.split(".");
  const at = world.identity.time.clock.now();
  const event = { _id, messageId, kind: kind as EventDocument["kind"], attempt: Number(attempt), at };
  const expireAt = new Date(at.getTime() + 86_400_000);
  const { events } = world.identity.store.forAccount(accountId);
  await events.insertMissing([{ ...event, traceId: "sx_1", expireAt, ...facts }]);
}

const query = (q: string) => `q=${encodeURIComponent(q)}`;
const search = (query: string) => world.ask("GET", `/api/messages?${query}`, { token });

async function found(query: string): Promise<string[]> {
  const { status, body } = await search(query);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
}

describe("messages, in the dashboard", () => {
  it("are found by their fields, in any combination", async () => {
    const [a, b, c] = await stored(
      {
        recipient: "ada@example.com",
        subject: "Your order has shipped",
        tags: ["shop", "eu"],
        state: "delivered",
      },
      {
        recipient: "grace@example.org",
        recipientDomain: "example.org",
        subject: "Order 17",
        tags: ["shop"],
        metadata: { order: "17=x" },
      },
      { recipient: "ada@other.example", from: "no-reply@shop.example", state: "bounced", category: "spam" },
    );
    expect(await found("")).toEqual([a, b, c]);
    expect(await found("recipient=ada")).toEqual([a, c]);
    expect(await found("recipient=ADA@EXAMPLE.com")).toEqual([a]);
    expect(await found(`recipient=${encodeURIComponent("@example.org")}`)).toEqual([b]);
    expect(await found("sender=shop+reply")).toEqual([c]);
    expect(await found("subject=ORDER")).toEqual([a, b]);
    expect(await found("subject=order+shipped")).toEqual([a]);
    expect(await found("tag=shop")).toEqual([a, b]);
    expect(await found("tag=shop&tag=eu")).toEqual([a]);
    expect(await found(`metadata=${encodeURIComponent("order=17=x")}`)).toEqual([b]);
    expect(await found("state=bounced&state=delivered")).toEqual([a, c]);
    expect(await found("state=bounced&category=spam&recipient=ada")).toEqual([c]);
    expect(await found("state=bounced&category=policy")).toEqual([]);
    expect(await found(`message_id=${b}&subject=order`)).toEqual([b]);
    expect(await found(query("grace"))).toEqual([b]);
    expect(await found(query("shop other"))).toEqual([c]);
    expect(await found(query('shop to:@other.example subject:"welcome"'))).toEqual([]);
    expect(await found(`${query("order")}&tag=eu`)).toEqual([a]);
    expect(await found(query("order state:queued state:delivered tag:shop"))).toEqual([a, b]);
    expect(await found(query("meta:order=17=x"))).toEqual([b]);
    expect(await found(query(`${b} order`))).toEqual([b]);
    expect(await found(query(`<${a}@example.com>`))).toEqual([a]);
    expect(await found("provider=Example.org")).toEqual([b]);
    expect(await found("provider=google")).toEqual([]);
    expect(await found("opened=no&clicked=no&tag=eu")).toEqual([a]);
    expect(await found("opened=yes")).toEqual([]);
    const { body } = await search("subject=shipped");
    expect(body).toMatchObject({
      data: [{ id: a, state: "delivered", tags: ["shop", "eu"] }],
      has_more: false,
    });
  });

  it("are exported by the filters of the search, in files with a name and a type", async () => {
    const [, b] = await stored({ tags: ["a"] }, { tags: ["b"] });
    const csv = await world.ask("GET", "/api/messages/export?tag=b", { token });
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="messages.csv"',
    });
    expect(csv.body).toMatch(new RegExp(`^id,trace_id,[^\n]+\r\n${b},[^\n]+\r\n$`));
    const { headers, body } = await world.ask("GET", "/api/messages/export?tag=b&format=ndjson", { token });
    expect(headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    expect(JSON.parse(body).id).toBe(b);
  });

  it.each([
    ["format=xml", "/format"],
    ["state=gone", "/state/0"],
    ["limit=5", "/limit"],
    ["subject=%21", "/subject"],
  ])("are not exported with an invalid filter (%s)", async (query, pointer) => {
    const { status, problem } = await world.ask("GET", `/api/messages/export?${query}`, { token });
    expect([status, problem.code, problem.errors[0]?.pointer]).toEqual([
      422,
      "request.validation_failed",
      pointer,
    ]);
  });

  it("are listed in pages", async () => {
    const ids = await stored(...Array.from({ length: 5 }, () => ({ tags: ["shop"] })));
    const all: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await search(`tag=shop&limit=2${cursor && `&cursor=${cursor}`}`);
      all.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor ?? "";
      expect(body.has_more).toBe(cursor !== "");
      if (cursor === "") break;
    }
    expect(all).toEqual(ids);
  });

  it.each([
    ["state=gone", "/state/0"],
    ["source=fax", "/source"],
    ["recipient=%20-%20", "/recipient"],
    [`sender=${Array.from({ length: 21 }, (_, index) => `w${index}`).join("+")}`, "/sender"],
    ["subject=%21", "/subject"],
    [`tag=${"x".repeat(1_001)}`, "/tag/0"],
    [Array.from({ length: 21 }, (_, index) => `tag=${index}`).join("&"), "/tag"],
    ["metadata=order", "/metadata/0"],
    ["from=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z", "/until"],
    ["from=yesterday", "/from"],
    ["cursor=zzz", "/cursor"],
    ["subjet=order", "/subjet"],
    ["opened=maybe", "/opened"],
    ["q=form:ada", "/q"],
    ["q=%20", "/q"],
    [`q=${"x".repeat(1_001)}`, "/q"],
  ])("are not searched with an invalid filter (%s)", async (query, pointer) => {
    const { status, problem } = await search(query);
    expect(status).toBe(422);
    expect(problem.errors.map((error) => error.pointer)).toEqual([pointer]);
  });

  it("are not searched with an invalid query, and the error has its position", async () => {
    const { problem } = await search(query("order form:ada state:gone"));
    expect(problem.errors).toMatchObject([
      { pointer: "/q", code: "field.invalid", message: expect.stringContaining("(offset 6, length 8).") },
      { pointer: "/q", code: "field.invalid", message: expect.stringContaining("(offset 15, length 10).") },
    ]);
    const filter = { q: "form:ada" };
    const { token: support } = await world.identity.memberOf(accountId, "support");
    const bulk = await world.ask("POST", "/api/messages/bulk", {
      token: support,
      body: { action: "retry", filter },
    });
    expect(bulk.problem.errors.map(({ pointer }) => pointer)).toEqual(["/filter/q"]);
  });

  it("are shown with their events, by their own id or the submission's", async () => {
    const [id = ""] = await stored({ traceId: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9" });
    const { body } = await world.ask("GET", `/api/messages/${id}`, { token });
    expect(body).toMatchObject({
      message: { id, state: "queued" },
      timeline: [{ kind: "accepted", attempt: 0 }],
    });
    const byTrace = await world.ask("GET", "/api/messages/sx_01k9z4c3r8h2v6y0n5t7w1x3q9", { token });
    expect(byTrace.body).toEqual(body);
    const unknown = await world.ask("GET", "/api/messages/msg_1", { token });
    expect([unknown.status, unknown.problem.code]).toEqual([404, "message.unknown"]);
  });

  it("have the reply that led to their state, in the list, on their page and in exports", async () => {
    const ids = await stored(
      { state: "delivered", attempts: 1 },
      { state: "deferred", attempts: 2 },
      { state: "cancelled", attempts: 1 },
      { state: "suppressed", attempts: 0 },
      { state: "queued", attempts: 0 },
      { state: "bounced", attempts: 1 },
    );
    const [delivered, deferred, cancelled, suppressed, , unreadable] = ids;
    const reply = (code: number, status: string, text: string) => ({
      replyCode: code,
      enhancedStatusCode: status,
      detail: text,
    });
    await happened(`${delivered}.1.delivered`, reply(250, "2.0.0", "OK"));
    await happened(`${deferred}.1.deferred`, reply(421, "4.3.2", "Closing"));
    await happened(`${deferred}.2.deferred`, reply(451, "4.7.1", `Greylisted ${"x".repeat(300)}`));
    await happened(`${cancelled}.1.deferred`, reply(450, "4.2.0", "Busy"));
    await happened(`${cancelled}.1.cancelled`, { detail: "cancelled on request" });
    await happened(`${suppressed}.0.suppressed`, { detail: "the address is on the suppression list" });
    await happened(`${unreadable}.1.bounced`, { detail: 5 as never });
    const replies = [
      { code: 250, enhanced_status_code: "2.0.0", text: "OK" },
      { code: 451, enhanced_status_code: "4.7.1", text: `Greylisted ${"x".repeat(188)}…` },
      { code: 450, enhanced_status_code: "4.2.0", text: "Busy" },
      { code: 0, enhanced_status_code: "", text: "the address is on the suppression list" },
      undefined,
      undefined,
    ];
    const { body } = await search("");
    expect(body.data.map((one: { last_reply?: object }) => one.last_reply)).toEqual(replies);
    const shown = await world.ask("GET", `/api/messages/${delivered}`, { token });
    expect(shown.body.message.last_reply).toEqual(replies[0]);
    const file = await world.ask("GET", "/api/messages/export?format=ndjson", { token });
    const lines: { last_reply?: object }[] = file.body
      .trimEnd()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    expect(lines.map((one) => one.last_reply)).toEqual(replies);
    const csv = await world.ask("GET", "/api/messages/export?state=deferred", { token });
    expect(csv.body).toMatch(/,451,4\.7\.1,Greylisted x{188}…,\r\n$/);
  });

  it("have the parts of Hermod's own texts in the timeline, and none for the words of a server", async () => {
    const [id] = await stored({ state: "captured", attempts: 4 });
    const since = "2030-01-01T00:00:00.000Z";
    const listed = { whom: "recipient", reason: "manual", since };
    const suppressed = phrase("suppression.listed", listed);
    const decidedBy = { policy: "default", revision: "r1", rules: 1 };
    await happened(`${id}.0.suppressed`, { detail: suppressed.text, detailParts: suppressed.parts });
    await happened(`${id}.1.bounced`, { detail: "550 User unknown", decidedBy });
    await happened(`${id}.2.cancelled`, { detail: "cancelled on request" });
    await happened(`${id}.3.captured`, {
      detail: "not tracked, for a reason; captured in the sandbox inbox",
    });
    await happened(`${id}.4.captured`, { detail: "captured in the sandbox inbox" });
    const { body } = await world.ask("GET", `/api/messages/${id}`, { token });
    const timeline: { kind: string; attempt: number; detail_parts: object[]; decided_by?: object }[] =
      body.timeline;
    const partsAt = (n: number) => timeline.find(({ kind, attempt }) => kind !== "accepted" && attempt === n);
    expect(partsAt(0)?.detail_parts).toEqual([{ code: "suppression.listed", params: listed }]);
    expect(partsAt(1)).toMatchObject({
      detail_parts: [],
      decided_by: { reason_parts: [{ code: "rule.only_other", params: { domain: "example.net" } }] },
    });
    // A former release has stored no parts.
    expect(partsAt(2)?.detail_parts).toEqual([]);
    expect(partsAt(3)?.detail_parts).toEqual([]);
    expect(partsAt(4)?.detail_parts).toEqual([{ code: "sandbox.captured" }]);
    expect(expectTextsOfParts(timeline).sort()).toEqual([
      "rule.only_other",
      "sandbox.captured",
      "suppression.listed",
    ]);
  });

  it("are shown even if others cannot be read", async () => {
    const [first, , third] = await stored(
      { tags: ["shop"] },
      { sizeBytes: "many" as never, tags: ["shop"] },
      { tags: ["shop"] },
    );
    for (const query of ["", "tag=shop", "state=queued"]) expect(await found(query)).toEqual([first, third]);
  });

  it("are cancelled with the permission, and found by that state", async () => {
    const now = world.identity.time.clock.now();
    const [id] = await stored({ state: "scheduled", nextAttemptAt: new Date(now.getTime() + 86_400_000) });
    const path = `/api/messages/${id}/cancel`;
    expect((await world.ask("POST", path, { token })).problem.code).toBe("auth.permission_missing");
    const { token: support } = await world.identity.memberOf(accountId, "support");
    const { status, body } = await world.ask("POST", path, { token: support });
    expect([status, body.state]).toEqual([200, "cancelled"]);
    const shown = await world.ask("GET", `/api/messages/${id}`, { token });
    expect(expectTextsOfParts(shown.body)).toEqual(["message.cancelled"]);
    expect(await found("state=cancelled")).toEqual([id]);
    expect(await found("state=scheduled")).toEqual([]);
    expect((await world.ask("POST", path, { token: support })).status).toBe(200);
  });
});
