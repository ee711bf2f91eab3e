import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { sight } from "../harness/intel-world.ts";

const results = new Map([["example.com", sight({ "auth.dmarc.policy": { status: "warn" } })]]);
let identity: Identity;
let accountId: string;
let clientId: string;

beforeAll(async () => {
  identity = await openIdentity({ intel: { sights: { results }, allowsPrivate: false } });
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = (await identity.operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
  const settings = { name: "Example Ltd" };
  clientId = (await identity.operator.workspaces.createClient({ accountId, settings })).client?.id ?? "";
});

const watches = () => identity.operator.watches;
async function add(name: string, settings = {}): Promise<string> {
  const { domain } = await watches().addWatchedDomain({ accountId, clientId, name, settings });
  return domain?.id ?? "";
}

describe("the workspace of clients and domains", () => {
  it("is unique for parallel requests for the first one", async () => {
    const { account } = await identity.operator.accounts.createAccount({ name: "New" });
    const asked = { accountId: account?.id ?? "" };
    const { workspaces } = identity.operator;
    const lists = await Promise.all(Array.from({ length: 8 }, () => workspaces.listWorkspaces(asked)));
    const ids = lists.flatMap((list) => list.workspaces.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([8, 1]);
  });

  it("is that of the client, and no other one is accepted", async () => {
    const { workspaces } = identity.operator;
    const { workspace } = await workspaces.createWorkspace({ accountId, name: "Other" });
    const workspaceId = workspace?.id ?? "";
    const asked = { accountId, clientId, name: "example.com" };
    await expect(watches().addWatchedDomain({ ...asked, workspaceId })).rejects.toMatchObject({
      code: "client.unknown",
    });
    expect((await watches().addWatchedDomain(asked)).domain?.workspaceId).not.toBe(workspaceId);
    const listed = await watches().listWatchedDomains({ accountId, workspaceId });
    expect(listed.domains).toEqual([]);
  });

  it("counts the existing domains exactly, while some are added and removed at once", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `d${n}.example.com`);
    const ids = await Promise.all(names.map((name) => add(name)));
    const removed = ids.slice(0, 5).map((id) => watches().removeWatchedDomain({ accountId, id }));
    await Promise.all([...removed, add("more.example.com")]);
    const { workspaces } = await identity.operator.workspaces.listWorkspaces({ accountId });
    expect(workspaces[0]?.counts).toMatchObject({ domains: 8, domainsByStatus: { pending: 8 } });
    const { client } = await identity.operator.workspaces.getClient({ accountId, id: clientId });
    expect(client?.counts?.domains).toBe(8);
  });
});

describe("of another account", () => {
  it("finds nothing, and changes nothing", async () => {
    const id = await add("example.com");
    await watches().checkWatchedDomain({ accountId, id });
    const before = await watches().getWatchedDomain({ accountId, id });
    const { workspaces } = await identity.operator.workspaces.listWorkspaces({ accountId });
    const workspaceId = workspaces[0]?.id ?? "";
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const other = { accountId: account?.id ?? "" };
    const until = timestampFromDate(new Date(identity.time.clock.now().getTime() + 60_000));
    const settings = { name: "Other" };
    const { workspaces: ofWorkspaces } = identity.operator;
    const unknown = {
      "watched_domain.unknown": [
        () => watches().getWatchedDomain({ ...other, id }),
        () => watches().updateWatchedDomain({ ...other, id, settings: { paused: true } }),
        () => watches().removeWatchedDomain({ ...other, id }),
        () => watches().checkWatchedDomain({ ...other, id }),
        () => watches().muteCheck({ ...other, id, checkId: "auth.dmarc.policy", until }),
      ],
      "client.unknown": [
        () => watches().addWatchedDomain({ ...other, clientId, name: "example.org" }),
        () => ofWorkspaces.getClient({ ...other, id: clientId }),
        () => ofWorkspaces.updateClient({ ...other, id: clientId, settings, archived: true }),
      ],
      "workspace.unknown": [
        () => ofWorkspaces.renameWorkspace({ ...other, id: workspaceId, name: "Other" }),
        () => ofWorkspaces.listClients({ ...other, workspaceId }),
        () => ofWorkspaces.createClient({ ...other, workspaceId, settings }),
        () => watches().listWatchedDomains({ ...other, workspaceId }),
        () => watches().listWatchChanges({ ...other, workspaceId }),
      ],
    };
    for (const [code, calls] of Object.entries(unknown))
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code });
    expect((await watches().listWatchChanges({ ...other, domainId: id })).changes).toEqual([]);
    expect((await watches().listWatchedDomains({ ...other, filter: { id } })).domains).toEqual([]);
    expect(await watches().getWatchedDomain({ accountId, id })).toEqual(before);
  });
});

describe("sessions", () => {
  it.each(["owner", "admin", "developer"] as const)(
    "of the role %s can change watched domains",
    async (role) => {
      const { token: session } = await identity.memberOf(accountId, role);
      const core = identity.as({ session });
      const { domain } = await core.watches.addWatchedDomain({ clientId, name: "example.com" });
      expect(domain).toMatchObject({ name: "example.com", status: "pending" });
    },
  );

  it.each(["support", "viewer"] as const)(
    "of the role %s can read them, and change nothing",
    async (role) => {
      const id = await add("example.com");
      const { token: session } = await identity.memberOf(accountId, role);
      const core = identity.as({ session });
      expect((await core.watches.getWatchedDomain({ id })).domain?.id).toBe(id);
      expect((await core.workspaces.listWorkspaces({})).workspaces).toHaveLength(1);
      for (const call of [
        () => core.watches.addWatchedDomain({ clientId, name: "example.org" }),
        () => core.watches.removeWatchedDomain({ id }),
        () => core.watches.checkWatchedDomain({ id }),
        () => core.workspaces.createWorkspace({ name: "New" }),
        () => core.workspaces.updateClient({ id: clientId, settings: { name: "New" } }),
      ])
        await expect(call()).rejects.toMatchObject({ code: "auth.permission_missing" });
    },
  );
});

describe("pages", () => {
  it("have at most 1,000 entries, and accept no token of another list", async () => {
    for (const name of ["a.example.com", "b.example.com"]) await add(name);
    const { nextPageToken } = await watches().listWatchedDomains({ accountId, pageSize: 1 });
    await expect(watches().listWatchedDomains({ accountId, pageSize: 1_001 })).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/page_size" }],
    });
    for (const call of [
      () => watches().listWatchChanges({ accountId, pageToken: nextPageToken }),
      () => identity.operator.workspaces.listClients({ accountId, pageToken: nextPageToken }),
      () => watches().listWatchedDomains({ accountId, pageToken: nextPageToken, sort: "-score" }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "cursor.invalid" });
  });
});

describe("a change of a domain", () => {
  it("is recorded in the audit log, with the former values", async () => {
    const id = await add("example.com", { sendingIps: ["8.8.8.8"] });
    await watches().updateWatchedDomain({ accountId, id, settings: { role: "parked" } });
    const { entries } = await identity.operator.audits.listEntries({ accountId });
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["client.create", "watched_domain.add", "watched_domain.update"]),
    );
    const update = entries.find(({ action }) => action === "watched_domain.update");
    expect(update?.target?.name).toBe("example.com");
    expect(JSON.stringify(update, (_, value) => (typeof value === "bigint" ? `${value}` : value))).toContain(
      "parked",
    );
  });

  it("starts a check immediately", async () => {
    const id = await add("example.com");
    await watches().checkWatchedDomain({ accountId, id });
    const { domain: before } = await watches().getWatchedDomain({ accountId, id });
    identity.time.pass(1_000);
    const asked = { accountId, id, settings: { dkimSelectors: ["s1"] } };
    const { domain } = await watches().updateWatchedDomain(asked);
    expect(Number(domain?.nextCheckAt?.seconds)).toBeLessThan(Number(before?.nextCheckAt?.seconds));
    expect(domain).toMatchObject({ status: "warning", score: before?.score });
  });
});
