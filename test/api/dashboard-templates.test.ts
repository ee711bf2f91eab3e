import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId, "developer")).token;
});

const ask = (method: Method, path: string, body?: object) =>
  world.ask(method, `/api/templates${path}`, { token, ...(body && { body }) });

const welcome = {
  name: "welcome",
  from: "Shop <news@shop.example>",
  subject: "Hi {{ name }}",
  html: "<p>{{ name }} has {{ items.size }}</p>",
  text: "{{ name }}",
  variables: [
    { name: "name", type: "string" },
    { name: "items", type: "list", fallback: [1, { a: null }] },
  ],
};
const { name: _, ...text } = welcome;

const revision = async () => (await ask("GET", "/welcome")).body.revision;
const publish = async () => ask("POST", "/welcome/publish", { revision: await revision() });
/** The stored messages of the account. */
const messages = () =>
  world.identity.db.collection<MessageDocument>("messages").find({ accountId }).toArray();

describe("templates, in the dashboard", () => {
  it("are drafted, published, changed, compared, and rolled back", async () => {
    const { status, body } = await ask("POST", "", welcome);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "welcome",
      published_version: 0,
      content: text,
      faults: [],
      undeclared_variables: [],
      unused_variables: [],
    });
    expect((await publish()).body).toMatchObject({ published_version: 1, content: text });
    const saved = await ask("PUT", "/welcome/draft", {
      ...text,
      subject: "Hello",
      revision: await revision(),
    });
    expect(saved.body).toMatchObject({ published_version: 1, content: { subject: "Hello" } });
    expect((await ask("GET", "/welcome/diff")).body.fields).toEqual([
      {
        field: "subject",
        too_different: false,
        hunks: [
          {
            before_line: 1,
            after_line: 1,
            lines: [
              { kind: "removed", text: "Hi {{ name }}", unterminated: true },
              { kind: "added", text: "Hello", unterminated: true },
            ],
          },
        ],
      },
    ]);
    await publish();
    const draft = await ask("POST", "/welcome/restore-draft", { revision: await revision(), version: 1 });
    expect(draft.body).toMatchObject({ published_version: 2, content: text });
    expect(draft.body.draft_saved_at).toBeDefined();
    for (const [version, code] of [
      [1, "template.stale"],
      [9, "template.version_not_found"],
    ] as const) {
      const { problem } = await ask("POST", "/welcome/restore-draft", { revision: "1.1", version });
      expect(problem.code).toBe(code);
    }
    const back = await ask("POST", "/welcome/roll-back", { revision: await revision(), version: 1 });
    expect(back.body).toMatchObject({ published_version: 3, content: text });
    expect((await ask("GET", "/welcome/versions")).body.data).toMatchObject([
      { version: 3, restored_version: 1, published: true },
      { version: 2, restored_version: 0, published: false },
      { version: 1 },
    ]);
    expect((await ask("GET", "/welcome/versions/2")).body).toMatchObject({
      version: 2,
      content: { ...text, subject: "Hello" },
    });
    expect((await ask("GET", "")).body).toMatchObject({
      data: [{ name: "welcome", published_version: 3 }],
      has_more: false,
    });
  });

  it("show the errors of a draft with their positions, and publish nothing", async () => {
    const broken = { name: "welcome", subject: "Hi {{ nmae }}", text: "Dear\n{{ name | shout }" };
    const { body } = await ask("POST", "", { ...broken, variables: welcome.variables });
    expect(body.faults).toMatchObject([{ pointer: "/text", code: "template.syntax", line: 2, column: 1 }]);
    expect([body.undeclared_variables, body.unused_variables]).toEqual([["nmae"], ["name", "items"]]);
    const refused = await publish();
    expect([refused.status, refused.problem.errors[0]?.pointer]).toEqual([422, "/text"]);
  });

  it("refuse the second of two concurrent edits", async () => {
    await ask("POST", "", welcome);
    const seen = await revision();
    expect((await ask("PUT", "/welcome/draft", { ...text, revision: seen })).status).toBe(200);
    for (const [method, path, body] of [
      ["PUT", "/welcome/draft", { ...text, subject: "other" }],
      ["POST", "/welcome/publish", {}],
      ["POST", "/welcome/discard", {}],
      ["PUT", "/welcome/test-data", { data: {} }],
    ] as const) {
      const { status, problem } = await ask(method, path, { ...body, revision: seen });
      expect([path, status, problem.code]).toEqual([path, 409, "template.stale"]);
    }
    expect((await ask("GET", "/welcome")).body.content.subject).toBe(welcome.subject);
  });

  it("of another account answer 404, as if they did not exist", async () => {
    await ask("POST", "", welcome);
    const { account } = await world.identity.operator.accounts.createAccount({ name: "Other" });
    token = (await world.identity.memberOf(account?.id ?? "")).token;
    for (const name of ["welcome", "never", "No%20name"]) {
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["GET", "/versions", undefined],
        ["GET", "/diff", undefined],
        ["POST", "/preview", {}],
        ["POST", "/test", { to: "ada@example.com" }],
        ["POST", "/duplicate", { new_name: "copy" }],
        ["DELETE", "", undefined],
      ] as const) {
        const answer = await ask(method, `/${name}${path}`, body);
        expect([path, answer.status, answer.problem.code]).toEqual([path, 404, "template.not_found"]);
      }
    }
  });
});

describe("previews", () => {
  const preview = async (body: object = {}) => (await ask("POST", "/welcome/preview", body)).body;

  it("are filled in with the test data, or with other data", async () => {
    await ask("POST", "", welcome);
    const kept = await ask("PUT", "/welcome/test-data", {
      revision: await revision(),
      data: { name: "<Ada>" },
    });
    expect(kept.body.test_data).toEqual({ name: "<Ada>" });
    expect(await preview()).toEqual({
      from: "Shop <news@shop.example>",
      subject: "Hi <Ada>",
      html: "<p>&lt;Ada&gt; has 2</p>",
      document: '<base target="_blank"><p>&lt;Ada&gt; has 2</p>',
      text: "<Ada>",
      faults: [],
      missing_variables: [],
      html_bytes: 24,
      is_clipped: false,
    });
    expect((await preview({ data: { name: "Eve" } })).text).toBe("Eve");
    expect((await preview({ data: { name: 1 } })).faults).toMatchObject([
      { pointer: "/data/name", code: "template.variable_type" },
    ]);
  });

  it("name the variables that are missing", async () => {
    await ask("POST", "", { name: "welcome", text: "{{ user.name }} {{ plan }}" });
    const { faults, missing_variables, text: rendered } = await preview({ data: { user: {} } });
    expect([rendered, missing_variables]).toEqual([undefined, ["user.name", "plan"]]);
    expect(faults.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/data/user/name",
      "/data/plan",
    ]);
  });

  it("use the draft, the published text, or a version", async () => {
    await ask("POST", "", { name: "welcome", text: "one" });
    await publish();
    await ask("PUT", "/welcome/draft", { text: "{{", revision: await revision() });
    expect((await preview()).faults).toMatchObject([{ pointer: "/text", code: "template.syntax", line: 1 }]);
    for (const version of ["published", "1"]) expect((await preview({ version })).text).toBe("one");
    const { status, problem } = await ask("POST", "/welcome/preview", { version: "2" });
    expect([status, problem.code]).toEqual([404, "template.version_not_found"]);
  });

  it.each([
    ["loops in loops", "{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}"],
    ["loops that say nothing", "{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}"],
    ["text that doubles", `{% assign a = "xxxxxxxx" %}${"{% assign a = a | append: a %}".repeat(60)}{{ a }}`],
    ["deep nesting", "{% if 1 %}".repeat(9_000) + "{% endif %}".repeat(9_000)],
  ])("of %s end with an error, and quickly", async (_, hostile) => {
    await ask("POST", "", { name: "welcome", text: hostile });
    const began = performance.now();
    const { faults } = await preview();
    expect(faults).toHaveLength(1);
    expect(faults[0].code).toMatch(/^template\.(output_too_large|limit_exceeded|syntax)$/);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it.each([
    [{ data: [] }, "/data"],
    [{ data: { a: JSON.parse("[".repeat(40) + "]".repeat(40)) } }, "/data/a"],
    [{ version: "newest" }, "/version"],
    [{ html: "<p>" }, "/html"],
  ])("refuse invalid input (%#)", async (body, pointer) => {
    await ask("POST", "", welcome);
    const { status, problem } = await ask("POST", "/welcome/preview", body);
    expect(status).toBe(422);
    expect(problem.errors[0]?.pointer.startsWith(pointer)).toBe(true);
  });
});

describe("tests of a template", () => {
  const send = (body: object = {}) => ask("POST", "/welcome/test", { to: "ada@example.com", ...body });
  const data = { name: "Ada" };

  async function setUp() {
    const { senders, policies } = world.identity.operator;
    await senders.addSender({ accountId, value: "shop.example" });
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await policies.putPolicy({ accountId, policy: { name: "tests", default: true, transports } });
    await ask("POST", "", welcome);
  }

  it("are messages of the account, with a tag and the version", async () => {
    await setUp();
    const { status, body } = await send({ data });
    expect(status).toBe(202);
    await publish();
    const { body: second } = await send({ data, version: "1" });
    const found = new Map((await messages()).map((message) => [message._id, message]));
    expect(found.size).toBe(2);
    const draft = found.get(body.message_id);
    expect(draft).toMatchObject({
      _id: body.message_id,
      traceId: body.sx_trace_id,
      state: "queued",
      from: "news@shop.example",
      recipient: "ada@example.com",
      subject: "Hi Ada",
      policy: "tests",
      tags: ["template-test"],
    });
    expect(draft?.template).toBeUndefined();
    expect(found.get(second.message_id)?.template).toEqual({ name: "welcome", version: 1 });
    const entries = await world.identity.store.forAccount(accountId).audit.list({
      actions: ["template.send_test"],
      limit: 5,
    });
    expect(entries.map(({ target }) => target.id)).toContain(body.message_id);
  });

  it.each([
    ["a recipient that is none", { to: "ada" }, 422, "/to"],
    ["two recipients", { to: "a@example.com, b@example.com" }, 422, "/to"],
    ["data that lack a variable", { data: {} }, 422, "/data/name"],
    ["a policy that is not there", { routing_policy: "none" }, 422, "/routing_policy"],
  ])("are refused for %s", async (_, body, status, pointer) => {
    await setUp();
    const refused = await send({ data, ...body });
    expect([refused.status, refused.problem.errors[0]?.pointer]).toEqual([status, pointer]);
    expect(await messages()).toEqual([]);
  });

  it("are refused for an unverified sender", async () => {
    await setUp();
    await ask("PUT", "/welcome/draft", { ...text, from: "eve@other.example", revision: await revision() });
    const { status, problem } = await send({ data });
    expect([status, problem.code]).toEqual([403, "sender.unverified"]);
    expect(await messages()).toEqual([]);
  });

  it("accept a sender if the template has none", async () => {
    await setUp();
    const { from: _, ...anonymous } = text;
    await ask("PUT", "/welcome/draft", { ...anonymous, revision: await revision() });
    expect((await send({ data })).problem.errors[0]?.pointer).toBe("/from");
    expect((await send({ data, from: "news@shop.example" })).status).toBe(202);
  });

  it("require permission to send", async () => {
    await setUp();
    token = (await world.identity.memberOf(accountId, "support")).token;
    const { status, problem } = await send({ data });
    expect([status, problem.code]).toEqual([403, "auth.permission_missing"]);
  });
});
