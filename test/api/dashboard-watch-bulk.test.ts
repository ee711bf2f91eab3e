import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClientRemovalJob } from "../../src/core/intel/client-removal-job.ts";
import { createImportJob } from "../../src/core/intel/import-job.ts";
import { createBulkWatchJob } from "../../src/core/intel/watch-bulk-job.ts";
import type { JobKind } from "../../src/core/jobs/job-kind.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { Asked, Method } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelWorld, openIntelWorld, sight } from "../harness/intel-world.ts";
import { repetitions } from "../harness/repetitions.ts";

const DAY_MS = 86_400_000;

let world: IntelWorld;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(() => openAccount());

async function openAccount(): Promise<void> {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  world.dashboard.identity.time.pass(1_000);
}

const ask = (method: Method, path: string, body?: unknown, asked: Asked = { token }) =>
  world.dashboard.ask(method, `/api${path}`, { ...asked, ...(body !== undefined && { body }) });
const newClient = async (name: string, more = {}) =>
  (await ask("POST", "/intel/clients", { name, ...more })).body.id as string;
const add = async (clientId: string, name: string) =>
  (await ask("POST", "/intel/domains", { client_id: clientId, name })).body.id as string;
const imported = (csv: string, more = {}) => ask("POST", "/intel/domains/import", { csv, ...more });
const bulk = (body: object) => ask("POST", "/intel/domains/bulk", body);

/** Kinds of jobs as a core runs them. */
function kinds(): JobKind[] {
  const { store, time } = world.dashboard.identity;
  const needs = { store, clock: time.clock };
  return [createImportJob(needs), createBulkWatchJob(needs), createClientRemovalJob(needs)];
}

async function run(of = kinds()): Promise<void> {
  const { clock, timers } = world.dashboard.identity.time;
  const jobs = world.dashboard.identity.store.acrossAccounts.jobs;
  const { signal } = new AbortController();
  await createRunJobs({ jobs, kinds: of, signal, clock, timers, log: createLogger("silent") })();
}

/** The same kinds, with the first step of each lost after its effect, as if the process had ended. */
function losing(): JobKind[] {
  return kinds().map((kind): JobKind => {
    let isLost = false;
    return {
      ...kind,
      step: async (job, place) => {
        const step = await kind.step(job, place);
        if (isLost || step.results.length === 0) return step;
        isLost = true;
        throw new Error("the process ends");
      },
    };
  });
}

/** Previews and imports a file. @returns the preview, and the job after its end */
async function importAll(csv: string, of = kinds()) {
  const preview = await imported(csv);
  expect(preview.status).toBe(200);
  const { confirmation } = preview.body;
  const begun = await imported(csv, { confirmation });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  await run(of);
  return { preview: preview.body, id: begun.body.id as string };
}

/** A later time, at which a lost step of a job runs again. */
async function later(): Promise<void> {
  world.dashboard.identity.time.pass(600_000);
  token = (await world.dashboard.identity.memberOf(accountId)).token;
}

/** Counts and begins an action on many domains, loses its first step once, and runs it to its end. */
async function act(body: object) {
  await later();
  const { confirmation } = (await bulk(body)).body;
  const begun = await bulk({ ...body, confirmation });
  expect(begun.status, JSON.stringify(begun.problem)).toBe(202);
  await run(losing());
  await later();
  await run();
  return ended(begun.body.id);
}

interface Result {
  readonly item: string;
  readonly outcome: string;
  readonly code: string;
  readonly message: string;
}

/** A job after its end, with its results. */
const ended = async (id: string) => ({
  job: await jobOf(id),
  results: (await ask("GET", `/jobs/${id}/results`)).body.data as Result[],
});

const jobOf = async (id: string) => (await ask("GET", `/jobs/${id}`)).body;
const domainsOf = async () =>
  (await ask("GET", "/intel/domains?limit=100")).body.data as {
    id: string;
    name: string;
    client_id: string;
    paused: boolean;
  }[];

describe("an import of domains and clients", () => {
  const csv = [
    "Customer;Domain;IPs;Role;Tags",
    "Example Ltd;a.example.com;8.8.8.8 8.8.4.4;sending;shop,in Europe",
    "example ltd;b.example.com;;parked;",
    "Other;c.example.com;;;",
    "Other;co.uk;;;",
    "Other;d.example.com;10.0.0.1;;",
    ";e.example.com;;;",
  ].join("\r\n");

  it("shows the expected result of each row, and changes nothing", async () => {
    const { status, body } = await imported(csv);
    expect(status).toBe(200);
    expect(body).toMatchObject({ added: 3, already_there: 0, refused: 3, new_clients: 2 });
    expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
      ...["client", "domain", "sending_ips", "role", "tags"],
    ]);
    expect(body.rows).toMatchObject([
      { row: 2, domain: "a.example.com", client: "Example Ltd", outcome: "added", new_client: true },
      { row: 3, outcome: "added", new_client: false },
      { row: 4, outcome: "added", new_client: true },
      { row: 5, domain: "co.uk", outcome: "refused", field: "domain", code: "field.invalid" },
      { row: 6, outcome: "refused", field: "sending_ips", params: { reason: expect.any(String) } },
      { row: 7, outcome: "refused", field: "client", code: "field.required" },
    ]);
    expect(await domainsOf()).toEqual([]);
  });

  it("adds the domains and missing clients in a job, and a second import adds nothing", async () => {
    const { id } = await importAll(csv);
    expect(await jobOf(id)).toMatchObject({
      kind: "watched_domain.import",
      state: "succeeded",
      total: 3,
      done: 3,
    });
    const clients = (await ask("GET", "/intel/clients")).body.data;
    expect(clients.map(({ name }: { name: string }) => name)).toEqual(["Example Ltd", "Other"]);
    const { body } = await ask("GET", "/intel/domains?name=a.example.com");
    expect(body.data).toMatchObject([
      {
        sending_ips: ["8.8.8.8", "8.8.4.4"],
        role: "sending",
        status: "pending",
        tags: ["shop", "in Europe"],
      },
    ]);
    world.dashboard.identity.time.pass(1_000);
    const again = await importAll(csv);
    expect(again.preview).toMatchObject({ added: 0, already_there: 3 });
    expect(await jobOf(again.id)).toMatchObject({ state: "succeeded", done: 0, skipped: 3 });
    expect(await domainsOf()).toHaveLength(3);
  });

  it("continues after the process ended between a step and its result", async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `Client ${n % 12},d${n}.example.com`);
    const { id } = await importAll(`client,domain\n${rows.join("\n")}`, losing());
    world.dashboard.identity.time.pass(600_000);
    token = (await world.dashboard.identity.memberOf(accountId)).token;
    await run();
    const all = { total: 200, done: 200, skipped: 0, failed: 0 };
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", ...all });
    expect((await ask("GET", "/intel/clients")).body.data).toHaveLength(12);
    expect((await ask("GET", "/intel/workspaces")).body.data[0].counts).toMatchObject({
      domains: 200,
      clients: 12,
    });
  });

  it("finds clients by reference, then by name, and refuses archived ones and domains of others", async () => {
    const byRef = await newClient("Renamed", { external_ref: "crm-1" });
    const gone = await newClient("Gone");
    await ask("PUT", `/intel/clients/${gone}`, { name: "Gone", archived: true });
    await add(byRef, "a.example.com");
    const { preview, id } = await importAll(
      [
        "client_ref,client,domain",
        "crm-1,Something else,b.example.com",
        "crm-1,,a.example.com",
        ",Other,a.example.com",
        ",Gone,c.example.com",
      ].join("\n"),
    );
    expect(preview.rows.map((row: { outcome: string; code: string }) => [row.outcome, row.code])).toEqual([
      ["added", ""],
      ["already_there", ""],
      ["refused", "domain.duplicate"],
      ["refused", "client.archived"],
    ]);
    expect(await jobOf(id)).toMatchObject({ done: 1, skipped: 1, failed: 2 });
    const { data } = (await ask("GET", `/jobs/${id}/results`)).body;
    expect(data.map(({ code }: { code: string }) => code)).toEqual([
      ...["", "domain.duplicate", "domain.duplicate", "client.archived"],
    ]);
    expect((await domainsOf()).map((one) => [one.name, one.client_id])).toEqual([
      ["a.example.com", byRef],
      ["b.example.com", byRef],
    ]);
    // A row that adds no domain creates no client.
    expect((await ask("GET", "/intel/clients")).body.data).toHaveLength(2);
  });

  it("has the result of its preview, for any rows", async () => {
    const rows = fc.array(
      fc.record({
        client: fc.constantFrom("One", "ONE", "Two", "Three"),
        domain: fc.constantFrom(...["a", "b", "c", "d", "e"].map((name) => `${name}.example.com`)),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(rows, rows, async (first, second) => {
        await openAccount();
        const owners = new Map<string, string>();
        for (const some of [first, second]) {
          const expected = some.map(({ client, domain }) => {
            const owner = owners.get(domain);
            const wanted = client.toLowerCase();
            if (owner === undefined) owners.set(domain, wanted);
            return owner === undefined ? "added" : owner === wanted ? "already_there" : "refused";
          });
          world.dashboard.identity.time.pass(1_000);
          const lines = some.map(({ client, domain }) => `${client},${domain}`);
          const { preview, id } = await importAll(["client,domain", ...lines].join("\n"));
          expect(preview.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(expected);
          const count = (outcome: string) => expected.filter((one) => one === outcome).length;
          const [done, skipped, failed] = ["added", "already_there", "refused"].map(count);
          expect(await jobOf(id)).toMatchObject({ done, skipped, failed });
          const clients: { id: string; name: string }[] = (await ask("GET", "/intel/clients")).body.data;
          const nameOf = new Map(clients.map(({ id, name }) => [id, name.toLowerCase()]));
          const found = (await domainsOf()).map((one) => [one.name, nameOf.get(one.client_id)]);
          expect(new Map(found as [string, string][])).toEqual(owners);
        }
      }),
      { numRuns: repetitions(5, 50) },
    );
  });

  it("is refused without its confirmation, and starts one job for it", async () => {
    const { confirmation } = (await imported(csv)).body;
    const other = await imported(`${csv}\r\nOther;f.example.com;;;`, { confirmation });
    expect([other.status, other.problem.code]).toEqual([422, "watched_domain.confirmation_invalid"]);
    const [one, two] = [await imported(csv, { confirmation }), await imported(csv, { confirmation })];
    expect([one.status, two.body.id]).toEqual([202, one.body.id]);
    const stranger = { token: (await world.dashboard.identity.memberOf(await world.newAccount())).token };
    const foreign = await ask("POST", "/intel/domains/import", { csv, confirmation }, stranger);
    expect(foreign.problem.code).toBe("watched_domain.confirmation_invalid");
  });

  it.each([
    ["no domain column", "client,colour\nOther,red", "field.required"],
    ["too many rows", `domain\n${"a.example.com\n".repeat(5_001)}`, "field.too_many"],
    ["too many octets", `domain\n${"x".repeat(2 * 1024 * 1024)}`, "field.too_long"],
    ["an open quote", 'domain\n"a.example.com', "field.invalid"],
    ["nothing", "", "field.required"],
  ])("refuses a file with %s", async (_, text, code) => {
    const { status, problem } = await imported(text);
    expect([status, problem.errors[0]?.pointer, problem.errors[0]?.code]).toEqual([422, "/csv", code]);
  });
});

describe("a bulk action", () => {
  it("pauses and resumes the selected domains, and those that are so already stay", async () => {
    const clientId = await newClient("Example Ltd");
    const ids = [await add(clientId, "a.example.com"), await add(clientId, "b.example.com")];
    await add(clientId, "c.example.com");
    const pausedOf = async () => (await domainsOf()).map(({ paused }) => paused);
    for (const action of ["pause", "pause", "resume"]) {
      world.dashboard.identity.time.pass(1_000);
      const counted = await bulk({ ids, action });
      expect(counted.body).toMatchObject({ count: 2, sample: ["a.example.com", "b.example.com"] });
      const begun = await bulk({ ids, action, confirmation: counted.body.confirmation });
      await run();
      const ended = { kind: "watched_domain.bulk", state: "succeeded", done: 2 };
      expect(await jobOf(begun.body.id)).toMatchObject(ended);
      expect(await pausedOf()).toEqual([action === "pause", action === "pause", false]);
    }
  });

  it("moves the domains that match a filter, and mutes and unmutes a check of them", async () => {
    const [from, to] = [await newClient("From"), await newClient("To")];
    const ids = [await add(from, "a.example.com"), await add(from, "b.example.com")];
    await add(to, "c.example.com");
    const act = async (action: object) => {
      world.dashboard.identity.time.pass(1_000);
      const body = { filter: { client_id: from }, ...action };
      const { confirmation, count } = (await bulk(body)).body;
      expect(count).toBe(2);
      const begun = await bulk({ ...body, confirmation });
      await run(losing());
      world.dashboard.identity.time.pass(600_000);
      token = (await world.dashboard.identity.memberOf(accountId)).token;
      await run();
      expect(await jobOf(begun.body.id)).toMatchObject({ state: "succeeded", total: 2, done: 2 });
    };
    const until = new Date(world.dashboard.identity.time.clock.now().getTime() + DAY_MS).toISOString();
    await act({ action: "mute", check_id: "auth.dmarc.policy", until, reason: "It is known." });
    const mutes = async () => (await ask("GET", "/intel/mutes")).body.data;
    const muted = ids.map((domain_id) => ({ domain_id, until, reason: "It is known." }));
    expect(await mutes()).toMatchObject(muted);
    await act({ action: "unmute", check_id: "auth.dmarc.policy" });
    expect(await mutes()).toEqual([]);
    await act({ action: "move", client_id: to });
    expect((await domainsOf()).map(({ client_id }) => client_id)).toEqual([to, to, to]);
    const counts = (await ask("GET", "/intel/clients")).body.data.map(
      (one: { counts: { domains: number } }) => one.counts.domains,
    );
    expect(counts).toEqual([0, 3]);
  });

  it("adds and removes tags and replaces notes, and a domain with too many tags keeps its own", async () => {
    const clientId = await newClient("Example Ltd");
    const ids = [await add(clientId, "a.example.com"), await add(clientId, "b.example.com")];
    const full = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
    const settings = { role: "sending", dkim_selectors: [], sending_ips: [], paused: false };
    expect((await ask("PUT", `/intel/domains/${ids[1]}`, { ...settings, tags: full })).status).toBe(200);
    const rowsOf = async () =>
      (await ask("GET", "/intel/domains")).body.data as { tags: string[]; notes: string | null }[];
    const tagsOf = async () => (await rowsOf()).map(({ tags }) => tags);
    const tagged = await act({ ids, action: "tag", tags: ["shop", "tag 3", "shop"] });
    expect(await tagsOf()).toEqual([["shop", "tag 3"], full]);
    expect(tagged.job).toMatchObject({
      state: "succeeded",
      done: 1,
      failed: 1,
      about: { tags: "shop, tag 3" },
    });
    expect(new Map(tagged.results.map(({ item, message }) => [item, message]))).toEqual(
      new Map([
        [ids[0], ""],
        [ids[1], "At most 20 tags are allowed."],
      ]),
    );
    await act({ ids, action: "untag", tags: ["tag 3", "unused"] });
    expect(await tagsOf()).toEqual([["shop"], full.filter((tag) => tag !== "tag 3")]);
    for (const notes of ["Renewal in May", ""]) {
      await act({ ids, action: "note", notes });
      expect((await rowsOf()).map((row) => row.notes)).toEqual([notes || null, notes || null]);
    }
    // An action on a domain that is so already changes nothing.
    const revisions = async () => (await domainsOf()).map((row) => (row as { revision?: string }).revision);
    const before = await revisions();
    const again = await act({ ids, action: "untag", tags: ["tag 3"] });
    expect([again.job.done, await revisions()]).toEqual([2, before]);
  });

  it("removes domains with their data, and names those that are in use or no longer exist", async () => {
    const clientId = await newClient("Example Ltd");
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"]) ids.push(await add(clientId, `${name}.example.com`));
    const [, used, gone, kept] = ids;
    await world.check(accountId, ids[0] ?? "");
    const { identity } = world.dashboard;
    await allowSending(identity, accountId);
    const schedule = {
      name: "Weekly",
      scope: { type: "domain", id: used },
      cadence: "weekly",
      recipients: ["it@client.example"],
      from: "Reports <reports@example.com>",
    };
    expect((await ask("POST", "/intel/schedules", schedule)).status).toBe(201);
    const body = { ids: ids.slice(0, 3), action: "remove" };
    const counted = await bulk(body);
    expect(counted.body).toMatchObject({ count: 3 });
    expect((await ask("DELETE", `/intel/domains/${gone}`)).status).toBe(204);
    const begun = await bulk({ ...body, confirmation: counted.body.confirmation });
    expect(begun.status, JSON.stringify(begun.problem)).toBe(202);
    await run(losing());
    await later();
    await run();
    const { job, results } = await ended(begun.body.id);
    expect(job).toMatchObject({ state: "succeeded", total: 3, done: 1, skipped: 1, failed: 1 });
    const byItem = new Map(results.map((result) => [result.item, result.code]));
    expect(byItem).toEqual(
      new Map([
        ["a.example.com", ""],
        [used, "resource.in_use"],
        [gone, "watched_domain.unknown"],
      ]),
    );
    expect((await domainsOf()).map(({ id }) => id)).toEqual([used, kept]);
    expect((await ask("GET", "/intel/changes")).body.data).toEqual([]);
    const { data: entries } = (await ask("GET", "/audit?action=watched_domain.bulk")).body;
    const targets = entries.map(({ target }: { target: { name: string } }) => target?.name);
    expect(targets).toContain("a.example.com");
  });

  it("removes nothing without a sign-in factor of the last ten minutes", async () => {
    const ids = [await add(await newClient("Example Ltd"), "a.example.com")];
    const { confirmation } = (await bulk({ ids, action: "remove" })).body;
    world.dashboard.identity.time.pass(9 * 60_000);
    const authenticatedAt = new Date(0);
    await world.dashboard.identity.db
      .collection("sessions")
      .updateMany({ accountId }, { $set: { authenticatedAt } });
    const refused = await bulk({ ids, action: "remove", confirmation });
    expect([refused.status, refused.problem.code]).toEqual([403, "auth.reauthentication_required"]);
    // The confirmation of a removal starts no other action, and the other way around.
    const paused = await bulk({ ids, action: "pause", confirmation });
    expect(paused.problem.code).toBe("watched_domain.confirmation_invalid");
  });

  it("reaches no domain of another workspace", async () => {
    const ids = [await add(await newClient("Example Ltd"), "a.example.com")];
    const { id: workspace_id } = (await ask("POST", "/intel/workspaces", { name: "Second" })).body;
    expect((await bulk({ workspace_id, ids, action: "remove" })).body).toMatchObject({
      count: 0,
      sample: [],
    });
    for (const action of [{ action: "remove" }, { action: "tag", tags: ["shop"] }]) {
      const { job } = await act({ workspace_id, ids, ...action });
      expect(job).toMatchObject({ state: "succeeded", done: 0, skipped: 1 });
    }
    expect(await domainsOf()).toMatchObject([{ id: ids[0], tags: [] }]);
  });

  it("is refused with the invalid fields, and for unknown and archived clients", async () => {
    const clientId = await newClient("Example Ltd");
    const ids = [await add(clientId, "a.example.com")];
    const soon = new Date(world.dashboard.identity.time.clock.now().getTime() + DAY_MS).toISOString();
    for (const [body, pointer] of [
      [{ action: "pause" }, "/ids"],
      [{ action: "pause", ids, filter: { status: "healthy" } }, "/ids"],
      [{ action: "pause", filter: {} }, "/ids"],
      [{ action: "forget", ids }, "/action"],
      [{ action: "mute", ids, check_id: "auth.dmarc.colour", until: soon }, "/check_id"],
      [{ action: "mute", ids, check_id: "auth.dmarc.policy" }, "/until"],
      [{ action: "pause", ids: Array.from({ length: 1_001 }, (_, n) => `dom_${n}`) }, "/ids"],
      [{ action: "pause", filter: { colour: "red" } }, "/filter/colour"],
      [{ action: "tag", ids }, "/tags"],
      [{ action: "untag", ids, tags: [] }, "/tags"],
      [{ action: "tag", ids, tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }, "/tags"],
      [{ action: "tag", ids, tags: ["shop", " "] }, "/tags/1"],
      [{ action: "tag", ids, tags: ["x".repeat(65)] }, "/tags/0"],
      [{ action: "note", ids }, "/notes"],
      [{ action: "note", ids, notes: "x".repeat(5_001) }, "/notes"],
    ] as const) {
      const { status, problem } = await bulk(body);
      expect([pointer, status, problem.errors[0]?.pointer]).toEqual([pointer, 422, pointer]);
    }
    const unknown = await bulk({ action: "move", ids, client_id: "cl_none" });
    expect([unknown.status, unknown.problem.code]).toEqual([404, "client.unknown"]);
  });

  it("does not reach domains of another account", async () => {
    const ids = [await add(await newClient("Example Ltd"), "a.example.com")];
    const own = token;
    await openAccount();
    const { body } = await bulk({ ids, action: "pause" });
    expect(body).toMatchObject({ count: 0, sample: [] });
    const begun = await bulk({ ids, action: "pause", confirmation: body.confirmation });
    await run();
    expect(await jobOf(begun.body.id)).toMatchObject({ state: "succeeded", done: 0, skipped: 1 });
    token = own;
    expect((await domainsOf())[0]?.paused).toBe(false);
  });
});

describe("a removed client", () => {
  it("has no domains, or goes in a job with them and all their data", async () => {
    const clientId = await newClient("Example Ltd");
    const id = await add(clientId, "a.example.com");
    world.results.set("a.example.com", sight());
    await world.check(accountId, id);
    const kept = await add(await newClient("Other"), "b.example.com");
    const label = await ask("PUT", `/intel/labels/${clientId}`, { color: "#0b5394" });
    expect(label.status).toBe(200);
    const refused = await ask("DELETE", `/intel/clients/${clientId}`);
    expect([refused.status, refused.problem.code]).toEqual([409, "client.not_empty"]);
    const begun = await ask("DELETE", `/intel/clients/${clientId}?with_domains=true`);
    expect([begun.status, begun.body.kind]).toEqual([202, "client.remove"]);
    const archived = await ask("GET", `/intel/clients/${clientId}`);
    expect(archived.body.status).toBe("archived");
    const late = await ask("POST", "/intel/domains", { client_id: clientId, name: "c.example.com" });
    expect(late.problem.code).toBe("client.archived");
    await run(losing());
    world.dashboard.identity.time.pass(600_000);
    token = (await world.dashboard.identity.memberOf(accountId)).token;
    await run();
    expect(await jobOf(begun.body.id)).toMatchObject({ state: "succeeded", failed: 0 });
    expect((await ask("GET", `/intel/clients/${clientId}`)).status).toBe(404);
    expect((await domainsOf()).map((one) => one.id)).toEqual([kept]);
    expect((await ask("GET", "/intel/changes")).body.data).toEqual([]);
    const [workspace] = (await ask("GET", "/intel/workspaces")).body.data;
    expect(workspace.counts).toMatchObject({ clients: 1, domains: 1 });
    const days = world.dashboard.identity.db.collection<{ _id: string }>("scoreDays");
    const ofClient = { $gte: `${clientId}.`, $lt: `${clientId}/` };
    expect(await days.countDocuments({ _id: ofClient })).toBe(0);
    expect((await ask("GET", "/intel/labels")).body.data).toEqual([]);
  });

  it("keeps its domains when it is restored before the job reaches them", async () => {
    const clientId = await newClient("Example Ltd");
    const id = await add(clientId, "a.example.com");
    const begun = await ask("DELETE", `/intel/clients/${clientId}?with_domains=true`);
    const restored = await ask("PUT", `/intel/clients/${clientId}`, { name: "Example Ltd", archived: false });
    expect(restored.status).toBe(200);
    await run();
    expect(await jobOf(begun.body.id)).toMatchObject({ state: "succeeded", done: 0, skipped: 1 });
    expect((await domainsOf()).map((one) => one.id)).toEqual([id]);
  });

  it("without domains is removed at once, and is unknown to others", async () => {
    const clientId = await newClient("Example Ltd");
    const stranger = { token: (await world.dashboard.identity.memberOf(await world.newAccount())).token };
    const foreign = await ask("DELETE", `/intel/clients/${clientId}`, undefined, stranger);
    expect([foreign.status, foreign.problem.code]).toEqual([404, "client.unknown"]);
    expect((await ask("DELETE", `/intel/clients/${clientId}`)).status).toBe(204);
    expect((await ask("GET", "/intel/clients")).body.data).toEqual([]);
    expect((await ask("GET", "/intel/workspaces")).body.data[0].counts.clients).toBe(0);
    expect(await newClient("Example Ltd")).not.toBe(clientId);
  });
});
