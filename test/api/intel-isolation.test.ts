import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IntelWorld, type OpenedWorkspace, openIntelWorld, sight } from "../harness/intel-world.ts";

/** Two workspaces of one account, and one of another, each with a key, a client and a domain with distinct names. */
let world: IntelWorld;
let accountId: string;
let mine: Inhabited;
let others: readonly Inhabited[];

interface Inhabited extends OpenedWorkspace {
  readonly name: string;
  readonly clientId: string;
  readonly domainId: string;
  readonly domain: string;
}

const SECRET = "secretive";

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  mine = await inhabited(accountId, "mine");
  const foreign = await world.newAccount();
  others = [await inhabited(accountId, `${SECRET}-one`), await inhabited(foreign, `${SECRET}-two`)];
});

async function inhabited(account: string, name: string): Promise<Inhabited> {
  const workspace = await world.newWorkspace(account, name);
  const { key } = workspace;
  const said = { name: `${name} client`, external_ref: `${name}-ref`, tags: [name] };
  const { body: client } = await world.ask("POST", "/clients", { key, body: said });
  const domain = `${name}.example.com`;
  const ip = name === "mine" ? "8.8.8.8" : "9.9.9.9";
  const asked = { client_id: client.id, name: domain, sending_ips: [ip] };
  const { body: added } = await world.ask("POST", "/domains", { key, body: asked });
  world.results.set(domain, sight({ "auth.dmarc.policy": { status: "warn" } }));
  await world.check(account, added.id);
  return { ...workspace, name, clientId: client.id, domainId: added.id, domain };
}

const get = (path: string) => world.ask("GET", path, { key: mine.key });
const post = (path: string, body: unknown) => world.ask("POST", path, { key: mine.key, body });

describe("in another workspace of any account, a key", () => {
  it("lists nothing", async () => {
    for (const path of ["/workspaces", "/clients", "/domains", "/blacklists/status?limit=100"]) {
      const { status, body } = await get(path);
      expect([path, status, body.data.length > 0]).toEqual([path, 200, true]);
      expect(JSON.stringify(body)).not.toContain(SECRET);
      expect(JSON.stringify(body)).not.toContain("9.9.9.9");
    }
  });

  it("finds nothing with any request", async () => {
    for (const { clientId, domainId, domain, name } of others) {
      for (const path of [
        ...[`/domains?id=${domainId}`, `/domains?name=${domain}`, `/domains?client_id=${clientId}`],
        ...[`/domains?search=${SECRET}`, `/clients?search=${SECRET}`, `/clients?tag=${name}`],
        `/clients?external_ref=${name}-ref`,
      ])
        expect([path, (await get(path)).body.data]).toEqual([path, []]);
      for (const [path, code] of [
        [`/blacklists/status?domain_id=${domainId}`, "watched_domain.unknown"],
        [`/blacklists/status?client_id=${clientId}`, "client.unknown"],
        [`/blacklists/status?domain=${domain}`, "subject.not_monitored"],
        ["/blacklists/status?ip=9.9.9.9", "subject.not_monitored"],
      ] as const) {
        const { status, problem } = await get(path);
        expect([path, status, problem.code]).toEqual([path, 404, code]);
      }
    }
  });

  it("gets 404 for its id, as if it did not exist", async () => {
    for (const id of [...others.map((one) => one.id), "ws_none"]) {
      for (const path of ["/workspaces", "/clients", "/domains", "/blacklists/status"]) {
        const { status, problem } = await get(`${path}?workspace_id=${id}`);
        expect([path, status, problem.code]).toEqual([path, 404, "workspace.unknown"]);
        expect(JSON.stringify(problem)).not.toContain(SECRET);
      }
      const made = await post(`/clients?workspace_id=${id}`, { name: "New" });
      expect([made.status, made.problem.code]).toEqual([404, "workspace.unknown"]);
    }
    expect((await get(`/clients?workspace_id=${mine.id}`)).status).toBe(200);
  });

  it("adds nothing to its clients, and creates no reports about it", async () => {
    for (const { clientId, domainId, id } of others) {
      const added = await post("/domains", { client_id: clientId, name: "new.example.com" });
      expect([added.status, added.problem.code]).toEqual([404, "client.unknown"]);
      for (const [type, of, code] of [
        ["domain", domainId, "watched_domain.unknown"],
        ["client", clientId, "client.unknown"],
        ["workspace", id, "workspace.unknown"],
      ] as const) {
        const { status, problem } = await post("/reports/generate", { scope: { type, id: of } });
        expect([type, status, problem.code]).toEqual([type, 404, code]);
        expect(JSON.stringify(problem)).not.toContain(SECRET);
      }
    }
  });

  it("causes no conflicts: names, references and domains belong to one workspace", async () => {
    for (const { name, domain } of others) {
      const client = await post("/clients", { name: `${name} client`, external_ref: `${name}-ref` });
      expect(client.status).toBe(201);
      const added = await post("/domains", { client_id: client.body.id, name: domain });
      expect([added.status, added.body.workspace_id]).toEqual([201, mine.id]);
      // Nothing that the other workspace has about the same domain.
      expect(added.body).toMatchObject({ status: "pending", score: null, findings: { warning: 0 } });
      const again = await post("/domains", { client_id: mine.clientId, name: domain });
      expect([again.status, again.problem.existing_id]).toEqual([409, added.body.id]);
      expect(again.problem.client_id).toBe(client.body.id);
    }
  });

  it("has other cursors and other idempotency keys", async () => {
    const [one] = others;
    const headers = { "idempotency-key": "shared" };
    const made = [mine, one].map((each) =>
      world.ask("POST", "/clients", { key: each?.key ?? "", body: { name: "Shared" }, headers }),
    );
    const [first, second] = await Promise.all(made);
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(first?.body.id).not.toBe(second?.body.id);
    const { next_cursor: cursor } = (await get("/clients?limit=1")).body;
    const stolen = await world.ask("GET", `/clients?limit=1&cursor=${cursor}`, { key: one?.key ?? "" });
    expect([stolen.status, stolen.problem.code]).toEqual([422, "cursor.invalid"]);
  });

  it("has no access with a key of an earlier release, which opens the first workspace", async () => {
    const { operator, db } = world.dashboard.identity;
    const { key, secret } = await operator.keys.createKey({ accountId, kind: "deliverability" });
    const { workspaces } = await operator.workspaces.listWorkspaces({ accountId });
    expect(key?.workspaceId).toBe(workspaces[0]?.id);
    await db.collection("apiKeys").updateOne({ _id: key?.id as never }, { $unset: { workspaceId: "" } });
    const { body } = await world.ask("GET", "/workspaces", { key: secret });
    expect(body.data).toMatchObject([{ id: workspaces[0]?.id, name: "Default" }]);
  });
});
