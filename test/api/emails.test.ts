import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newIdInBucket, newTraceId } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { queuedMessage } from "../harness/queued-message.ts";

let world: Dashboard;
let accountId: string;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  key = await newKey();
});

type KeyInit = Parameters<Dashboard["identity"]["operator"]["keys"]["createKey"]>[0];

async function newKey(init: KeyInit = {}) {
  const made = await world.identity.operator.keys.createKey({ accountId, name: "Shop", ...init });
  return { id: made.key?.id ?? "", secret: made.secret };
}

const ask = (path: string, { method = "GET" as Method, secret = key.secret } = {}) =>
  world.ask(method, path, { headers: { "x-api-key": secret } });
const cancel = (id: string, secret = key.secret) =>
  ask(`/v1/emails/${id}/cancel`, { method: "POST", secret });

/** Stores messages, each one second older than the previous one. */
async function stored(...changes: Partial<MessageDocument>[]): Promise<string[]> {
  const now = world.identity.time.clock.now();
  const documents = changes.map((change, index) => {
    const at = new Date(now.getTime() - index * 1_000);
    const _id = newIdInBucket("msg", at, 1);
    return queuedMessage(at, { _id, bucket: 1, accountId, keyId: key.id, ...change });
  });
  await world.identity.store.acrossAccounts.messages.insertMany(documents);
  return documents.map(({ _id }) => _id);
}

async function found(query = "", secret = key.secret): Promise<string[]> {
  const { status, body } = await ask(`/v1/emails?${query}`, { secret });
  expect(status).toBe(200);
  return body.data.map(({ message_id }: { message_id: string }) => message_id);
}

const later = () => new Date(world.identity.time.clock.now().getTime() + 3_600_000);

describe("a list of e-mails", () => {
  it("has the e-mails that match the filter, newest first, with the field names of the API", async () => {
    const [a, b, c] = await stored(
      { recipient: "ada@example.com", subject: "Your order has shipped", state: "delivered", tags: ["shop"] },
      { recipient: "grace@example.org", metadata: { order: "17" }, traceId: "sx_01m7yjfh6cxgam4v943sfeygwy" },
      { recipient: "ada@other.example", state: "bounced", category: "spam" },
    );
    expect(await found()).toEqual([a, b, c]);
    expect(await found("recipient=ada")).toEqual([a, c]);
    expect(await found("status=bounced&status=delivered")).toEqual([a, c]);
    expect(await found("sx_trace_id=sx_01m7yjfh6cxgam4v943sfeygwy")).toEqual([b]);
    expect(await found("tag=shop&subject=order")).toEqual([a]);
    expect(await found(`metadata=${encodeURIComponent("order=17")}`)).toEqual([b]);
    expect(await found("category=spam")).toEqual([c]);
    expect(await found(`key_id=${key.id}&message_id=${c}`)).toEqual([c]);
  });

  it("comes in pages, with each message once while others are added", async () => {
    const ids = await stored(...Array.from({ length: 5 }, () => ({ tags: ["shop"] })));
    const all: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await ask(`/v1/emails?tag=shop&limit=2${cursor && `&cursor=${cursor}`}`);
      all.push(...body.data.map(({ message_id }: { message_id: string }) => message_id));
      cursor = body.next_cursor ?? "";
      if (cursor === "") break;
      world.identity.time.pass(1_000);
      await stored({ tags: ["shop"] });
    }
    expect(all).toEqual(ids);
  });

  it.each([
    ["status=gone", "/status/0"],
    ["state=delivered", "/state"],
    ["trace_id=sx_1", "/trace_id"],
    ["limit=101", "/limit"],
    ["limit=0", "/limit"],
    ["limit=1e9", "/limit"],
    ["cursor=zzz", "/cursor"],
    [`cursor=${"m".repeat(5_000)}`, "/cursor"],
    ["subject=%21", "/subject"],
    [`sx_trace_id=${"x".repeat(1_001)}`, "/sx_trace_id"],
    ["from=yesterday", "/from"],
    ["page=2", "/page"],
  ])("refuses an invalid query (%s)", async (query, pointer) => {
    const { status, problem } = await ask(`/v1/emails?${query}`);
    expect([status, problem.code, problem.errors[0]?.pointer]).toEqual([
      422,
      "request.validation_failed",
      pointer,
    ]);
  });

  it("accepts another account's cursor as a position, and has nothing of that account", async () => {
    const [mine] = await stored({});
    world.identity.time.pass(2_000);
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const [theirs, older] = await stored({ accountId: other.account?.id ?? "" }, {});
    expect(await found(`cursor=${theirs}`)).toEqual([older, mine]);
    expect(await found(`message_id=${theirs}`)).toEqual([]);
  });

  it("accepts the key in the URL, like sending", async () => {
    const [id] = await stored({});
    const { body } = await world.ask("GET", `/v1/emails?limit=1&api_key=${key.secret}`);
    expect(body).toMatchObject({ data: [{ message_id: id }], has_more: false });
  });
});

describe("an e-mail", () => {
  it("is shown with all its events, and without fields that it does not have", async () => {
    const at = later();
    const [id] = await stored({ state: "scheduled", sendAt: at, nextAttemptAt: at, source: "http" });
    const { status, body, headers } = await ask(`/v1/emails/${id}`);
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).toMatchObject({
      message_id: id,
      status: "scheduled",
      recipient: "bob@example.net",
      key_id: key.id,
      source: "http",
      scheduled_at: at.toISOString(),
      timeline: [{ kind: "accepted", attempt: 0 }, { kind: "scheduled" }],
    });
    for (const name of ["category", "template", "account_id"]) expect(body).not.toHaveProperty(name);
    expect((await ask(`/v1/emails/${body.sx_trace_id}`)).body).toEqual(body);
  });

  it.each(["msg_01k9z4c3r8h2v6y0n5t7w1x3q9", "sx_01m7yjfh6cxgam4v943sfeygw0", "nonsense", "%00"])(
    "that does not exist is unknown (%s)",
    async (id) => {
      const { status, problem } = await ask(`/v1/emails/${id}`);
      expect([status, problem.code]).toEqual([404, "message.unknown"]);
    },
  );

  it("of another account answers 404, as if it did not exist", async () => {
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const traceId = newTraceId(new Date());
    const theirs = { accountId: other.account?.id ?? "", traceId, nextAttemptAt: later() };
    const [id = ""] = await stored(theirs);
    for (const name of [id, traceId]) {
      const { status, problem } = await ask(`/v1/emails/${name}`);
      expect([status, problem.code, problem.detail]).toEqual([
        404,
        "message.unknown",
        `The message "${name}" does not exist.`,
      ]);
    }
    expect((await cancel(id)).problem.code).toBe("message.unknown");
  });

  it("is refused with an unknown parameter", async () => {
    const [id] = await stored({});
    const { status, problem } = await ask(`/v1/emails/${id}?expand=body`);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/expand"]);
  });
});

describe("the cancellation of an e-mail", () => {
  it("gives the same answer each time, and records the key", async () => {
    const [id = ""] = await stored({ state: "scheduled", nextAttemptAt: later() });
    const first = await cancel(id);
    expect([first.status, first.body.status]).toEqual([200, "cancelled"]);
    expect((await cancel(id)).body).toEqual(first.body);
    const { body } = await ask(`/v1/emails/${id}`);
    expect(body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(["accepted", "cancelled"]);
    const { entries } = await world.identity.operator.audits.listEntries({
      accountId,
      filter: { targetId: id },
    });
    expect(entries).toMatchObject([
      {
        action: "message.cancel",
        actor: { kind: "key", id: key.id, name: "Shop" },
        clientAddress: "127.0.0.1",
      },
    ]);
  });

  it("is refused for an e-mail with a final state", async () => {
    const [id = ""] = await stored({ state: "delivered" });
    expect((await cancel(id)).problem).toMatchObject({ status: 422, code: "message.not_cancellable" });
  });
});

describe("a key reads and does what its scope allows", () => {
  it.each([
    ["full", [], 200, 200],
    ["send_only", [], 200, 403],
    ["alerts_only", [], 403, 403],
    ["restricted", ["email.send"], 403, 403],
    ["restricted", ["email.read"], 200, 403],
    ["restricted", ["email.cancel"], 403, 200],
    ["restricted", ["email.*"], 200, 200],
    ["restricted", ["alerts.ingest"], 403, 403],
  ])("%s %j: reads %i, cancels %i", async (scopeMode, scopes, reads, cancels) => {
    const { id: keyId, secret } = await newKey({ scopeMode, scopes });
    const [id = ""] = await stored({ keyId, state: "scheduled", nextAttemptAt: later() });
    const answers = [await ask("/v1/emails", { secret }), await ask(`/v1/emails/${id}`, { secret })];
    answers.push(await cancel(id, secret));
    expect(answers.map(({ status }) => status)).toEqual([reads, reads, cancels]);
    for (const { status, problem } of answers)
      if (status === 403) expect(problem.code).toBe("auth.scope_missing");
  });

  it.each([
    ["send_only", { scopeMode: "send_only" }],
    ["full, bound to senders", { senders: ["example.com"] }],
  ])("a key that is %s reads only the messages that it sent", async (_name, init) => {
    const { id: keyId, secret } = await newKey(init);
    const traceId = newTraceId(new Date());
    const waiting = { state: "scheduled" as const, nextAttemptAt: later(), traceId };
    const [mine = "", others = ""] = await stored({ ...waiting, keyId }, waiting);
    expect(await found("", secret)).toEqual([mine]);
    expect(await found(`key_id=${keyId}`, secret)).toEqual([mine]);
    expect(await found(`key_id=${key.id}`, secret)).toEqual([]);
    expect(await found(`sx_trace_id=${traceId}`, secret)).toEqual([mine]);
    expect(await found(`message_id=${others}`, secret)).toEqual([]);
    expect((await ask(`/v1/emails/${traceId}`, { secret })).body.message_id).toBe(mine);
    expect((await ask(`/v1/emails/${mine}`, { secret })).status).toBe(200);
    const { status, problem } = await ask(`/v1/emails/${others}`, { secret });
    expect([status, problem.code]).toEqual([404, "message.unknown"]);
    if ("senders" in init) {
      expect((await cancel(others, secret)).problem.code).toBe("message.unknown");
      expect((await cancel(mine, secret)).status).toBe(200);
    }
  });

  it("a key of another kind, no key, and a session are refused", async () => {
    const { secret } = await newKey({ kind: "deliverability" });
    expect((await ask("/v1/emails", { secret })).problem.code).toBe("auth.key_wrong_kind");
    const { token } = await world.identity.memberOf(accountId);
    for (const path of ["/v1/emails", "/v1/emails/msg_1"]) {
      expect((await world.ask("GET", path, { token })).problem.code).toBe("auth.key_missing");
    }
  });
});

it("read requests are in the log of requests", async () => {
  await ask("/v1/emails/msg_1");
  await ask("/v1/emails");
  await world.requests.flush();
  const { requests } = await world.identity.operator.requests.listRequests({ accountId });
  expect(requests.map(({ method, route, status, keyId }) => [method, route, status, keyId])).toEqual([
    ["GET", "/v1/emails", 200, key.id],
    ["GET", "/v1/emails/:message_id", 404, key.id],
  ]);
});

it("reads have a separate limit from sends", async () => {
  const limited = await openDashboard({ rates: { perKey: 1 } });
  try {
    const { account } = await limited.identity.operator.accounts.createAccount({ name: "Acme" });
    const { secret } = await limited.identity.operator.keys.createKey({ accountId: account?.id ?? "" });
    const headers = { "x-api-key": secret };
    const first = await limited.ask("GET", "/v1/emails", { headers });
    expect([first.status, first.headers["ratelimit-policy"]]).toEqual([200, '"key";q=1;w=1']);
    const second = await limited.ask("GET", "/v1/emails", { headers });
    expect([second.status, second.problem.code]).toEqual([429, "rate.limited"]);
    expect(second.headers["retry-after"]).toBe("1");
    const body = { from: "a@example.com", to: "b@example.com", subject: "x", text: "x" };
    const sent = await limited.ask("POST", "/v1/email/send", { headers, body });
    expect(sent.problem.code).toBe("sender.unverified");
  } finally {
    await limited.close();
  }
});
