import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCORE_MODEL } from "../../src/intel/score/score.ts";
import { type IntelWorld, type OpenedWorkspace, openIntelWorld, sight } from "../harness/intel-world.ts";

let world: IntelWorld;
let accountId: string;
let workspace: OpenedWorkspace;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  workspace = await world.newWorkspace(accountId, "Agency");
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  world.ask("GET", path, { key: workspace.key, headers });
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  world.ask("POST", path, { key: workspace.key, body, headers });
const newClient = async (name = "Example Ltd", more = {}) => (await post("/clients", { name, ...more })).body;
const newDomain = async (name: string, more = {}) =>
  post("/domains", { client_id: (await newClient(`Client of ${name.slice(0, 100)}`)).id, name, ...more });

describe("a deliverability key", () => {
  const routes = [
    ["GET", "/workspaces"],
    ["GET", "/clients"],
    ["POST", "/clients"],
    ["GET", "/domains"],
    ["POST", "/domains"],
    ["GET", "/blacklists/status"],
    ["POST", "/reports/generate"],
    ["GET", "/reports/rpt_none"],
  ] as const;

  it.each(routes)("is accepted only in X-API-Key: %s %s", async (method, path) => {
    const body = method === "POST" ? { body: {} } : {};
    const elsewhere = [
      world.ask(method, path, { ...body, headers: { authorization: `Bearer ${workspace.key}` } }),
      world.ask(method, `${path}?api_key=${workspace.key}`, body),
    ];
    for (const { status, problem, headers } of await Promise.all(elsewhere)) {
      expect([status, problem.code]).toEqual([401, "auth.key_missing"]);
      expect(problem.detail).toContain("`X-API-Key`");
      expect(headers["www-authenticate"]).toBe('ApiKey realm="hermod"');
    }
    const given = await world.ask(method, path, { ...body, key: workspace.key });
    expect(given.status).not.toBe(401);
  });

  it("is found in addition to an Authorization header for a proxy", async () => {
    expect((await get("/workspaces", { authorization: "Basic c29tZWJvZHk6ZWxzZQ==" })).status).toBe(200);
  });

  it("is required, and no other kind of key replaces it or is replaced by it", async () => {
    const { secret } = await world.dashboard.identity.operator.keys.createKey({ accountId });
    for (const [method, path] of routes) {
      const body = method === "POST" ? { body: {} } : {};
      const account = await world.ask(method, path, { ...body, key: secret });
      expect([path, account.status, account.problem.code]).toEqual([path, 403, "auth.key_wrong_kind"]);
      expect((await world.ask(method, path, body)).problem.code).toBe("auth.key_missing");
      const wrong = await world.ask(method, path, { ...body, key: `${workspace.key.slice(0, -1)}x` });
      expect([wrong.status, wrong.problem.code]).toEqual([401, "auth.key_invalid"]);
    }
    const mail = await world.dashboard.app.inject({
      method: "POST",
      url: "/v1/email/send",
      headers: { host: "api.test", "x-api-key": workspace.key },
      payload: {},
    });
    expect([mail.statusCode, mail.json().code]).toEqual([403, "auth.key_wrong_kind"]);
  });

  it("with read permission only changes nothing", async () => {
    const { secret: key } = await world.dashboard.identity.operator.keys.createKey({
      accountId,
      kind: "deliverability",
      workspaceId: workspace.id,
      scopeMode: "restricted",
      scopes: ["intel.read"],
    });
    expect((await world.ask("GET", "/clients", { key })).status).toBe(200);
    const { status, problem } = await world.ask("POST", "/clients", { key, body: { name: "Example Ltd" } });
    expect([status, problem.code]).toEqual([403, "auth.scope_missing"]);
    expect((await get("/clients")).body.data).toEqual([]);
  });
});

describe("GET /workspaces", () => {
  it("shows the workspace of the key, with its counts", async () => {
    await newDomain("example.com");
    const { body } = await get("/workspaces");
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data).toMatchObject([
      {
        id: workspace.id,
        name: "Agency",
        score_avg: null,
        coverage_avg: null,
        counts: { clients: 1, domains: 1, domains_by_status: { pending: 1 }, listings_open: 0 },
      },
    ]);
  });
});

describe("clients", () => {
  it("are created with all fields, and found by each of them", async () => {
    const said = {
      name: "Nordlicht GmbH",
      external_ref: "crm-1",
      contact_emails: ["it@example.com"],
      tags: ["retail"],
      notes: "a\nb",
      locale: "en-GB",
      timezone: "Europe/Berlin",
    };
    const { status, body } = await post("/clients", said);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...said, workspace_id: workspace.id, status: "active", score: null });
    await newClient("Other", { external_ref: "crm-2" });
    for (const query of ["search=nord", "tag=retail", "external_ref=crm-1", "search=gmbh&status=active"])
      expect((await get(`/clients?${query}`)).body.data).toEqual([body]);
    expect((await get("/clients?status=archived")).body.data).toEqual([]);
    expect((await get("/clients")).body.data.map(({ name }: { name: string }) => name)).toEqual([
      "Nordlicht GmbH",
      "Other",
    ]);
  });

  it("have every field, with null for missing values", async () => {
    expect(await newClient()).toMatchObject({ external_ref: null, notes: null, tags: [], locale: "en" });
  });

  it.each([
    [{}, "/name", "field.required"],
    [{ name: " " }, "/name", "field.required"],
    [{ name: "x".repeat(201) }, "/name", "field.too_long"],
    [{ name: "a\u0000b" }, "/name", "field.invalid"],
    [{ name: 1 }, "/name", "field.type"],
    [{ name: "x", external_ref: "x".repeat(201) }, "/external_ref", "field.too_long"],
    [{ name: "x", contact_emails: ["it@example.com", "nobody"] }, "/contact_emails/1", "address.missing_at"],
    [{ name: "x", tags: Array(21).fill("a") }, "/tags", "field.too_many"],
    [{ name: "x", tags: [""] }, "/tags/0", "field.required"],
    [{ name: "x", locale: "no_locale!" }, "/locale", "field.invalid"],
    [{ name: "x", locale: "de-DE" }, "/locale", "field.invalid"],
    [{ name: "x", timezone: "Mars/Olympus" }, "/timezone", "field.invalid"],
    [{ name: "x", colour: "red" }, "/colour", "field.unknown"],
  ])("are refused as %j, and none is created", async (body, pointer, code) => {
    const { status, problem } = await post("/clients", body);
    expect([status, problem.code]).toEqual([422, "request.validation_failed"]);
    expect(problem.errors).toMatchObject([{ pointer, code }]);
    expect((await get("/clients")).body.data).toEqual([]);
  });

  it("have unique names and references, and the error names the conflicting client", async () => {
    const { id } = await newClient("Example Ltd", { external_ref: "crm-1" });
    for (const body of [
      { name: " EXAMPLE  ltd" },
      { name: "Ｅxample Ltd" },
      { name: "Other", external_ref: "crm-1" },
    ]) {
      const { status, problem } = await post("/clients", body);
      expect([status, problem.code, problem.existing_id]).toEqual([409, "client.duplicate", id]);
    }
    expect((await get("/clients")).body.data).toHaveLength(1);
  });
});

describe("domains", () => {
  it("are watched, checked, and shown with checks and history on request", async () => {
    const { status, body } = await newDomain("example.com", {
      role: "sending",
      dkim_selectors: ["S1"],
      sending_ips: ["198.51.100.25"],
    });
    // An address of a documentation network belongs to no one.
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, "/sending_ips/0"]);
    const added = await newDomain("example.org", { dkim_selectors: ["S1"], sending_ips: ["8.8.8.8"] });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      name: "example.org",
      status: "pending",
      score: null,
      grade: null,
      coverage: null,
      dkim_selectors: ["s1"],
      sending_ips: ["8.8.8.8"],
      paused: false,
      hosted_by_hermod: false,
      checked_at: null,
      last_error: null,
      score_delta_7d: null,
      top_findings: [],
    });
    expect(added.body.checks).toBeUndefined();
    const server = "192.0.2.53";
    const answer = { name: "_dmarc.example.org", type: "TXT", rcode: "NOERROR", data: [], server } as const;
    const policy = { status: "warn", observed: "The policy is none." } as const;
    const evidence = [{ ...answer, at: world.dashboard.identity.time.clock.now() }];
    world.results.set("example.org", sight({ "auth.dmarc.policy": { ...policy, evidence } }));
    await world.check(accountId, added.body.id);
    const [plain] = (await get("/domains")).body.data;
    expect(plain).toMatchObject({ status: "warning", findings: { critical: 0, warning: 1, info: 0 } });
    expect(plain.top_findings).toMatchObject([{ check_id: "auth.dmarc.policy", severity: "warning" }]);
    expect([plain.checks, plain.history]).toEqual([undefined, undefined]);
    const [full] = (await get("/domains?include=checks,history")).body.data;
    const check = full.checks.find(({ id }: { id: string }) => id === "auth.dmarc.policy");
    expect(check).toMatchObject({ status: "warn", points: 5, weight: 10, severity: "warning", fix: null });
    expect(check.evidence).toMatchObject([{ ...answer, ttl: null, authenticated: null, reason: null }]);
    expect(full.history).toMatchObject([{ status: "warning", score: full.score, score_model: SCORE_MODEL }]);
  });

  it("have everything needed to compute the score, including checks that never ran", async () => {
    const added = await newDomain("example.org");
    const seen = sight({ "auth.dmarc.policy": { status: "warn" }, "reputation.ehlo": { status: "fail" } });
    // Registries are not queried, but the check counts for the coverage.
    world.results.set(
      "example.org",
      seen.filter(({ id }) => id !== "infra.expiry"),
    );
    await world.check(accountId, added.body.id);
    const [domain] = (await get("/domains?include=checks")).body.data;
    const { checks, score_details: details } = domain;
    expect(checks.find(({ id }: { id: string }) => id === "infra.expiry")).toMatchObject({
      status: "not_tested",
      weight: 2,
      points: null,
      counts_as: "unmeasured",
    });
    type Row = { id: string; category: string; weight: number; points: number | null; counts_as: string };
    const rows: Row[] = checks;
    const shares = { auth: 50, transport: 20, reputation: 20, infra: 10 };
    const weightOf = (some: readonly Row[]) => some.reduce((sum, { weight }) => sum + weight, 0);
    const isMeasured = ({ points, counts_as: kind }: Row) => points !== null && kind !== "over_budget";
    const categories = Object.entries(shares).flatMap(([category, whole]) => {
      const all = rows.filter((row) => row.category === category);
      const counted = all.filter(({ points }) => points !== null);
      const share = whole * Math.min(1, weightOf(all.filter(isMeasured)) / (weightOf(all) / 2));
      const points = counted.reduce((sum, row) => sum + (row.points ?? 0), 0);
      return counted.length > 0 ? [{ category, points, of: weightOf(counted), share }] : [];
    });
    expect(details.categories).toEqual(expect.arrayContaining(categories));
    const total =
      (100 * categories.reduce((sum, { share, points, of }) => sum + (share * points) / of, 0)) /
      categories.reduce((sum, { share }) => sum + share, 0);
    const limits = details.caps.map(({ limit }: { limit: number }) => limit);
    expect(limits).toEqual([89]);
    expect(Math.floor(Math.min(total, ...limits) + 1e-6)).toBe(domain.score);
    const coverage = weightOf(rows.filter(isMeasured)) / weightOf(rows);
    expect(domain.coverage).toBeCloseTo(coverage, 3);
    expect(details).toMatchObject({
      score: domain.score,
      grade: domain.grade,
      score_model: domain.score_model,
    });
    expect((await get("/domains")).body.data[0].score_details).toBeUndefined();
  });

  it("refuses a finding that is not a check", async () => {
    for (const finding of ["nope", "bl.nope", "auth.spf"]) {
      const { status, body } = await get(`/domains?finding=${finding}`);
      expect([finding, status, body.errors?.[0]?.code]).toEqual([finding, 422, "field.invalid"]);
    }
    for (const finding of ["auth.spf.senders", "bl.spamcop"])
      expect((await get(`/domains?finding=${finding}`)).status).toBe(200);
  });

  it("are found by their fields", async () => {
    const { body: ill } = await newDomain("shop.example.com", { role: "receiving" });
    const { body: well } = await newDomain("example.net");
    await newDomain("example.org", { paused: true });
    world.results.set("shop.example.com", sight({ "auth.dmarc.exists": { status: "fail" } }));
    world.results.set("example.net", sight());
    await world.check(accountId, ill.id);
    await world.check(accountId, well.id);
    const names = async (query: string) =>
      (await get(`/domains?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names("sort=-score")).toEqual(["example.net", "shop.example.com", "example.org"]);
    expect(await names("sort=last_check_at")).toEqual(["example.org", "shop.example.com", "example.net"]);
    for (const query of [
      ...[`id=${ill.id}`, "name=SHOP.example.com.", `client_id=${ill.client_id}`, "status=critical"],
      ...["role=receiving", "finding=auth.dmarc.exists", "search=shop", "search=sho&role=receiving"],
    ])
      expect([query, await names(query)]).toEqual([query, ["shop.example.com"]]);
    expect(await names("grade=A")).toEqual(["example.net"]);
    expect(await names("status=paused")).toEqual(["example.org"]);
    expect(await names("search=example.o")).toEqual(["example.org"]);
    expect(await names("search=xample")).toEqual([]);
  });

  it("in other scripts are stored in A-labels, and shown and found in both forms", async () => {
    const { status, body } = await newDomain("Bücher.example.com");
    expect([status, body.name, body.name_unicode]).toEqual([
      201,
      "xn--bcher-kva.example.com",
      "bücher.example.com",
    ]);
    const again = await post("/domains", { client_id: body.client_id, name: "xn--bcher-kva.example.com" });
    expect([again.status, again.problem.existing_id]).toEqual([409, body.id]);
    for (const query of ["search=büch", "search=xn--bch", "name=bücher.example.com"])
      expect((await get(`/domains?${encodeURI(query)}`)).body.data).toMatchObject([{ id: body.id }]);
  });

  it.each([
    ...["", "nodots", "co.uk", "github.io", "xn--p1ai", "192.0.2.1", "[2001:db8::1]", "2001:db8::1"],
    ...["_dmarc.example.com", "shop_1.example.com", "-a.example.com", "a..example.com", "*.example.com"],
    ...[
      "localhost",
      "printer.local",
      "shop.test",
      "a.example",
      "hidden.onion",
      "nas.home.arpa",
      "x.internal",
    ],
    ...["a@example.com", "https://example.com", `${"a".repeat(64)}.example.com`, `${"a.".repeat(130)}com`],
  ])("cannot have the name %j", async (name) => {
    const { status, problem } = await newDomain(name);
    expect([status, problem.code]).toEqual([422, "request.validation_failed"]);
    expect(problem.errors).toMatchObject([{ pointer: "/name" }]);
    expect((await get("/domains")).body.data).toEqual([]);
  });

  it.each([
    [{ role: "both" }, "/role"],
    [{ dkim_selectors: ["s1._domainkey.example.com"] }, "/dkim_selectors/0"],
    [{ dkim_selectors: Array.from({ length: 21 }, (_, n) => `s${n}`) }, "/dkim_selectors"],
    [{ sending_ips: ["10.0.0.1"] }, "/sending_ips/0"],
    [{ sending_ips: ["8.8.8.8", "::ffff:127.0.0.1"] }, "/sending_ips/1"],
    [{ sending_ips: ["8.8.8.0/24"] }, "/sending_ips/0"],
    [{ sending_ips: Array.from({ length: 21 }, (_, n) => `8.8.8.${n}`) }, "/sending_ips"],
    [{ paused: "yes" }, "/paused"],
  ])("are not watched as %j", async (more, pointer) => {
    const { status, problem } = await newDomain("example.com", more);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it("are watched once in a workspace, and the error names domain and client", async () => {
    const { body } = await newDomain("example.com");
    const other = await newClient("Other");
    for (const client_id of [body.client_id, other.id]) {
      const { status, problem } = await post("/domains", { client_id, name: "EXAMPLE.com" });
      expect([status, problem.code]).toEqual([409, "domain.duplicate"]);
      expect([problem.existing_id, problem.client_id]).toEqual([body.id, body.client_id]);
    }
  });

  it("need an existing client that is not archived", async () => {
    const unknown = await post("/domains", { client_id: "cl_none", name: "example.com" });
    expect([unknown.status, unknown.problem.code]).toEqual([404, "client.unknown"]);
    const { id } = await newClient();
    const asked = { accountId, id, settings: { name: "Example Ltd" }, archived: true };
    await world.dashboard.identity.operator.workspaces.updateClient(asked);
    const archived = await post("/domains", { client_id: id, name: "example.com" });
    expect([archived.status, archived.problem.code]).toEqual([422, "client.archived"]);
  });

  it.each([
    "status=ill",
    "role=both",
    "grade=E",
    "sort=score",
    "include=all",
    "limit=0",
    "limit=101",
    "nme=x",
  ])("are not listed by ?%s", async (query) => {
    const { status, problem } = await get(`/domains?${query}`);
    expect([status, problem.code]).toEqual([422, "request.validation_failed"]);
  });
});

describe("lists", () => {
  it.each(["/workspaces", "/clients", "/domains", "/blacklists/status"])(
    "%s are not sent again to a client that has them",
    async (path) => {
      const before = await get(path);
      const etag = String(before.headers.etag);
      expect([before.status, before.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const { status, body } = await get(path, { "if-none-match": given });
        expect([given, status, body]).toEqual([given, 304, ""]);
      }
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
      await newDomain("example.com");
      const after = await get(path, { "if-none-match": etag });
      expect(after.status).toBe(200);
      expect(after.headers.etag).not.toBe(etag);
    },
  );

  it("accept only a cursor of an earlier answer to the same request", async () => {
    for (const name of ["a.example.com", "b.example.com", "c.example.com"]) await newDomain(name);
    const { next_cursor: cursor } = (await get("/domains?limit=1")).body;
    expect((await get(`/domains?limit=2&cursor=${cursor}`)).body).toMatchObject({
      data: [{ name: "b.example.com" }, { name: "c.example.com" }],
      has_more: false,
      next_cursor: null,
    });
    const clients = (await get("/clients?limit=1")).body.next_cursor;
    const forged = `${Buffer.from('["a",""]').toString("base64url")}.AAAA`;
    for (const query of [
      ...[`cursor=${cursor}&sort=-score`, `cursor=${cursor}&status=pending`, `cursor=${cursor}x`],
      ...[`cursor=${clients}`, `cursor=${forged}`, "cursor=x", `cursor=${"x".repeat(3_000)}`],
    ]) {
      const { status, problem } = await get(`/domains?${query}`);
      expect([query.slice(0, 80), status, problem.code]).toEqual([query.slice(0, 80), 422, "cursor.invalid"]);
    }
  });
});

describe("an Idempotency-Key", () => {
  const repeated = { "idempotency-key": "once" };

  it("creates one client for repeated requests, with the first answer", async () => {
    const first = await post("/clients", { name: "Example Ltd" }, repeated);
    expect([first.status, first.headers["idempotent-replayed"]]).toEqual([201, undefined]);
    const again = await post("/clients", { name: "Example Ltd" }, repeated);
    expect([again.status, again.headers["idempotent-replayed"], again.body]).toEqual([
      201,
      "true",
      first.body,
    ]);
    const other = await post("/clients", { name: "Other" }, repeated);
    expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
    expect((await get("/clients")).body.data).toHaveLength(1);
  });

  it("adds one domain, also for concurrent requests", async () => {
    const { id } = await newClient();
    const body = { client_id: id, name: "example.com" };
    const answers = await Promise.all([1, 2, 3].map(() => post("/domains", body, repeated)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body: { id: made } }) => made)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(2);
    const other = await post("/domains", { ...body, role: "parked" }, repeated);
    expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
  });

  it("is one of its operation and workspace, and free again later", async () => {
    const { id } = await newClient("Example Ltd");
    await post("/clients", { name: "One" }, repeated);
    expect((await post("/domains", { client_id: id, name: "example.com" }, repeated)).status).toBe(201);
    world.dashboard.identity.time.pass(61_000);
    expect((await post("/clients", { name: "Two" }, repeated)).status).toBe(201);
  });

  it("is used only by a successful request: a refused request leaves it free", async () => {
    expect((await post("/clients", { name: "" }, repeated)).status).toBe(422);
    expect((await post("/clients", { name: "Example Ltd" }, repeated)).status).toBe(201);
  });
});

describe("GET /blacklists/status", () => {
  it("shows watched and unwatched subjects, and sends no query", async () => {
    await newDomain("example.com", { sending_ips: ["8.8.8.8"] });
    const { body } = await get("/blacklists/status?ip=8.8.8.8&limit=100");
    expect(body.data.length).toBeGreaterThan(5);
    for (const { subject, kind, state } of body.data) {
      expect([subject, kind]).toEqual(["8.8.8.8", "ip"]);
      expect(["pending", "not_configured"]).toContain(state);
    }
    const sum = Object.values<number>(body.summary).reduce((total, count) => total + count, 0);
    expect(sum).toBe(body.data.length);
    for (const query of ["ip=9.9.9.9", "domain=example.net"]) {
      const { status, problem } = await get(`/blacklists/status?${query}`);
      expect([status, problem.code]).toEqual([404, "subject.not_monitored"]);
    }
    expect((await get("/blacklists/status?domain_id=dom_none")).problem.code).toBe("watched_domain.unknown");
    expect((await get("/blacklists/status?client_id=cl_none")).problem.code).toBe("client.unknown");
  });
});
