import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectedFields, fixFields, observedFields } from "../../src/intel/check-result.ts";
import { phrase } from "../../src/shared/phrase.ts";
import type { Asked, Method } from "../harness/dashboard.ts";
import { type IntelWorld, openIntelWorld, sight } from "../harness/intel-world.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

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
const add = async (name = "example.com", more = {}) =>
  (await ask("POST", "/domains", { client_id: clientId, name, ...more })).body;
const inDays = (days: number) =>
  new Date(world.dashboard.identity.time.clock.now().getTime() + days * 86_400_000).toISOString();
const SAID = { role: "sending", dkim_selectors: [], sending_ips: [], paused: false };
const WARNED = { "auth.dmarc.policy": { status: "warn", observed: "The policy is none." } } as const;

describe("watched domains, in the dashboard", () => {
  it("are added, checked on demand, and shown with checks and history", async () => {
    const added = await ask("POST", "/domains", { client_id: clientId, name: "example.com" });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ status: "pending", score: null, checks: [], history: [] });
    world.results.set("example.com", sight(WARNED));
    const checked = await ask("POST", `/domains/${added.body.id}/check`);
    expect(checked.body).toMatchObject({ status: "warning", history: [{ status: "warning" }] });
    const check = checked.body.checks.find(({ id }: { id: string }) => id === "auth.dmarc.policy");
    expect(check).toMatchObject({ status: "warn", observed: "The policy is none.", muted_until: null });
    expect((await ask("GET", `/domains/${added.body.id}`)).body).toEqual(checked.body);
    const { checks: _checks, history: _history, score_details: _details, ...listed } = checked.body;
    expect((await ask("GET", "/domains")).body).toEqual({ data: [listed], has_more: false });
    expect((await ask("GET", "/domains?include=checks,history")).body.data).toEqual([checked.body]);
  });

  it("have the parts of their texts, where they are known", async () => {
    const [failed, other] = [phrase("check.others_failed", { count: 2 }), phrase("check.other_failed")];
    const fix = fixFields(other);
    world.results.set(
      "example.com",
      sight({
        "auth.dmarc.policy": { status: "warn", ...observedFields(failed), ...expectedFields(other), fix },
        "infra.caa": { status: "error", ...observedFields(failed) },
      }),
    );
    const { id } = await add();
    const { body } = await ask("POST", `/domains/${id}/check`);
    const codes = [...failed.parts, ...other.parts, ...other.parts].map(({ code }) => code);
    expect(body).toMatchObject({ last_error: failed.text, last_error_parts: failed.parts });
    expect(expectTextsOfParts(body.checks)).toEqual(expect.arrayContaining(codes));
    const { data } = (await ask("GET", "/findings/auth.dmarc.policy/domains")).body;
    expect(expectTextsOfParts(data)).toEqual(expect.arrayContaining(codes));
    expect(body.checks[0]).toMatchObject({ observed: "It is well.", observed_parts: [] });
  });

  it("are checked at most every 30 seconds, and the answer has the next time", async () => {
    const { id } = await add();
    expect((await ask("POST", `/domains/${id}/check`)).status).toBe(200);
    const { status, problem, headers } = await ask("POST", `/domains/${id}/check`);
    expect([status, problem.code, headers["retry-after"]]).toEqual([
      429,
      "watched_domain.check_too_soon",
      "30",
    ]);
    world.dashboard.identity.time.pass(30_000);
    expect((await ask("POST", `/domains/${id}/check`)).status).toBe(200);
  });

  it("show the progress of a running check, which pages are notified of, until it ends", async () => {
    const { id } = await add();
    const { store, time, db } = world.dashboard.identity;
    const [domain, since] = [{ _id: id, accountId }, time.clock.now()];
    const checking = async () => (await ask("GET", `/domains/${id}`)).body.checking;
    const { watches, journal } = store.acrossAccounts;
    expect(await checking()).toBeNull();
    await watches.beginCheck(domain, since);
    await watches.advanceCheck(domain, since, ["spf", "dkim"]);
    // Parts of an earlier check are late.
    await watches.advanceCheck(domain, new Date(since.getTime() - 1), ["mx"]);
    expect(await checking()).toEqual({ since: since.toISOString(), done: ["spf", "dkim"], total: 12 });
    await journal.noteDeliveries(time.clock.now());
    const notes = db.collection("journal").find({ resources: { $exists: true } });
    const resources = (await notes.toArray()).flatMap((note) => note.resources);
    expect(resources).toContainEqual({ accountId, kind: "watched_domain", id });
    time.pass(6 * 60_000);
    // The process of a check that takes this long has ended.
    expect(await checking()).toBeNull();
    await watches.beginCheck(domain, time.clock.now());
    expect((await ask("POST", `/domains/${id}/check`)).body.checking).toBeNull();
    expect(await checking()).toBeNull();
  });

  it("are replaced as a whole, move to another client, and keep their data", async () => {
    const { id } = await add("example.com", { sending_ips: ["8.8.8.8"], dkim_selectors: ["s1"] });
    const other = (await ask("POST", "/clients", { name: "Other" })).body.id;
    const said = { ...SAID, role: "receiving", dkim_selectors: ["s2"], client_id: other };
    const { status, body } = await ask("PUT", `/domains/${id}`, said);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, ...said, name: "example.com" });
    const counts = async () =>
      (await ask("GET", "/clients")).body.data.map(
        (one: { counts: { domains: number } }) => one.counts.domains,
      );
    expect(await counts()).toEqual([0, 1]);
    // Without a client, it stays with its client. All other fields are required.
    expect((await ask("PUT", `/domains/${id}`, SAID)).body.client_id).toBe(other);
    const { problem } = await ask("PUT", `/domains/${id}`, { role: "sending" });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
      ...["/dkim_selectors", "/sending_ips", "/paused"],
    ]);
    const unknown = await ask("PUT", `/domains/${id}`, { ...SAID, client_id: "cl_none" });
    expect([unknown.status, unknown.problem.code]).toEqual([404, "client.unknown"]);
  });

  it("have tags, which filter the list, and notes; a replacement without them keeps both", async () => {
    const { id } = await add("example.com", { tags: ["shop", "eu", "shop"], notes: "Moves in March." });
    await add("example.org");
    const kept = { tags: ["shop", "eu"], notes: "Moves in March." };
    expect((await ask("PUT", `/domains/${id}`, SAID)).body).toMatchObject(kept);
    expect((await ask("GET", "/domains?tag=eu")).body.data).toMatchObject([{ id, ...kept }]);
    expect((await ask("GET", "/domains?tag=us")).body.data).toEqual([]);
    const { body } = await ask("PUT", `/domains/${id}`, { ...SAID, tags: [], notes: "" });
    expect(body).toMatchObject({ tags: [], notes: null });
    const { status, problem } = await ask("PUT", `/domains/${id}`, { ...SAID, tags: ["a", " "] });
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/tags/1"]);
  });

  it("cannot move to a client of another workspace", async () => {
    const { id } = await add();
    const { id: workspaceId } = (await ask("POST", "/workspaces", { name: "Other" })).body;
    const other = await ask("POST", `/clients?workspace_id=${workspaceId}`, { name: "Elsewhere" });
    const moved = await ask("PUT", `/domains/${id}`, { ...SAID, client_id: other.body.id });
    expect([moved.status, moved.problem.code]).toEqual([404, "client.unknown"]);
    // The other workspace may watch the same domain for its own client.
    const twin = await ask("POST", "/domains", { client_id: other.body.id, name: "example.com" });
    expect([twin.status, twin.body.workspace_id]).toEqual([201, workspaceId]);
    const listed = await ask("GET", `/domains?workspace_id=${workspaceId}`);
    expect(listed.body.data).toMatchObject([{ id: twin.body.id }]);
    expect((await ask("GET", "/domains?workspace_id=ws_none")).problem.code).toBe("workspace.unknown");
  });

  it("are not checked while they are paused, and are due for a check afterwards", async () => {
    const { id } = await add();
    const paused = await ask("PUT", `/domains/${id}`, { ...SAID, paused: true });
    expect(paused.body).toMatchObject({ status: "paused", paused: true, next_check_at: null });
    const resumed = await ask("PUT", `/domains/${id}`, SAID);
    expect(resumed.body).toMatchObject({ status: "pending", next_check_at: expect.any(String) });
  });

  it("are removed with all their data", async () => {
    const { id } = await add();
    await ask("POST", `/domains/${id}/check`);
    expect((await ask("DELETE", `/domains/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ...([
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/check"],
      ] as const),
      ["DELETE", "/mutes/auth.dmarc.policy"],
    ] as const)
      expect((await ask(method, `/domains/${id}${path}`)).problem.code).toBe("watched_domain.unknown");
    expect((await ask("GET", "/changes")).body.data).toEqual([]);
    expect((await add()).id).not.toBe(id);
  });

  it("are refused with the invalid fields", async () => {
    for (const [body, pointer] of [
      [{ client_id: clientId, name: "co.uk" }, "/name"],
      [{ client_id: clientId, name: "a.test" }, "/name"],
      [{ client_id: clientId, name: "example.com", sending_ips: ["10.0.0.1"] }, "/sending_ips/0"],
      [{ name: "example.com" }, "/client_id"],
    ] as const) {
      const { status, problem } = await ask("POST", "/domains", body);
      expect([pointer, status, problem.errors[0]?.pointer]).toEqual([pointer, 422, pointer]);
    }
    const { id } = await add();
    const twin = await ask("POST", "/domains", { client_id: clientId, name: "EXAMPLE.com" });
    expect([twin.status, twin.problem.code]).toEqual([409, "domain.duplicate"]);
    expect([twin.problem.existing_id, twin.problem.client_id]).toEqual([id, clientId]);
  });
});

describe("a muted check", () => {
  it("is shown, and is no finding from the next check until the given time", async () => {
    const { id } = await add();
    world.results.set("example.com", sight(WARNED));
    await world.check(accountId, id);
    const until = inDays(2);
    const muted = await ask("PUT", `/domains/${id}/mutes/auth.dmarc.policy`, { until });
    const check = muted.body.checks.find((one: { id: string }) => one.id === "auth.dmarc.policy");
    expect(check).toMatchObject({ status: "warn", muted_until: until });
    await world.check(accountId, id);
    const { score } = muted.body;
    expect((await ask("GET", `/domains/${id}`)).body).toMatchObject({ status: "healthy", score });
    world.dashboard.identity.time.pass(3 * 86_400_000);
    token = (await world.dashboard.identity.memberOf(accountId)).token;
    await world.check(accountId, id);
    expect((await ask("GET", `/domains/${id}`)).body.status).toBe("warning");
  });

  it("is unmuted on request, and a second request changes nothing", async () => {
    const { id } = await add();
    world.results.set("example.com", sight(WARNED));
    await world.check(accountId, id);
    await ask("PUT", `/domains/${id}/mutes/auth.dmarc.policy`, { until: inDays(2) });
    for (const _ of [1, 2]) {
      const { status, body } = await ask("DELETE", `/domains/${id}/mutes/auth.dmarc.policy`);
      const check = body.checks.find((one: { id: string }) => one.id === "auth.dmarc.policy");
      expect([status, check.muted_until]).toEqual([200, null]);
    }
  });

  it("must exist, and its mute ends in the future, at most one year ahead", async () => {
    const { id } = await add();
    for (const [check, until, pointer] of [
      ["auth.dmarc.colour", inDays(1), "/check_id"],
      ["auth.dmarc.policy", inDays(0), "/until"],
      ["auth.dmarc.policy", inDays(367), "/until"],
      ["auth.dmarc.policy", "tomorrow", "/until"],
      ["auth.dmarc.policy", "2030-02-30T00:00:00Z", "/until"],
    ] as const) {
      const { status, problem } = await ask("PUT", `/domains/${id}/mutes/${check}`, { until });
      expect([until, status, problem.errors[0]?.pointer]).toEqual([until, 422, pointer]);
    }
    expect((await ask("PUT", `/domains/${id}/mutes/bl.spamcop`, { until: inDays(1) })).status).toBe(200);
  });
});

describe("changes, in the dashboard", () => {
  it("are listed newest first, in pages, for all domains or for one", async () => {
    const { id } = await add();
    const { id: other } = await add("example.org");
    world.results.set("example.com", sight());
    world.results.set("example.org", sight());
    await world.check(accountId, id);
    await world.check(accountId, other);
    world.results.set("example.com", sight(WARNED));
    await world.check(accountId, id);
    const { body } = await ask("GET", "/changes");
    expect(body.data.map(({ kind, domain }: { kind: string; domain: string }) => [kind, domain])).toEqual([
      ["finding.opened", "example.com"],
      ["watched_domain.status_changed", "example.com"],
      ["watched_domain.status_changed", "example.org"],
      ["watched_domain.status_changed", "example.com"],
    ]);
    expect(body.data[0]).toMatchObject({ check_id: "auth.dmarc.policy", severity: "warning", from: null });
    expect(body.data[1]).toMatchObject({ check_id: null, from: "healthy", to: "warning", domain_id: id });
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await ask("GET", `/changes?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.data);
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(body.data);
    expect((await ask("GET", `/changes?domain_id=${other}`)).body.data).toEqual([body.data[2]]);
    const { next_cursor: cursor } = (await ask("GET", "/changes?limit=1")).body;
    const elsewhere = await ask("GET", `/changes?domain_id=${id}&cursor=${cursor}`);
    expect([elsewhere.status, elsewhere.problem.code]).toEqual([422, "cursor.invalid"]);
  });

  it("of another account's domain are not found", async () => {
    const { id } = await add();
    world.results.set("example.com", sight());
    await world.check(accountId, id);
    const stranger = (await world.dashboard.identity.memberOf(await world.newAccount())).token;
    expect((await ask("GET", `/changes?domain_id=${id}`, undefined, { token: stranger })).body.data).toEqual(
      [],
    );
  });
});

describe("a viewer", () => {
  it("reads everything and changes nothing", async () => {
    const { id } = await add();
    const viewer = { token: (await world.dashboard.identity.memberOf(accountId, "viewer")).token };
    for (const path of [
      "/workspaces",
      "/clients",
      `/clients/${clientId}`,
      "/domains",
      `/domains/${id}`,
      "/changes",
    ])
      expect([path, (await ask("GET", path, undefined, viewer)).status]).toEqual([path, 200]);
    for (const [method, path, body] of [
      ["POST", "/workspaces", { name: "New" }],
      ["POST", "/clients", { name: "New" }],
      ["PUT", `/clients/${clientId}`, { name: "New", archived: true }],
      ["POST", "/domains", { client_id: clientId, name: "example.org" }],
      ["PUT", `/domains/${id}`, { ...SAID, paused: true }],
      ["POST", `/domains/${id}/check`, undefined],
      ["PUT", `/domains/${id}/mutes/auth.dmarc.policy`, { until: inDays(1) }],
      ["DELETE", `/domains/${id}/mutes/auth.dmarc.policy`, undefined],
      ["DELETE", `/domains/${id}`, undefined],
    ] as const) {
      const { status, problem } = await ask(method, path, body, viewer);
      expect([method, path, status, problem.code]).toEqual([method, path, 403, "auth.permission_missing"]);
    }
    expect((await ask("GET", "/domains")).body.data).toMatchObject([{ id, paused: false }]);
  });
});
