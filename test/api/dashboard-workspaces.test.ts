import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Method } from "../harness/dashboard.ts";
import { type IntelWorld, openIntelWorld } from "../harness/intel-world.ts";

let world: IntelWorld;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.dashboard.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("workspaces, in the dashboard", () => {
  it("start with one that is created on first use, and are created and renamed", async () => {
    const { body } = await ask("GET", "/intel/workspaces");
    expect(body.data).toMatchObject([
      { name: "Default", score_avg: null, counts: { clients: 0, domains: 0, domains_by_status: {} } },
    ]);
    expect((await ask("GET", "/intel/workspaces")).body).toEqual(body);
    const made = await ask("POST", "/intel/workspaces", { name: " Agency " });
    expect([made.status, made.body.name]).toEqual([201, "Agency"]);
    const renamed = await ask("PUT", `/intel/workspaces/${made.body.id}`, { name: "Acme" });
    const { revision } = renamed.body;
    expect(renamed.body).toEqual({ ...made.body, name: "Acme", revision });
    expect(revision).not.toBe(made.body.revision);
    expect(namesOf((await ask("GET", "/intel/workspaces")).body.data)).toEqual(["Default", "Acme"]);
  });

  it("have a name of 1 to 100 characters, and number at most 200", async () => {
    for (const name of ["", " ", "x".repeat(101), "a\nb"]) {
      const { status, problem } = await ask("POST", "/intel/workspaces", { name });
      expect([name, status, problem.errors[0]?.pointer]).toEqual([name, 422, "/name"]);
    }
    const unknown = await ask("PUT", "/intel/workspaces/ws_none", { name: "Acme" });
    expect([unknown.status, unknown.problem.code]).toEqual([404, "workspace.unknown"]);
    await ask("GET", "/intel/workspaces");
    const { workspaces } = world.dashboard.identity.store.forAccount(accountId);
    const [first] = await workspaces.list();
    const copies = Array.from({ length: 199 }, (_, n) => {
      const { first: _first, ...copy } = first ?? {};
      return { ...copy, _id: `ws_${accountId}_${n}` };
    });
    await world.dashboard.identity.db.collection("workspaces").insertMany(copies as never);
    const { status, problem } = await ask("POST", "/intel/workspaces", { name: "One more" });
    expect([status, problem.code]).toEqual([422, "workspace.too_many"]);
  });
});

describe("clients, in the dashboard", () => {
  const SAID = {
    name: "Example Ltd",
    external_ref: "crm-1",
    contact_emails: ["it@example.com"],
    tags: ["retail"],
    notes: "Ask for Ada.",
    locale: "en-GB",
    timezone: "Europe/London",
  };

  it("are replaced as a whole: missing fields are removed", async () => {
    const made = await ask("POST", "/intel/clients", SAID);
    expect([made.status, made.body]).toMatchObject([201, { ...SAID, status: "active" }]);
    const path = `/intel/clients/${made.body.id}`;
    expect((await ask("GET", path)).body).toEqual(made.body);
    const { body } = await ask("PUT", path, { name: "Example plc", archived: false });
    expect(body).toMatchObject({
      id: made.body.id,
      name: "Example plc",
      external_ref: null,
      contact_emails: [],
      tags: [],
      notes: null,
      locale: "en",
      timezone: "UTC",
      status: "active",
    });
    const { problem } = await ask("PUT", path, { name: "Example plc" });
    expect(problem.errors).toMatchObject([{ pointer: "/archived", code: "field.required" }]);
  });

  it("are archived and restored, and counted while they are active", async () => {
    const { id } = (await ask("POST", "/intel/clients", SAID)).body;
    const active = async () => (await ask("GET", "/intel/workspaces")).body.data[0].counts.clients;
    expect(await active()).toBe(1);
    const archived = await ask("PUT", `/intel/clients/${id}`, { ...SAID, archived: true });
    expect([archived.body.status, await active()]).toEqual(["archived", 0]);
    expect((await ask("GET", "/intel/clients?status=active")).body.data).toEqual([]);
    expect((await ask("GET", "/intel/clients?status=archived")).body.data).toEqual([archived.body]);
    const added = await ask("POST", "/intel/domains", { client_id: id, name: "example.com" });
    expect([added.status, added.problem.code]).toEqual([422, "client.archived"]);
    // An archived client still has its name.
    const twin = await ask("POST", "/intel/clients", { name: "EXAMPLE LTD" });
    expect([twin.status, twin.problem.existing_id]).toEqual([409, id]);
    const restored = await ask("PUT", `/intel/clients/${id}`, { ...SAID, archived: false });
    expect([restored.body.status, await active()]).toEqual(["active", 1]);
  });

  it("cannot have another client's name or reference", async () => {
    const { id } = (await ask("POST", "/intel/clients", SAID)).body;
    const other = (await ask("POST", "/intel/clients", { name: "Other" })).body;
    for (const body of [{ name: "example LTD" }, { name: "Other", external_ref: "crm-1" }]) {
      const { status, problem } = await ask("PUT", `/intel/clients/${other.id}`, {
        ...body,
        archived: false,
      });
      expect([status, problem.code, problem.existing_id]).toEqual([409, "client.duplicate", id]);
    }
    // Its own name is no conflict.
    expect((await ask("PUT", `/intel/clients/${id}`, { ...SAID, archived: false })).status).toBe(200);
  });

  it("belong to one workspace", async () => {
    const { id } = (await ask("POST", "/intel/workspaces", { name: "Other" })).body;
    expect((await ask("POST", `/intel/clients?workspace_id=${id}`, SAID)).body.workspace_id).toBe(id);
    expect((await ask("POST", "/intel/clients", SAID)).status).toBe(201);
    expect((await ask("GET", `/intel/clients?workspace_id=${id}`)).body.data).toHaveLength(1);
    for (const [method, body] of [
      ["GET", undefined],
      ["POST", SAID],
    ] as const) {
      const { status, problem } = await ask(method, "/intel/clients?workspace_id=ws_none", body);
      expect([status, problem.code]).toEqual([404, "workspace.unknown"]);
    }
    const { status, problem } = await ask("GET", "/intel/clients?status=lost");
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/status"]);
  });
});

describe("a deliverability key", () => {
  it("belongs to the given workspace, or to the first, and keeps it when it is rotated", async () => {
    const { id } = (await ask("POST", "/intel/workspaces", { name: "Other" })).body;
    const { body } = await ask("POST", "/keys", { name: "Other", kind: "deliverability", workspace_id: id });
    expect(body.key.workspace_id).toBe(id);
    const rotated = await ask("POST", `/keys/${body.key.id}/rotate`, {});
    expect([rotated.body.key.workspace_id, rotated.body.former.workspace_id]).toEqual([id, id]);
    const opened = await world.ask("GET", "/workspaces", { key: rotated.body.secret });
    expect(opened.body.data).toMatchObject([{ id, name: "Other" }]);
    const [first] = (await ask("GET", "/intel/workspaces")).body.data;
    const plain = await ask("POST", "/keys", { name: "First", kind: "deliverability" });
    expect(plain.body.key.workspace_id).toBe(first.id);
    expect((await ask("GET", `/keys/${plain.body.key.id}`)).body).toEqual(plain.body.key);
  });

  it("is the only kind that belongs to a workspace, which must exist", async () => {
    const [first] = (await ask("GET", "/intel/workspaces")).body.data;
    const foreign = await world.newWorkspace(await world.newAccount(), "Foreign");
    for (const [asked, code] of [
      [{ kind: "account", workspace_id: first.id }, "field.conflict"],
      [{ kind: "smtp", workspace_id: first.id }, "field.conflict"],
      [{ kind: "deliverability", workspace_id: "ws_none" }, "field.invalid"],
      [{ kind: "deliverability", workspace_id: foreign.id }, "field.invalid"],
    ] as const) {
      const { status, problem } = await ask("POST", "/keys", { name: "Key", ...asked });
      expect([status, problem.errors]).toMatchObject([422, [{ pointer: "/workspace_id", code }]]);
    }
    expect((await ask("POST", "/keys", { name: "Mail" })).body.key.workspace_id).toBeUndefined();
  });
});
