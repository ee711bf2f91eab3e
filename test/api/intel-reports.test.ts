import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IntelWorld, type OpenedWorkspace, openIntelWorld, sight } from "../harness/intel-world.ts";

let world: IntelWorld;
let accountId: string;
let workspace: OpenedWorkspace;
let clientId: string;

beforeAll(async () => {
  world = await openIntelWorld();
  world.results.set("example.com", sight({ "auth.dmarc.policy": { status: "warn" } }));
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  workspace = await world.newWorkspace(accountId, "Agency");
  clientId = (await post("/clients", { name: "Example Ltd", locale: "en-GB", timezone: "Europe/Berlin" }))
    .body.id;
});

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  world.ask("POST", path, { key: workspace.key, body, headers });
const report = (wish: object, headers: Readonly<Record<string, string>> = {}) =>
  post("/reports/generate", wish, headers);
const domain = async (name = "example.com") => {
  const { id } = (await post("/domains", { client_id: clientId, name })).body;
  await world.check(accountId, id);
  return id as string;
};

describe("POST /reports/generate", () => {
  it("answers with the report as JSON, in the client's form and time zone", async () => {
    const id = await domain();
    const { status, body, headers } = await report({ scope: { type: "client", id: clientId } });
    expect(status).toBe(201);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["x-report-id"]).toBe(body.id);
    expect(body.scope).toMatchObject({ type: "client", id: clientId, name: "Example Ltd" });
    expect(body.findings).toMatchObject([{ check_id: "auth.dmarc.policy" }]);
    expect(JSON.stringify(body)).toContain(id);
    expect([body.locale, body.timezone]).toEqual(["en-GB", "Europe/Berlin"]);
  });

  it.each([
    ["html", "text/html; charset=utf-8", "<!doctype html>"],
    ["pdf", "application/pdf", "%PDF-"],
  ])("answers with %s as one document with a file name", async (format, type, start) => {
    const id = await domain();
    const { status, body, headers } = await report({ scope: { type: "domain", id }, format });
    expect([status, headers["content-type"]]).toEqual([201, type]);
    expect(headers["content-disposition"]).toMatch(
      new RegExp(`filename="?deliverability-example\\.com-\\d{4}-\\d\\d-\\d\\d\\.${format}`),
    );
    expect(String(body).slice(0, start.length).toLowerCase()).toBe(start.toLowerCase());
  });

  it("creates one report for an idempotency key, even after changes", async () => {
    const id = await domain();
    const wish = { scope: { type: "domain", id } };
    const headers = { "idempotency-key": "january" };
    const first = await report(wish, headers);
    await world.check(accountId, id);
    const again = await report(wish, headers);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    expect(again.body).toEqual(first.body);
    const other = await report({ ...wish, format: "html" }, headers);
    expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
  });

  it("names the invalid fields, and creates nothing", async () => {
    const scope = { type: "workspace" };
    for (const [wish, pointer] of [
      [{}, "/scope"],
      [{ scope: { type: "account" } }, "/scope/type"],
      [{ scope: { type: "client" } }, "/scope/id"],
      [{ scope, format: "docx" }, "/format"],
      [{ scope, sections: ["gossip"] }, "/sections/0"],
      [{ scope, timezone: "Mars/Olympus" }, "/timezone"],
      [{ scope, locale: "not a locale" }, "/locale"],
      [{ scope, locale: "de-DE" }, "/locale"],
      [{ scope, branding: { color: "blue" } }, "/branding/color"],
      [{ scope, period: { from: "2020-01-01T00:00:00Z", to: "2024-01-01T00:00:00Z" } }, "/period"],
      [{ scope, period: { from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z" } }, "/period"],
      [{ scope, title: "Mine" }, "/title"],
    ] as const) {
      const { status, problem } = await report(wish);
      expect([wish, status, problem.errors[0]?.pointer.startsWith(pointer)]).toEqual([wish, 422, true]);
    }
  });

  it("creates at most six reports per minute for a key, and reports the time of the next", async () => {
    await domain();
    const wish = { scope: { type: "workspace" } };
    for (let count = 0; count < 6; count++) expect((await report(wish)).status).toBe(201);
    const { status, problem, headers } = await report(wish);
    expect([status, problem.code]).toEqual([429, "rate.limited"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    const other = await world.newWorkspace(accountId, "Other");
    const asked = await world.ask("POST", "/reports/generate", { key: other.key, body: wish });
    expect([asked.status, asked.problem.code]).toEqual([422, "report.empty"]);
    world.dashboard.identity.time.pass(60_000);
    expect((await report(wish)).status).toBe(201);
  });
});
