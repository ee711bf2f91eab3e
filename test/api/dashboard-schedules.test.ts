import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Method } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelWorld, openIntelWorld } from "../harness/intel-world.ts";

let world: IntelWorld;
let accountId: string;
let token: string;
let clientId: string;
let count = 0;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  const { identity } = world.dashboard;
  accountId = await world.newAccount();
  token = (await identity.memberOf(accountId)).token;
  await allowSending(identity, accountId);
  const contacts = { contact_emails: ["it@client.example"], timezone: "Europe/Berlin" };
  clientId = (await ask("POST", "/intel/clients", { name: "Nordwind AG", ...contacts })).body.id;
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.dashboard.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const weekly = (changes: object = {}) => ({
  name: "Weekly report",
  scope: { type: "client", id: clientId },
  cadence: "weekly",
  from: "Acme <reports@example.com>",
  ...changes,
});
const create = (changes: object = {}) => ask("POST", "/intel/schedules", weekly(changes));

describe("schedules of reports, in the dashboard", () => {
  it("are created with defaults, listed, read, replaced and removed", async () => {
    const made = await create();
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        name: "Weekly report",
        scope: { type: "client", id: clientId },
        cadence: "weekly",
        weekday: 1,
        day: null,
        hour: 8,
        timezone: "Europe/Berlin",
        format: "pdf",
        paper: "a4",
        sections: [],
        locale: null,
        branding: null,
        recipients: [],
        routing_policy: null,
        paused: false,
        under_way: null,
        last_run: null,
        from: "Acme <reports@example.com>",
      },
    ]);
    expect(Date.parse(made.body.next_run_at)).toBeGreaterThan(Date.parse(made.body.created_at));
    const path = `/intel/schedules/${made.body.id}`;
    expect((await ask("GET", path)).body).toEqual(made.body);
    const whole = {
      name: "Monthly report",
      scope: { type: "workspace" },
      cadence: "monthly",
      day: 15,
      hour: 0,
      timezone: "America/New_York",
      format: "html",
      paper: "letter",
      sections: ["changes", "fixes"],
      locale: "en-us",
      branding: { name: "Acme", color: "#0b5394" },
      paused: true,
      recipients: ["ada@client.example", "ADA@client.example"],
      from: "reports@example.com",
      routing_policy: "default",
    };
    const replaced = await ask("PUT", path, whole);
    expect([replaced.status, replaced.body]).toMatchObject([
      200,
      {
        ...whole,
        locale: "en-US",
        recipients: ["ada@client.example"],
        weekday: null,
        scope: { type: "workspace", id: made.body.workspace_id },
        next_run_at: null,
      },
    ]);
    expect((await ask("GET", "/intel/schedules")).body).toEqual({ data: [replaced.body], has_more: false });
    expect((await ask("DELETE", path)).status).toBe(204);
    for (const [method, below, body] of [
      ["GET", "", undefined],
      ["PUT", "", whole],
      ["DELETE", "", undefined],
      ["POST", "/run", undefined],
    ] as const) {
      const { status, problem } = await ask(method, `${path}${below}`, body);
      expect([method, status, problem.code]).toEqual([method, 404, "schedule.unknown"]);
    }
  });

  it("run on request, and report the result", async () => {
    const { id: domainId } = (
      await ask("POST", "/intel/domains", { client_id: clientId, name: `n${count++}.example.com` })
    ).body;
    const { body } = await create({ scope: { type: "domain", id: domainId }, paused: true, format: "html" });
    const begun = await ask("POST", `/intel/schedules/${body.id}/run`);
    expect([begun.status, begun.body.under_way]).toMatchObject([
      ...[202, { trigger: "asked", attempts: 0, reason: null }],
    ]);
    await world.dashboard.identity.runSchedules();
    const { last_run: last, under_way: work } = (await ask("GET", `/intel/schedules/${body.id}`)).body;
    expect([last, work]).toMatchObject([{ status: "sent", reason: null, code: null }, null]);
    const [messageId] = last.message_ids;
    const message = (await ask("GET", `/messages/${messageId}`)).body;
    expect(message.message).toMatchObject({ source: "report", recipient: "it@client.example" });
  });

  it.each([
    [{ name: " " }, "/name", "field.required"],
    [{ name: "x".repeat(101) }, "/name", "field.invalid"],
    [{ name: "a\nb" }, "/name", "field.invalid"],
    [{ scope: { type: "client" } }, "/scope/id", "field.required"],
    [{ scope: { type: "moon", id: "x" } }, "/scope/type", "field.invalid"],
    [{ cadence: "daily" }, "/cadence", "field.invalid"],
    [{ cadence: "monthly", weekday: 1 }, "/weekday", "field.conflict"],
    [{ day: 3 }, "/day", "field.conflict"],
    [{ cadence: "monthly", day: 29 }, "/day", "field.invalid"],
    [{ weekday: 0 }, "/weekday", "field.invalid"],
    [{ hour: 24 }, "/hour", "field.invalid"],
    [{ hour: 1.5 }, "/hour", undefined],
    [{ timezone: "Mars/Olympus" }, "/timezone", "field.invalid"],
    [{ locale: "nö" }, "/locale", "field.invalid"],
    [{ locale: "de" }, "/locale", "field.invalid"],
    [{ format: "json" }, "/format", "field.invalid"],
    [{ paper: "a5" }, "/paper", "field.invalid"],
    [{ sections: ["changes", "jokes"] }, "/sections/1", "field.invalid"],
    [{ branding: { color: "blue" } }, "/branding/color", "field.invalid"],
    [{ recipients: ["a@example.net", "nobody"] }, "/recipients/1", undefined],
    [
      { recipients: Array.from({ length: 21 }, (_, n) => `a${n}@example.net`) },
      "/recipients",
      "field.too_many",
    ],
    [{ from: "" }, "/from", "field.required"],
    [{ from: "nobody" }, "/from", undefined],
    [{ from: "a@stranger.example" }, "/from", "sender.unverified"],
    [{ routing_policy: "none" }, "/routing_policy", "policy.unknown"],
    [{ more: 1 }, "/more", "field.unknown"],
  ])("are refused with %j, and nothing is created or changed", async (changes, pointer, code) => {
    const refused = await create(changes);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const [first] = refused.problem.errors;
    expect([first?.pointer, code === undefined ? undefined : first?.code]).toEqual([pointer, code]);
    expect((await ask("GET", "/intel/schedules")).body.data).toEqual([]);
    const { body } = await create();
    const put = await ask("PUT", `/intel/schedules/${body.id}`, { ...weekly(changes), paused: false });
    expect(put.problem.errors[0]?.pointer).toBe(pointer);
    expect((await ask("GET", `/intel/schedules/${body.id}`)).body).toEqual(body);
  });

  it("need a scope of the same workspace that is not archived", async () => {
    const { id: other } = (await ask("POST", "/intel/workspaces", { name: "Other" })).body;
    for (const [query, scope, code] of [
      ["", { type: "client", id: "cl_none" }, "client.unknown"],
      ["", { type: "domain", id: "dom_none" }, "watched_domain.unknown"],
      ["", { type: "workspace", id: other }, "workspace.unknown"],
      [`?workspace_id=${other}`, { type: "client", id: clientId }, "client.unknown"],
      ["?workspace_id=ws_none", { type: "client", id: clientId }, "workspace.unknown"],
    ] as const) {
      const asked = weekly({ scope, recipients: ["ada@client.example"] });
      const { status, problem } = await ask("POST", `/intel/schedules${query}`, asked);
      expect([scope, status, problem.code]).toEqual([scope, 404, code]);
    }
    const needed = await create({ scope: { type: "workspace" } });
    expect(needed.problem.errors).toMatchObject([{ pointer: "/recipients", code: "field.required" }]);
    const { body } = await create();
    await ask("PUT", `/intel/clients/${clientId}`, { name: "Nordwind AG", archived: true, force: true });
    expect((await create()).problem.code).toBe("client.archived");
    const path = `/intel/schedules/${body.id}`;
    expect((await ask("PUT", path, weekly({ paused: true }))).status).toBe(200);
    expect((await ask("PUT", path, weekly({ paused: false }))).problem.code).toBe("client.archived");
    expect((await ask("PUT", path, weekly())).problem.errors).toMatchObject([
      { pointer: "/paused", code: "field.required" },
    ]);
  });

  it("are listed for one workspace, oldest first, at most 1,000", async () => {
    const names: string[] = [];
    for (let n = 0; n < 3; n++) {
      world.dashboard.identity.time.pass(1);
      names.push((await create({ name: `Report ${n}` })).body.name);
    }
    const first = (await ask("GET", "/intel/schedules?limit=2")).body;
    const rest = (await ask("GET", `/intel/schedules?limit=2&cursor=${first.next_cursor}`)).body;
    const found = [...first.data, ...rest.data].map(({ name }: { readonly name: string }) => name);
    expect([found, rest.has_more]).toEqual([names, false]);
    expect((await ask("GET", "/intel/schedules?cursor=x")).problem.code).toBe("cursor.invalid");
    const { db } = world.dashboard.identity;
    const copy = await db.collection("reportSchedules").findOne({ accountId });
    const copies = Array.from({ length: 997 }, (_, n) => ({ ...copy, _id: `rsc_${accountId}_${n}` }));
    await db.collection("reportSchedules").insertMany(copies as never);
    const { status, problem } = await create();
    expect([status, problem.code]).toEqual([422, "schedule.too_many"]);
  });

  it("are read and changed only with the permissions", async () => {
    const { body } = await create();
    const viewer = (await world.dashboard.identity.memberOf(accountId, "viewer")).token;
    const as = (method: Method, path: string, asked?: unknown) =>
      world.dashboard.ask(method, `/api/intel/schedules${path}`, {
        token: viewer,
        ...(asked !== undefined && { body: asked }),
      });
    expect((await as("GET", `/${body.id}`)).body).toEqual(body);
    for (const [method, path, asked] of [
      ["POST", "", weekly()],
      ["PUT", `/${body.id}`, weekly({ paused: true })],
      ["DELETE", `/${body.id}`, undefined],
      ["POST", `/${body.id}/run`, undefined],
    ] as const)
      expect((await as(method, path, asked)).problem.code).toBe("auth.permission_missing");
  });
});
