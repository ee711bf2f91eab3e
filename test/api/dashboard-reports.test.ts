import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createReportJob } from "../../src/core/intel/report-job.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { createReportLinkTokens } from "../../src/message/report-link-token.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { testAudit } from "../harness/audit.ts";
import type { Method } from "../harness/dashboard.ts";
import { type IntelWorld, openIntelWorld, sight } from "../harness/intel-world.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

const DAY_MS = 86_400_000;
const log = createLogger("silent");

let world: IntelWorld;
let accountId: string;
let token: string;
let clientId: string;
let domainId: string;
let count = 0;

/** Two domains become a job. */
beforeAll(async () => {
  world = await openIntelWorld({ promptReports: { domains: 1, waitMs: 60_000 } });
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  clientId = (await ask("POST", "/clients", { name: "Nordwind AG" })).body.id;
  domainId = await addDomain();
});

const ask = (method: Method, path: string, body?: unknown, asked: object = {}) =>
  world.dashboard.ask(method, `/api/intel${path}`, {
    token,
    ...asked,
    ...(body !== undefined && { body }),
  });
const now = () => world.dashboard.identity.time.clock.now();

async function addDomain(): Promise<string> {
  const name = `n${count++}.example.com`;
  world.results.set(name, sight({ "auth.dmarc.policy": { status: "warn" } }));
  const { body } = await ask("POST", "/domains", { client_id: clientId, name });
  await world.check(accountId, body.id);
  return body.id;
}

async function create(changes: object = {}) {
  const asked = { scope: { type: "client", id: clientId }, format: "html", ...changes };
  return ask("POST", "/reports", asked);
}

/** Opens a link like a person without a session. */
const open = (path: string, headers: object = { accept: "text/html" }, method: "GET" | "HEAD" = "GET") =>
  world.dashboard.app.inject({ method, url: path, headers: { host: "api.test", ...headers } });

async function share(id: string, body: object = {}) {
  const created = await ask("POST", `/reports/${id}/links`, body);
  expect(created.status).toBe(201);
  return { ...created.body, path: `/report/${created.body.token}` };
}

async function runJobs(): Promise<void> {
  const { store, intel, time } = world.dashboard.identity;
  const { clock, timers } = time;
  const kinds = [createReportJob({ store, intel, clock, log })];
  const signal = new AbortController().signal;
  await createRunJobs({ jobs: store.acrossAccounts.jobs, kinds, clock, timers, log, signal })();
}

describe("reports, in the dashboard", () => {
  it("are created, read, listed, opened in every format, and removed", async () => {
    const created = await create();
    expect([created.status, created.headers.location]).toEqual([
      201,
      `/api/intel/reports/${created.body.id}`,
    ]);
    const { id } = created.body;
    expect(created.body).toMatchObject({
      scope: { type: "client", id: clientId, name: "Nordwind AG" },
      format: "html",
      paper: null,
      state: "ready",
      progress: null,
      reason: null,
      reason_parts: [],
      generated_at: now().toISOString(),
      expires_at: new Date(now().getTime() + 400 * DAY_MS).toISOString(),
    });
    expect((await ask("GET", `/reports/${id}`)).body).toEqual(created.body);
    expect((await ask("GET", "/reports")).body).toEqual({ data: [created.body], has_more: false });
    const html = await ask("GET", `/reports/${id}/document`);
    expect([html.status, html.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(html.headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
    expect(html.body).toContain("Nordwind AG");
    const pdf = await ask("GET", `/reports/${id}/document?format=pdf`);
    expect([pdf.status, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(pdf.headers["content-disposition"]).toMatch(
      /^attachment; filename="deliverability-client-.*\.pdf"$/,
    );
    expect(pdf.body).toMatch(/^%PDF/);
    expect((await ask("GET", `/reports/${id}/document?format=pdf`)).body).toBe(pdf.body);
    const json = await ask("GET", `/reports/${id}/document?format=json`);
    expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
    const read = typeof json.body === "string" ? JSON.parse(json.body) : json.body;
    expect(read).toMatchObject({ id, findings: [{ check_id: "auth.dmarc.policy" }] });
    expect((await ask("DELETE", `/reports/${id}`)).status).toBe(204);
    for (const path of ["", "/document", "/document?format=json"])
      expect((await ask("GET", `/reports/${id}${path}`)).problem.code).toBe("report.unknown");
    expect((await ask("DELETE", `/reports/${id}`)).problem.code).toBe("report.unknown");
    expect((await ask("GET", "/reports")).body.data).toEqual([]);
    const { db } = world.dashboard.identity;
    const parts = await db.collection("intelReportParts").find({ accountId, reportId: id }).toArray();
    expect(parts.map(({ format }) => format)).toEqual(["removed"]);
  });

  it("of several domains become a job: 202 with the progress, then the report", async () => {
    await addDomain();
    const begun = await create({ format: "pdf", paper: "letter" });
    const { id } = begun.body;
    expect([begun.status, begun.headers["retry-after"]]).toEqual([202, "2"]);
    expect(begun.body).toMatchObject({
      state: "queued",
      format: "pdf",
      paper: "letter",
      progress: { done: 0, total: 2 },
      generated_at: null,
      scope: { id: clientId, name: null },
    });
    expect((await ask("GET", `/reports/${id}`)).body).toEqual(begun.body);
    expect((await ask("GET", "/reports")).body.data).toEqual([]);
    for (const [method, path, body] of [
      ["DELETE", "", undefined],
      ["GET", "/document", undefined],
    ] as const)
      expect((await ask(method, `/reports/${id}${path}`, body)).problem.code).toBe("report.not_ready");
    expect((await ask("POST", `/reports/${id}/links`, {})).problem.code).toBe("report.unknown");
    await runJobs();
    expect((await ask("GET", `/reports/${id}`)).body).toMatchObject({ state: "ready", progress: null });
    expect((await ask("GET", `/reports/${id}/document?format=pdf`)).status).toBe(200);
    const cancelled = (await create()).body.id;
    await world.dashboard.identity.operator.jobs.cancelJob({
      accountId,
      id: cancelled.replace("rpt_", "job_"),
    });
    await runJobs();
    const ended = (await ask("GET", `/reports/${cancelled}`)).body;
    expect(ended).toMatchObject({ state: "cancelled", progress: null });
    expect(ended.reason_parts).toEqual([{ code: "report.cancelled" }]);
    expectTextsOfParts(ended);
    const failing = (await create()).body.id;
    await world.dashboard.identity.db.collection("watchedDomains").deleteMany({ accountId });
    await runJobs();
    const failed = (await ask("GET", `/reports/${failing}`)).body;
    expect([failed.state, failed.progress]).toEqual(["failed", null]);
    expect(failed.reason_parts).toEqual([
      { code: "report.not_created_because", params: { code: "report.empty", detail: expect.any(String) } },
    ]);
    expectTextsOfParts(failed);
  });

  it("are created once for an Idempotency-Key, and not again after their removal", async () => {
    const asked = { scope: { type: "domain", id: domainId } };
    const headers = { "idempotency-key": "january" };
    const first = await ask("POST", "/reports", asked, { headers });
    const again = await ask("POST", "/reports", asked, { headers });
    expect([again.status, again.body, again.headers["idempotent-replayed"]]).toEqual([
      201,
      first.body,
      "true",
    ]);
    await ask("DELETE", `/reports/${first.body.id}`);
    const removed = await ask("POST", "/reports", asked, { headers });
    expect([removed.status, removed.problem.code]).toEqual([404, "report.unknown"]);
    expect((await ask("GET", "/reports")).body.data).toEqual([]);
  });

  it("that are removed while a job finishes stay removed", async () => {
    await addDomain();
    const { id } = (await create()).body;
    await runJobs();
    await ask("DELETE", `/reports/${id}`);
    const { store } = world.dashboard.identity;
    const late = {
      _id: id,
      workspaceId: "ws_1",
      generatedAt: now(),
      expireAt: now(),
      filesId: "rpt_late",
      scope: { type: "client", id: clientId, name: "Nordwind AG" } as const,
      period: { from: new Date(0), to: now() },
    };
    await store.forAccount(accountId).reports.add(late, [], testAudit);
    expect((await ask("GET", `/reports/${id}`)).problem.code).toBe("report.unknown");
  });

  it("are listed by subject and time, latest first, in pages", async () => {
    const ids: string[] = [];
    for (const scope of [
      { type: "client", id: clientId },
      { type: "domain", id: domainId },
      { type: "workspace" },
    ]) {
      ids.unshift((await create({ scope })).body.id);
      world.dashboard.identity.time.pass(60_000);
    }
    const listed = async (query: string) =>
      (await ask("GET", `/reports?${query}`)).body.data.map((one: { readonly id: string }) => one.id);
    expect(await listed("")).toEqual(ids);
    expect(await listed("scope_type=domain")).toEqual([ids[1]]);
    expect(await listed(`scope_id=${clientId}`)).toEqual([ids[2]]);
    expect(await listed(`scope_id=${clientId}&scope_type=domain`)).toEqual([]);
    const middle = (await ask("GET", `/reports/${ids[1]}`)).body.created_at;
    expect(await listed(`from=${middle}`)).toEqual([ids[0], ids[1]]);
    expect(await listed(`until=${middle}`)).toEqual([ids[2]]);
    const first = (await ask("GET", "/reports?limit=2")).body;
    expect(first.data.map(({ id }: { readonly id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(await listed(`limit=2&cursor=${first.next_cursor}`)).toEqual(ids.slice(2));
    const other = (await ask("POST", "/workspaces", { name: "Other" })).body.id;
    expect(await listed(`workspace_id=${other}`)).toEqual([]);
    for (const [query, pointer] of [
      ["scope_type=moon", "/scope_type"],
      ["from=yesterday", "/from"],
      [`from=${middle}&until=${middle}`, "/until"],
    ] as const)
      expect((await ask("GET", `/reports?${query}`)).problem.errors?.[0]?.pointer).toBe(pointer);
    expect((await ask("GET", `/reports?cursor=${first.next_cursor}&scope_type=client`)).problem.code).toBe(
      "cursor.invalid",
    );
  });

  it("are refused beyond six per minute and member, and for scopes of others", async () => {
    const scope = { type: "domain", id: domainId };
    for (let n = 0; n < 6; n++) expect((await create({ scope })).status).toBe(201);
    const refused = await create({ scope });
    expect([refused.status, refused.problem.code]).toEqual([429, "rate.limited"]);
    world.dashboard.identity.time.pass(61_000);
    for (const [type, code] of [
      ["client", "client.unknown"],
      ["domain", "watched_domain.unknown"],
    ] as const)
      expect((await create({ scope: { type, id: "none" } })).problem.code).toBe(code);
    expect((await create({ format: "docx" })).problem.errors?.[0]?.pointer).toBe("/format");
  });

  it("are opened only from the pages of this installation", async () => {
    const { id } = (await create()).body;
    const headers = { "sec-fetch-site": "cross-site" };
    const refused = await ask("GET", `/reports/${id}/document`, undefined, { headers });
    expect(refused.problem.code).toBe("request.cross_site");
  });
});

describe("a link to a report", () => {
  it("opens the report without a session, offers the PDF, and counts both", async () => {
    const { id } = (await create()).body;
    const link = await share(id, { expires_in_days: 7, note: "For the board" });
    expect(link).toMatchObject({
      report_id: id,
      report_name: "Nordwind AG",
      note: "For the board",
      state: "active",
      opens: 0,
      downloads: 0,
      first_opened_at: null,
      expires_at: new Date(now().getTime() + 7 * DAY_MS).toISOString(),
    });
    const page = await open(link.path);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(page.headers["content-security-policy"]).toMatch(
      /^sandbox allow-downloads; default-src 'none';.* frame-ancestors 'none'$/,
    );
    expect(page.body).toContain(`href="${link.path}/pdf"`);
    expect(page.body).toContain("Nordwind AG");
    for (const secret of [accountId, "For the board", link.id]) expect(page.body).not.toContain(secret);
    const pdf = await open(`${link.path}/pdf`);
    expect([pdf.statusCode, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(pdf.headers["content-disposition"]).toMatch(/^attachment; /);
    expect(pdf.headers["x-robots-tag"]).toBe("noindex");
    // No person has seen these.
    await open(link.path, { accept: "text/html" }, "HEAD");
    await open(link.path, { accept: "text/html", "sec-purpose": "prefetch" });
    const [counted] = (await ask("GET", `/report-links?report_id=${id}`)).body.data;
    expect(counted).toMatchObject({
      opens: 1,
      downloads: 1,
      first_opened_at: now().toISOString(),
      last_opened_at: now().toISOString(),
    });
    expect(counted).not.toHaveProperty("token");
    expect((await ask("GET", "/report-links")).body.data).toEqual([counted]);
  });

  it("stops working when it expires, is revoked, or its report is removed", async () => {
    const { id } = (await create()).body;
    const revoked = await share(id);
    const ending = await share(id, { expires_in_days: 1 });
    const [removed, kept] = [await share(id), await share((await create()).body.id)];
    const gone = await ask("DELETE", `/report-links/${revoked.id}`);
    expect(gone.body).toMatchObject({ state: "revoked", revoked_at: now().toISOString() });
    expect((await ask("DELETE", `/report-links/${revoked.id}`)).body).toEqual(gone.body);
    await expectInvalid(revoked.path);
    world.dashboard.identity.time.pass(DAY_MS - 1);
    expect((await open(ending.path)).statusCode).toBe(200);
    world.dashboard.identity.time.pass(1);
    await expectInvalid(ending.path);
    token = (await world.dashboard.identity.memberOf(accountId)).token;
    const states = (await ask("GET", `/report-links?report_id=${id}`)).body.data;
    expect(states.map((one: { readonly state: string }) => one.state).toSorted()).toEqual([
      ...["active", "expired", "revoked"],
    ]);
    await ask("DELETE", `/reports/${id}`);
    await expectInvalid(removed.path);
    expect((await open(kept.path)).statusCode).toBe(200);
    expect((await ask("GET", `/report-links?report_id=${id}`)).problem.code).toBe("report.unknown");
  });

  it("does not work with another token, secret, link or account", async () => {
    const { id } = (await create()).body;
    const { token: genuine, id: linkId } = await share(id);
    const secret = await world.dashboard.identity.store.secrets.getOrCreate("report-link");
    const tokens = createReportLinkTokens(secret);
    expect(tokens.decode(genuine)).toEqual({ accountId, linkId });
    const other = await world.newAccount();
    for (const wrong of [
      "x",
      genuine.slice(0, -1),
      `${genuine}A`,
      createReportLinkTokens(Buffer.alloc(32, 1)).encode({ accountId, linkId }),
      tokens.encode({ accountId: other, linkId }),
      tokens.encode({ accountId, linkId: "rpl_none" }),
    ])
      await expectInvalid(`/report/${wrong}`);
    expect((await open(`/report/${genuine}/html`)).statusCode).toBe(404);
  });

  it("is refused for a while when it is opened often", async () => {
    const { path } = await share((await create()).body.id);
    const statuses = new Set<number>();
    for (let n = 0; n < 31; n++) statuses.add((await open(path)).statusCode);
    expect([...statuses]).toEqual([200, 429]);
  });

  it.each([
    [{ expires_in_days: 0 }, "/expires_in_days"],
    [{ expires_in_days: 91 }, "/expires_in_days"],
    [{ note: "x".repeat(201) }, "/note"],
    [{ note: "a\nb" }, "/note"],
    [{ more: 1 }, "/more"],
  ])("is refused with %j, and nothing is created", async (body, pointer) => {
    const { id } = (await create()).body;
    const refused = await ask("POST", `/reports/${id}/links`, body);
    expect([refused.status, refused.problem.errors?.[0]?.pointer]).toEqual([422, pointer]);
    expect((await ask("GET", "/report-links")).body.data).toEqual([]);
  });

  it("can exist at most 100 times for a report", async () => {
    const { id } = (await create()).body;
    const first = await share(id);
    const { db } = world.dashboard.identity;
    const copy = await db.collection("reportLinks").findOne({ accountId });
    const copies = Array.from({ length: 99 }, (_, n) => ({ ...copy, _id: `${first.id}${n}` }));
    await db.collection("reportLinks").insertMany(copies as never);
    const { status, problem } = await ask("POST", `/reports/${id}/links`, {});
    expect([status, problem.code]).toEqual([422, "report.too_many_links"]);
  });

  it("is created, revoked and removed only with the permission to change", async () => {
    const { id } = (await create()).body;
    const link = await share(id);
    token = (await world.dashboard.identity.memberOf(accountId, "viewer")).token;
    expect((await ask("GET", `/reports/${id}/document`)).status).toBe(200);
    for (const [method, path, body] of [
      ["POST", "/reports", { scope: { type: "client", id: clientId } }],
      ["DELETE", `/reports/${id}`, undefined],
      ["POST", `/reports/${id}/links`, {}],
      ["DELETE", `/report-links/${link.id}`, undefined],
    ] as const)
      expect((await ask(method, path, body)).problem.code).toBe("auth.permission_missing");
  });
});

/** The link answers with a plain page, and with a problem document for programs. */
async function expectInvalid(path: string): Promise<void> {
  for (const below of ["", "/pdf"]) {
    const page = await open(`${path}${below}`);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.body).toContain("This link does not work");
    expect(page.headers["x-robots-tag"]).toBe("noindex");
  }
  const { statusCode, body } = await open(path, { accept: "*/*" });
  expect([statusCode, JSON.parse(body).code]).toEqual([404, "report.link_invalid"]);
}
