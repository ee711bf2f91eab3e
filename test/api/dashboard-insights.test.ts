import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckId } from "../../src/intel/catalogue.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import type { WatchedDomainDocument } from "../../src/store/intel-documents.ts";
import type { Asked, Method } from "../harness/dashboard.ts";
import { type IntelWorld, openIntelWorld, sight } from "../harness/intel-world.ts";
import { believedReports } from "../harness/watched-domain.ts";

const DAY_MS = 86_400_000;
const record = { name: "_dmarc.example.com", type: "TXT", value: "v=DMARC1; p=quarantine" } as const;
const WARNED = {
  "auth.dmarc.policy": {
    status: "warn",
    observed: "The policy is none.",
    fix: { text: "Ask for quarantine.", record },
  },
} as const;
const WITHOUT_DMARC = { "auth.dmarc.exists": { status: "fail", observed: "There is no record." } } as const;

let world: IntelWorld;
let accountId: string;
let token: string;
let clientId: string;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  clientId = (await ask("POST", "/clients", { name: "Example Ltd" })).body.id;
});

const ask = (method: Method, path: string, body?: unknown, asked: Asked = { token }) =>
  world.dashboard.ask(method, `/api/intel${path}`, { ...asked, ...(body !== undefined && { body }) });
const now = () => world.dashboard.identity.time.clock.now();
const pass = async (ms: number) => {
  world.dashboard.identity.time.pass(ms);
  token = (await world.dashboard.identity.memberOf(accountId)).token;
};

/** Watches a domain and checks it. */
async function watch(
  name: string,
  but: Readonly<Partial<Record<CheckId, Partial<CheckResult>>>> = {},
  of = clientId,
): Promise<string> {
  const { id } = (await ask("POST", "/domains", { client_id: of, name })).body;
  world.results.set(name, sight(but));
  await world.check(accountId, id);
  return id;
}

/** Entries of all pages. */
async function pagesOf(path: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const sign = path.includes("?") ? "&" : "?";
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { body } = await ask("GET", `${path}${sign}limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.next_cursor;
  }
  return seen;
}

describe("findings over domains", () => {
  it("are ordered by the points that their repair gains over all domains", async () => {
    const first = await watch("a.example.com", WARNED);
    const second = await watch("b.example.com", WARNED);
    await watch("c.example.com", { "transport.tlsrpt": { status: "fail" } });
    const { status, body } = await ask("GET", "/findings");
    expect(status).toBe(200);
    expect([body.domain_count, body.scored_count]).toEqual([3, 3]);
    expect(body.data.map((one: { check_id: string }) => one.check_id)).toEqual([
      "auth.dmarc.policy",
      "transport.tlsrpt",
    ]);
    const [policy] = body.data;
    const { gain } = (await ask("GET", `/domains/${first}`)).body.top_findings[0];
    expect(policy).toMatchObject({ severity: "warning", domain_count: 2, category: "auth" });
    expect(policy.severities).toEqual({ critical: 0, warning: 2, info: 0 });
    expect(policy.gain).toBeCloseTo(2 * gain, 5);
    expect(policy.domains).toEqual(
      [
        [first, "a.example.com"],
        [second, "b.example.com"],
      ].map(([domain_id, domain]) => ({ domain_id, domain, client_id: clientId, severity: "warning", gain })),
    );
  });

  it("have the record to publish for each domain, largest gain first, in pages", async () => {
    const large = await watch("b.example.com", WARNED);
    // Another finding caps the score, so that this repair gains nothing.
    const small = await watch("a.example.com", { ...WARNED, "auth.spf.all": { status: "fail" } });
    const { body } = await ask("GET", "/findings/auth.dmarc.policy/domains");
    const gains = body.data.map((one: { gain: number }) => one.gain);
    expect(gains).toEqual([expect.any(Number), 0]);
    expect(gains[0]).toBeGreaterThan(0);
    expect(body.data.map((one: { domain_id: string }) => one.domain_id)).toEqual([large, small]);
    expect(body.data[0]).toMatchObject({
      client_name: "Example Ltd",
      severity: "warning",
      observed: "The policy is none.",
      fix: { text: "Ask for quarantine.", record },
    });
    expect(body.data[0].fix.record.zone_file).toBe(
      '_dmarc.example.com. 3600 IN TXT "v=DMARC1; p=quarantine"',
    );
    expect(await pagesOf("/findings/auth.dmarc.policy/domains")).toEqual(body.data);
    const { problem } = await ask("GET", "/findings/auth.dmarc.colour/domains");
    expect([problem.code, problem.errors[0]?.pointer]).toEqual(["request.validation_failed", "/check_id"]);
  });

  it("are those of one client, of one domain, or of the workspace", async () => {
    const other = (await ask("POST", "/clients", { name: "Other" })).body.id;
    const id = await watch("a.example.com", WARNED);
    await watch("b.example.com", WITHOUT_DMARC, other);
    const idsOf = async (query: string) =>
      (await ask("GET", `/findings${query}`)).body.data.map((one: { check_id: string }) => one.check_id);
    expect(await idsOf(`?client_id=${clientId}`)).toEqual(["auth.dmarc.policy"]);
    expect(await idsOf(`?domain_id=${id}`)).toEqual(["auth.dmarc.policy"]);
    expect(await idsOf(`?client_id=${other}`)).toEqual(["auth.dmarc.exists"]);
    expect(await idsOf("")).toEqual(["auth.dmarc.exists", "auth.dmarc.policy"]);
    for (const [query, code] of [
      [`?client_id=${other}&domain_id=${id}`, "watched_domain.unknown"],
      ["?client_id=cl_none", "client.unknown"],
      ["?domain_id=dom_none", "watched_domain.unknown"],
      ["?workspace_id=ws_none", "workspace.unknown"],
      [`?workspace_id=ws_none&client_id=${clientId}`, "client.unknown"],
    ]) {
      const { status, problem } = await ask("GET", `/findings${query}`);
      expect([query, status, problem.code]).toEqual([query, 404, code]);
    }
  });

  it("do not count while they are muted, or while their domain is paused", async () => {
    const muted = await watch("a.example.com", WARNED);
    const paused = await watch("b.example.com", WARNED);
    const until = new Date(now().getTime() + DAY_MS).toISOString();
    await ask("PUT", `/domains/${muted}/mutes/auth.dmarc.policy`, { until });
    expect((await ask("GET", "/findings")).body.data).toMatchObject([{ domain_count: 1 }]);
    const settings = { role: "sending", dkim_selectors: [], sending_ips: [], paused: true };
    await ask("PUT", `/domains/${paused}`, settings);
    expect((await ask("GET", "/findings")).body).toMatchObject({ data: [], domain_count: 1 });
  });

  it("of domains that an earlier release has checked are the same", async () => {
    await watch("a.example.com", WARNED);
    await watch("b.example.com", WITHOUT_DMARC);
    const { body } = await ask("GET", "/findings");
    const domains = world.dashboard.identity.db.collection<WatchedDomainDocument>("watchedDomains");
    await domains.updateMany({ accountId }, { $unset: { repairs: "" } });
    expect((await ask("GET", "/findings")).body).toEqual(body);
  });
});

describe("the history of scores", () => {
  it("has the score of a domain at the end of each day", async () => {
    const id = await watch("a.example.com", WITHOUT_DMARC);
    const { score: low } = (await ask("GET", `/domains/${id}`)).body;
    await pass(3 * DAY_MS);
    world.results.set("a.example.com", sight());
    await world.check(accountId, id);
    const { status, body } = await ask("GET", `/history?domain_id=${id}`);
    expect([status, body.step, body.points.length]).toEqual([200, "day", 30]);
    const scores = body.points.map((one: { score: number | null }) => one.score);
    expect(scores.slice(0, 26)).toEqual(new Array(26).fill(null));
    expect(scores.slice(26)).toEqual([low, low, low, 100]);
    expect(body.points.at(-1)).toMatchObject({ status: "healthy", model_changed: false, domain_count: 1 });
  });

  it("has the mean score of the domains that a client and its workspace had on each day", async () => {
    const id = await watch("a.example.com");
    await pass(DAY_MS);
    const other = await watch("b.example.com", WITHOUT_DMARC);
    const { score } = (await ask("GET", `/domains/${other}`)).body;
    await pass(DAY_MS);
    await ask("DELETE", `/domains/${other}`);
    for (const query of [`?client_id=${clientId}`, ""]) {
      const { points } = (await ask("GET", `/history${query}`)).body;
      const seen = points
        .slice(-4)
        .map((one: { score: number | null; domain_count: number | null }) => [one.score, one.domain_count]);
      expect(seen).toEqual([
        [null, null],
        [100, 1],
        [Math.round(5 * (100 + score)) / 10, 2],
        [100, 1],
      ]);
    }
    expect((await ask("GET", `/history?domain_id=${id}&step=week`)).body.points).toHaveLength(30);
  });

  it("marks the step in which the score model changed", async () => {
    const id = await watch("a.example.com");
    const { db } = world.dashboard.identity;
    await pass(2 * DAY_MS);
    const at = now();
    const point = { accountId, domainId: id, at, status: "healthy", score: 90, coverage: 1, scoreModel: "3" };
    await db.collection<{ _id: string }>("scorePoints").insertOne({ _id: `${id}.later`, ...point });
    const { points } = (await ask("GET", `/history?domain_id=${id}`)).body;
    expect(points.slice(-3)).toMatchObject([
      { score_model: "2", model_changed: false },
      { score_model: "2", model_changed: false },
      { score_model: "3", model_changed: true },
    ]);
  });

  it("refuses ranges with too many steps, and without any", async () => {
    const at = (days: number) => encodeURIComponent(new Date(now().getTime() + days * DAY_MS).toISOString());
    for (const [query, pointer] of [
      [`?from=${at(-500)}`, "/from"],
      [`?from=${at(1)}`, "/from"],
      [`?from=${at(-1)}&until=${at(-2)}`, "/from"],
      ["?step=hour", "/step"],
      ["?from=yesterday", "/from"],
    ]) {
      const { status, problem } = await ask("GET", `/history${query}`);
      expect([query, status, problem.errors[0]?.pointer]).toEqual([query, 422, pointer]);
    }
    expect((await ask("GET", `/history?from=${at(-500)}&step=month`)).status).toBe(200);
  });
});

describe("blacklists, in the dashboard", () => {
  it("are listed with the state of the subjects of one client", async () => {
    await ask("POST", "/domains", { client_id: clientId, name: "example.com", sending_ips: ["8.8.8.8"] });
    const { status, body } = await ask("GET", `/blacklists/status?client_id=${clientId}&state=pending`);
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    for (const one of body.data) expect(one.state).toBe("pending");
    expect(body.summary.pending).toBeGreaterThan(0);
    const unknown = await ask("GET", "/blacklists/status?ip=8.8.4.4");
    expect([unknown.status, unknown.problem.code]).toEqual([404, "subject.not_monitored"]);
    const wrong = await ask("GET", "/blacklists/status?ip=10.0.0.1");
    expect(wrong.problem.errors[0]?.pointer).toBe("/ip");
  });

  it("show why each is not used, and how much of its budget is spent", async () => {
    const { blacklists } = world.dashboard.identity.store.acrossAccounts;
    const at = now();
    const day = at.toISOString().slice(0, 10);
    const trust = { isOn: false, contrary: 0, testedAt: at, failure: "refused" } as const;
    await blacklists.release({
      _id: "psbl",
      heldUntil: at,
      trust,
      spent: { day, queries: 120 },
      periodMs: 3_600_000,
    });
    const { body } = await ask("GET", "/blacklists");
    const of = (id: string) => body.data.find((one: { list: { id: string } }) => one.list.id === id);
    expect(of("psbl")).toMatchObject({
      state: "off",
      failure: "refused",
      reason: expect.stringMatching(/fails its test/),
      tested_at: at.toISOString(),
      queries_today: 120,
      interval_seconds: 3_600,
    });
    expect(of("spamhaus_zen")).toMatchObject({ state: "not_configured", queries_per_day: null });
    await pass(DAY_MS);
    expect(
      (await ask("GET", "/blacklists")).body.data.find(
        (one: { list: { id: string } }) => one.list.id === "psbl",
      ).queries_today,
    ).toBe(0);
  });
});

describe("sources of DMARC reports", () => {
  const report = async (id: string, name: string, sourceIp: string, failed: number, known = false) => {
    const [believed] = believedReports(name, now());
    if (believed?.kind !== "dmarc") throw new Error("the first report is one of DMARC");
    const [rollup] = believed.rollups;
    if (!rollup) throw new Error("the report has a source");
    const messages = 10;
    const alignment = { both: messages - failed, dkim: 0, spf: 0, none: failed };
    const senders = known ? { Google: messages } : {};
    const changed = { ...rollup, sourceIp, messages, alignment, senders };
    const head = { ...believed.head, key: `${name} ${sourceIp}` };
    const { aggregateReports } = world.dashboard.identity.store.forAccount(accountId);
    await aggregateReports.take(id, { ...believed, head, rollups: [changed] }, { at: now(), via: "mail" });
  };

  it("are summed by source and day over the domains of a workspace", async () => {
    const [first, second] = [await watch("a.example.com"), await watch("b.example.com")];
    await report(first, "a.example.com", "192.0.2.1", 10);
    await report(second, "b.example.com", "192.0.2.77", 4);
    await report(second, "b.example.com", "203.0.113.5", 0, true);
    const { status, body } = await ask("GET", "/dmarc/sources");
    expect(status).toBe(200);
    expect([body.days.length, body.source_count]).toEqual([7, 2]);
    expect(body.total).toMatchObject({ messages: 30, failed: 14 });
    expect(body.days.at(-1)).toMatchObject({ messages: 30, failed: 14, known_messages: 10, known_failed: 0 });
    expect(body.data).toMatchObject([
      { source: "192.0.2.0/24", known: false, address_count: 2, domain_count: 2, sums: { failed: 14 } },
      { source: "Google", known: true, domains: ["b.example.com"], sums: { passed: 10 } },
    ]);
    expect(body.data[0].failed_by_day).toEqual([0, 0, 0, 0, 0, 0, 14]);
    expect(await pagesOf("/dmarc/sources")).toEqual(body.data);
    const sources = async (query: string) =>
      (await ask("GET", `/dmarc/sources${query}`)).body.data.map((one: { source: string }) => one.source);
    expect(await sources("?result=fail")).toEqual(["192.0.2.0/24"]);
    expect(await sources("?result=pass")).toEqual(["Google", "192.0.2.0/24"]);
    expect(await sources("?known=true")).toEqual(["Google"]);
    expect(await sources(`?domain_id=${first}`)).toEqual(["192.0.2.0/24"]);
    expect((await ask("GET", "/dmarc/sources?known=false")).body.total.messages).toBe(20);
    const before = encodeURIComponent(new Date(now().getTime() - DAY_MS).toISOString());
    const earlier = await ask("GET", `/dmarc/sources?until=${before}`);
    expect(earlier.body).toMatchObject({ data: [], source_count: 0 });
  });

  it("refuse a range of more than 92 days", async () => {
    const from = encodeURIComponent(new Date(now().getTime() - 93 * DAY_MS).toISOString());
    const { status, problem } = await ask("GET", `/dmarc/sources?from=${from}`);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/from"]);
  });
});

describe("mutes", () => {
  it("are listed with their reason and author by their end, until they end", async () => {
    const [first, second] = [await watch("a.example.com"), await watch("b.example.com")];
    const until = (days: number) => new Date(now().getTime() + days * DAY_MS).toISOString();
    const [soon, late] = [until(1), until(3)];
    const reason = "The provider moves in March.";
    await ask("PUT", `/domains/${first}/mutes/auth.dmarc.policy`, { until: late, reason });
    await ask("PUT", `/domains/${second}/mutes/auth.spf.all`, { until: soon });
    const { body } = await ask("GET", "/mutes");
    expect(body.data).toMatchObject([
      { domain_id: second, domain: "b.example.com", check_id: "auth.spf.all", until: soon, reason: null },
      { domain_id: first, check_id: "auth.dmarc.policy", until: late, reason, by: { kind: "user" } },
    ]);
    expect(body.data[1].at).toBe(now().toISOString());
    expect(await pagesOf("/mutes")).toEqual(body.data);
    expect((await ask("GET", `/mutes?domain_id=${first}`)).body.data).toEqual([body.data[1]]);
    await pass(2 * DAY_MS);
    expect((await ask("GET", "/mutes")).body.data).toEqual([body.data[1]]);
    await ask("DELETE", `/domains/${first}/mutes/auth.dmarc.policy`);
    expect((await ask("GET", "/mutes")).body.data).toEqual([]);
  });

  it("refuse a reason of more than 500 characters", async () => {
    const id = await watch("a.example.com");
    const until = new Date(now().getTime() + DAY_MS).toISOString();
    const asked = { until, reason: "x".repeat(501) };
    const { status, problem } = await ask("PUT", `/domains/${id}/mutes/auth.dmarc.policy`, asked);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/reason"]);
  });
});

describe("changes of a client", () => {
  it("are listed by kind and time", async () => {
    const other = (await ask("POST", "/clients", { name: "Other" })).body.id;
    const id = await watch("a.example.com");
    await watch("b.example.com", {}, other);
    await pass(DAY_MS);
    const from = encodeURIComponent(now().toISOString());
    world.results.set("a.example.com", sight(WARNED));
    await world.check(accountId, id);
    const kinds = async (query: string) =>
      (await ask("GET", `/changes${query}`)).body.data.map((one: { kind: string }) => one.kind);
    const [opened, status] = ["finding.opened", "watched_domain.status_changed"];
    expect(await kinds(`?client_id=${clientId}`)).toEqual([opened, status, status]);
    expect(await kinds(`?client_id=${other}`)).toEqual([status]);
    expect(await kinds(`?from=${from}`)).toEqual([opened, status]);
    expect(await kinds(`?until=${from}`)).toEqual([status, status]);
    expect(await kinds(`?kind=finding.opened`)).toEqual([opened]);
    expect(await kinds(`?kind=finding.opened&kind=finding.resolved&client_id=${other}`)).toEqual([]);
    expect(await pagesOf(`/changes?kind=${status}`)).toHaveLength(3);
    for (const [query, code] of [
      ["?client_id=cl_none", "client.unknown"],
      ["?kind=finding.vanished", "request.validation_failed"],
      [`?from=${from}&until=${from}`, "request.validation_failed"],
    ])
      expect((await ask("GET", `/changes${query}`)).problem.code).toBe(code);
  });
});

it("summaries of another account's clients and domains answer 404, as if they did not exist", async () => {
  const id = await watch("a.example.com", WARNED);
  const stranger = { token: (await world.dashboard.identity.memberOf(await world.newAccount())).token };
  for (const path of [
    "/findings",
    "/findings/auth.dmarc.policy/domains",
    "/history",
    "/dmarc/sources",
    "/mutes",
    "/blacklists/status",
  ]) {
    const ofClient = await ask("GET", `${path}?client_id=${clientId}`, undefined, stranger);
    expect([path, ofClient.status, ofClient.problem.code]).toEqual([path, 404, "client.unknown"]);
    const ofDomain = await ask("GET", `${path}?domain_id=${id}`, undefined, stranger);
    expect([path, ofDomain.status, ofDomain.problem.code]).toEqual([path, 404, "watched_domain.unknown"]);
    const ofAll = await ask("GET", path, undefined, stranger);
    expect(JSON.stringify(ofAll.body)).not.toContain("a.example.com");
  }
});
