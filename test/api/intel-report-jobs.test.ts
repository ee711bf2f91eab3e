import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReportJob } from "../../src/core/intel/report-job.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import type { ReportRenderer } from "../../src/intel/reports/render-report.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { type IntelWorld, type OpenedWorkspace, openIntelWorld, sight } from "../harness/intel-world.ts";

const BASE = "/api/deliverability/v1";
const WORKSPACE = { scope: { type: "workspace" } } as const;
const log = createLogger("silent");

let world: IntelWorld;
let accountId: string;
let workspace: OpenedWorkspace;

/** A world in which reports of many domains, and slow reports, become jobs. */
async function open(promptReports: { readonly domains: number; readonly waitMs: number }): Promise<void> {
  world = await openIntelWorld({ promptReports });
  world.results.set("example.com", sight({ "auth.dmarc.policy": { status: "warn" } }));
  accountId = await world.newAccount();
  workspace = await inhabited("Agency");
}
beforeEach(() => open({ domains: 0, waitMs: 60_000 }));
afterEach(() => world.close());

async function inhabited(name: string): Promise<OpenedWorkspace> {
  const opened = await world.newWorkspace(accountId, name);
  const ask = (path: string, body: object) => world.ask("POST", path, { key: opened.key, body });
  const { id } = (await ask("/clients", { name: "Example Ltd" })).body;
  const { body } = await ask("/domains", { client_id: id, name: "example.com" });
  await world.check(accountId, body.id);
  return opened;
}

const generate = (wish: object = WORKSPACE, key?: string) =>
  world.ask("POST", "/reports/generate", {
    key: workspace.key,
    body: wish,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const get = (id: string, key = workspace.key) => world.ask("GET", `/reports/${id}`, { key });

/** Runs waiting jobs like a process that has just started. */
async function runJobs(reports?: ReportRenderer, signal = new AbortController().signal): Promise<void> {
  const { store, intel, time } = world.dashboard.identity;
  const { clock, timers } = time;
  const needs = { store, intel: { ...intel, ...(reports && { reports }) }, clock, log };
  const kinds = [createReportJob(needs)];
  await createRunJobs({ jobs: store.acrossAccounts.jobs, kinds, clock, timers, log, signal })();
}

const jobs = async () => (await world.dashboard.identity.operator.jobs.listJobs({ accountId })).jobs;

describe("a report that is large", () => {
  it.each([
    ["json", "application/json; charset=utf-8", 1],
    ["html", "text/html; charset=utf-8", 2],
    ["pdf", "application/pdf", 2],
  ])("is created by a job: 202 with its progress, then the report as %s", async (format, type, total) => {
    const begun = await generate({ ...WORKSPACE, format });
    expect([begun.status, begun.headers["retry-after"]]).toEqual([202, "2"]);
    const { id } = begun.body;
    expect(begun.headers.location).toBe(`${BASE}/reports/${id}`);
    expect(begun.body).toMatchObject({
      state: "queued",
      progress: { done: 0, total },
      url: `${BASE}/reports/${id}`,
    });
    expect(await get(id)).toMatchObject({ status: 202, body: begun.body });
    await runJobs();
    const ready = await get(id);
    expect([ready.status, ready.headers["content-type"], ready.headers["x-report-id"]]).toEqual([
      200,
      type,
      id,
    ]);
    expect(ready.headers["content-disposition"]).toContain(`.${format}"`);
    if (format === "json")
      expect(ready.body).toMatchObject({ id, findings: [{ check_id: "auth.dmarc.policy" }] });
    expect((await get(id)).body).toEqual(ready.body);
  });

  it("continues in another process with the step at which a process stopped", async () => {
    const { id } = (await generate({ ...WORKSPACE, format: "pdf" })).body;
    const { reports } = world.dashboard.identity.intel;
    const ending = new AbortController();
    const left: ReportRenderer = {
      ...reports,
      render: async (request, limits) => {
        if (request.kind !== "build") ending.abort();
        return request.kind === "build"
          ? reports.render(request, limits)
          : { kind: "failed", reason: "it ends" };
      },
    };
    await runJobs(left, ending.signal);
    expect((await get(id)).body).toMatchObject({ state: "running", progress: { done: 1, total: 2 } });
    await runJobs();
    expect((await get(id)).status).toBe(200);
  });

  it("is created once for an Idempotency-Key, during and after its creation", async () => {
    const first = await generate(WORKSPACE, "january");
    const again = await generate(WORKSPACE, "january");
    expect([again.status, again.body.id, again.headers["idempotent-replayed"]]).toEqual([
      202,
      first.body.id,
      "true",
    ]);
    const other = await generate({ ...WORKSPACE, format: "html" }, "january");
    expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
    expect(await jobs()).toHaveLength(1);
    await runJobs();
    const ready = await generate(WORKSPACE, "january");
    expect([ready.status, ready.body.id, ready.headers["idempotent-replayed"]]).toEqual([
      201,
      first.body.id,
      "true",
    ]);
    expect(await jobs()).toHaveLength(1);
  });

  it("starts its job again if the process ended after it stored the answer and before it started the job", async () => {
    const { id } = (await generate(WORKSPACE, "january")).body;
    await world.dashboard.identity.db.collection("jobs").deleteMany({ accountId });
    const again = await generate(WORKSPACE, "january");
    expect([again.status, again.body.id]).toEqual([202, id]);
    await runJobs();
    expect((await get(id)).status).toBe(200);
  });

  it("is one of ten open jobs of an account at most: the next is 409 `job.too_many`", async () => {
    for (let count = 0; count < 10; count++) {
      expect((await generate()).status).toBe(202);
      if (count % 5 === 4) world.dashboard.identity.time.pass(60_000);
    }
    const { status, problem } = await generate();
    expect([status, problem.code]).toEqual([409, "job.too_many"]);
  });

  it("reports why it could not be created, instead of 500 or advice to try another format", async () => {
    const { id } = (await generate({ ...WORKSPACE, format: "pdf" }, "january")).body;
    const { reports } = world.dashboard.identity.intel;
    await runJobs({
      ...reports,
      render: async () => ({ kind: "over_limit", reason: "rendering takes more than 512 MB" }),
    });
    const failed = await get(id);
    expect([failed.status, failed.problem.code]).toEqual([409, "report.failed"]);
    expect(failed.problem.detail).toContain("report.over_limit");
    expect((await generate({ ...WORKSPACE, format: "pdf" }, "january")).problem.code).toBe("report.failed");
  });

  it("waits while other reports are written", async () => {
    const { id } = (await generate()).body;
    const { reports } = world.dashboard.identity.intel;
    await runJobs({ ...reports, render: async () => ({ kind: "busy" }) });
    expect((await get(id)).body).toMatchObject({ state: "running", progress: { done: 0 } });
    world.dashboard.identity.time.pass(2_000);
    await runJobs();
    expect((await get(id)).status).toBe(200);
  });

  it("reports that its job was cancelled", async () => {
    const { id } = (await generate()).body;
    const [job] = await jobs();
    await world.dashboard.identity.operator.jobs.cancelJob({ accountId, id: job?.id ?? "" });
    const { status, problem } = await get(id);
    expect([status, problem.code, problem.detail]).toEqual([
      409,
      "report.failed",
      "The job of the report was cancelled. Generate the report again.",
    ]);
  });

  it("is 404 to another workspace and to another account, ready or not", async () => {
    const { id } = (await generate()).body;
    const others = [
      await world.newWorkspace(accountId, "Other"),
      await world.newWorkspace(await world.newAccount(), "Foreign"),
    ];
    for (const isReady of [false, true]) {
      if (isReady) await runJobs();
      expect((await get(id)).status).toBe(isReady ? 200 : 202);
      for (const { key } of others) {
        const { status, problem } = await get(id, key);
        expect([isReady, status, problem.code]).toEqual([isReady, 404, "report.unknown"]);
      }
    }
    for (const unknown of ["rpt_none", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9", id.replace("rpt_", "job_"), "%00"])
      expect([unknown, (await get(unknown)).problem.code]).toEqual([unknown, "report.unknown"]);
  });
});

describe("a report that is small", () => {
  it("is returned at once, and found by its id", async () => {
    await world.close();
    await open({ domains: 1, waitMs: 60_000 });
    const { status, body } = await generate();
    expect(status).toBe(201);
    expect(await get(body.id)).toMatchObject({ status: 200, body });
    expect(await jobs()).toEqual([]);
  });

  it("becomes a job if it takes longer than a client waits", async () => {
    await world.close();
    await open({ domains: 1, waitMs: 0 });
    const { status, body } = await generate(WORKSPACE, "january");
    expect(status).toBe(202);
    await runJobs();
    expect((await get(body.id)).status).toBe(200);
    expect((await generate(WORKSPACE, "january")).status).toBe(201);
  });
});
