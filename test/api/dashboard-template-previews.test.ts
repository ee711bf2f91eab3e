import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { everythingStored } from "../harness/everything-stored.ts";

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

const ask = (method: Method, path: string, body?: object, headers = {}) =>
  world.ask(method, `/api/templates${path}`, { token, headers, ...(body && { body }) });
const preview = (body: object) => ask("POST", "/preview", body);

describe("a preview of a text that is not stored", () => {
  it("is rendered with the data of the request, and stores nothing", async () => {
    // The first request of an hour stores when the member was last seen.
    await ask("GET", "");
    const before = await everythingStored(world.identity.db);
    const { status, body } = await preview({
      from: "Shop <news@shop.example>",
      subject: "Hi {{ name }}",
      html: "<p>{{ name }}, {{ plan }}, {{ extra }}</p>",
      text: "{{ name }}",
      variables: [
        { name: "name", type: "string" },
        { name: "plan", type: "string", fallback: "free" },
        { name: "unused", type: "string", fallback: "" },
      ],
      data: { name: "<Ada>", extra: 1 },
    });
    expect([status, body]).toEqual([
      200,
      {
        from: "Shop <news@shop.example>",
        subject: "Hi <Ada>",
        html: "<p>&lt;Ada&gt;, free, 1</p>",
        document: '<base target="_blank"><p>&lt;Ada&gt;, free, 1</p>',
        text: "<Ada>",
        faults: [],
        missing_variables: [],
        undeclared_variables: ["extra"],
        unused_variables: ["unused"],
        html_bytes: 27,
        is_clipped: false,
      },
    ]);
    expect(await everythingStored(world.identity.db)).toEqual(before);
  });

  it("reports each error with field, line and column", async () => {
    const { body } = await preview({
      subject: "{{",
      html: "<p>\n  {% nope %}",
      text: "a\nb {{ x | shout }}",
    });
    expect(body.faults).toMatchObject([
      { pointer: "/subject", code: "template.syntax", line: 1, column: 1 },
      { pointer: "/html", code: "template.syntax", line: 2, column: 3 },
      { pointer: "/text", code: "template.syntax", line: 2, column: 3 },
    ]);
    expect([body.subject, body.html, body.document, body.html_bytes]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  it("names the missing variables", async () => {
    const { body } = await preview({ text: "{{ user.name }} {{ plan }}", data: { user: {} } });
    expect(body.missing_variables).toEqual(["user.name", "plan"]);
    expect(body.faults[0].pointer).toBe("/data/user/name");
    expect((await preview({ text: "{{ name }}" })).body.missing_variables).toEqual(["name"]);
  });

  it("says that Gmail clips the HTML from the first byte beyond 102 kB", async () => {
    for (const [length, isClipped] of [
      [102 * 1024, false],
      [102 * 1024 + 1, true],
    ] as const) {
      const { body } = await preview({ html: "{{ a }}", data: { a: "x".repeat(length) } });
      expect([body.faults, body.html_bytes, body.is_clipped]).toEqual([[], length, isClipped]);
    }
  });

  it("has a document without elements that connect to other hosts", async () => {
    const html =
      '<!doctype html><link rel="preconnect" href="https://evil.example"><iframe src="/x"></iframe><p>Hi';
    const { body } = await preview({ html });
    expect(body.html).toBe(html);
    expect(body.document).toBe(
      '<!doctype html><base target="_blank"><disabled-link rel="preconnect" href="https://evil.example"><disabled-iframe src="/x"></iframe><p>Hi',
    );
  });

  it.each([
    ["an unknown field", { text: "x", body: "y" }, "/body"],
    ["a name, which it does not need", { text: "x", name: "welcome" }, "/name"],
    ["data that are no object", { text: "x", data: [] }, "/data"],
    [
      "data that are too deep",
      { text: "x", data: { a: JSON.parse("[".repeat(40) + "]".repeat(40)) } },
      "/data/a",
    ],
    ["data with too many values", { text: "x", data: { a: Array(10_001).fill(0) } }, "/data/a"],
    ["too many variables", { variables: Array(501).fill({ name: "a", type: "string" }) }, "/variables"],
    ["an unknown type", { variables: [{ name: "a", type: "date" }] }, "/variables/0/type"],
    ["a sender that is too long", { from: "x".repeat(2_001) }, "/from"],
    ["a text that is too long", { text: "x".repeat(1_000_001) }, "/text"],
  ])("is refused for %s", async (_, body, pointer) => {
    const { status, problem } = await preview(body);
    expect(status).toBe(422);
    expect(problem.errors[0]?.pointer.startsWith(pointer)).toBe(true);
  });

  it.each([
    ["loops in loops", "{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}"],
    ["text that doubles", `{% assign a = "xxxxxxxx" %}${"{% assign a = a | append: a %}".repeat(60)}{{ a }}`],
    ["deep nesting", "{% if 1 %}".repeat(9_000) + "{% endif %}".repeat(9_000)],
  ])("of %s ends with an error", async (_, hostile) => {
    const { body } = await preview({ html: hostile, text: hostile });
    expect(body.faults.length).toBeGreaterThan(0);
    expect(body.faults[0].code).toMatch(/^template\.(output_too_large|limit_exceeded|syntax)$/);
  });

  it("needs a session", async () => {
    expect((await world.ask("POST", "/api/templates/preview", { body: { text: "x" } })).status).toBe(401);
  });
});

describe("the document of a stored text", () => {
  const document = (query = "", headers = {}) => ask("GET", `/welcome/document${query}`, undefined, headers);

  async function store() {
    const { templates } = world.identity.operator;
    const template = { name: "welcome", subject: "Hi", html: "<p>{{ name }}</p>", text: "Hi" };
    await templates.putTemplate({ accountId, template });
    const { template: seen } = await templates.getTemplate({ accountId, name: "welcome" });
    const revision = seen?.overview?.revision ?? "";
    await templates.putTestData({ accountId, name: "welcome", revision, testDataJson: '{"name":"<Ada>"}' });
    return templates;
  }

  it("is isolated by a content security policy, with the test data", async () => {
    await store();
    const { status, body, headers } = await document();
    expect([status, body]).toEqual([200, '<base target="_blank"><p>&lt;Ada&gt;</p>']);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toContain("sandbox");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("is refused to other sites", async () => {
    await store();
    for (const site of ["cross-site", "same-site"]) {
      const { status, problem } = await document("", { "sec-fetch-site": site });
      expect([status, problem.code]).toEqual([403, "request.cross_site"]);
    }
  });

  it("is refused for a text with errors, without HTML, or that does not exist", async () => {
    const templates = await store();
    const revision = async () =>
      (await templates.getTemplate({ accountId, name: "welcome" })).template?.overview?.revision ?? "";
    const save = async (text: object) =>
      templates.saveDraft({
        accountId,
        revision: await revision(),
        template: { name: "welcome", subject: "Hi", ...text },
      });
    await save({ html: "<p>\n{{" });
    const broken = await document("?version=draft");
    expect([broken.status, broken.problem.errors[0]?.pointer]).toEqual([422, "/html"]);
    expect((await document("?version=published")).status).toBe(200);
    await save({ html: "{{ other }}" });
    const lacking = await document();
    expect([lacking.status, lacking.problem.code]).toEqual([422, "template.variable_missing"]);
    await save({ text: "only text" });
    for (const query of ["", "?version=7"]) {
      const { status, problem } = await document(query);
      expect([status, problem.code]).toEqual([404, "template.version_not_found"]);
    }
    expect((await document("?version=newest")).status).toBe(422);
  });

  it("of another account does not exist", async () => {
    await store();
    token = (await world.identity.memberOf(await world.identity.openAccount("Other"), "owner")).token;
    const { status, problem } = await document();
    expect([status, problem.code]).toEqual([404, "template.not_found"]);
  });
});

describe("built-in templates", () => {
  it("are listed without their bodies, and can be created and previewed with their example data", async () => {
    token = (await world.identity.memberOf(accountId, "developer")).token;
    const { body } = await world.ask("GET", "/api/built-in-templates", { token });
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["welcome", "reset", "receipt", "invitation", "digest", "alert"]);
    for (const entry of body.data) {
      const { body: whole } = await world.ask("GET", `/api/built-in-templates/${entry.name}`, { token });
      const { example_data: data, title, description, name, ...content } = whole;
      expect({ name, title, description, subject: content.subject, variables: content.variables }).toEqual(
        entry,
      );
      const { status, body: created } = await ask("POST", "", { ...content, name });
      expect([status, created.faults]).toEqual([201, []]);
      const shown = await ask("POST", `/${name}/preview`, { data });
      expect([shown.body.faults, shown.body.is_clipped]).toEqual([[], false]);
      expect((await preview({ ...content, data })).body.html).toBe(shown.body.html);
    }
  });
});
