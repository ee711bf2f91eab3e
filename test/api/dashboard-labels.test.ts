import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { catalogue } from "../../src/intel/catalogue.ts";
import type { Method } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelWorld, openIntelWorld, sight } from "../harness/intel-world.ts";
import { pngOf } from "../harness/png.ts";

const LOGO = pngOf({ width: 40, height: 10, colorType: 6 });
const NOTHING = { name: null, color: null, logo: null };

let world: IntelWorld;
let accountId: string;
let token: string;
let clientId: string;
let domainId: string;
let workspaceId: string;
let count = 0;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  const client = await ask("POST", "/clients", {
    name: "Nordwind AG",
    contact_emails: ["it@client.example"],
  });
  clientId = client.body.id;
  workspaceId = client.body.workspace_id;
  const name = `n${count++}.example.com`;
  world.results.set(name, sight());
  domainId = (await ask("POST", "/domains", { client_id: clientId, name })).body.id;
  await world.check(accountId, domainId);
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.dashboard.ask(method, `/api/intel${path}`, { token, ...(body !== undefined && { body }) });
const put = (id: string, body: object) => ask("PUT", `/labels/${id}`, body);
const base64 = (bytes: Buffer) => bytes.toString("base64");

/** HTML and branding of a new report. */
async function reported(asked: object) {
  const { id } = (await ask("POST", "/reports", { format: "html", ...asked })).body;
  return documentsOf(id);
}

async function documentsOf(id: string) {
  const html: string = (await ask("GET", `/reports/${id}/document`)).body;
  const { body: json } = await ask("GET", `/reports/${id}/document?format=json`);
  const logo = /<img class="logo" src="data:image\/png;base64,([^"]+)"/.exec(html)?.[1];
  return { id, html, branding: json.branding, logo };
}

describe("labels of reports", () => {
  it("are created, read, replaced, listed and removed, for a workspace and a client", async () => {
    expect((await ask("GET", `/labels/${clientId}`)).problem.code).toBe("label.unknown");
    const made = await put(clientId, { name: " Acme ", color: "#0B5394", logo: base64(LOGO) });
    expect([made.status, made.body]).toMatchObject([
      200,
      {
        id: clientId,
        workspace_id: workspaceId,
        scope: "client",
        name: "Acme",
        color: "#0b5394",
        logo: { width: 40, height: 10 },
        colors: { fill: "#0b5394", text_on_fill: "#ffffff", adjusted: false },
      },
    ]);
    expect((await ask("GET", `/labels/${clientId}`)).body).toEqual(made.body);
    const image = await ask("GET", `/labels/${clientId}/logo`);
    expect([image.status, image.headers["content-type"]]).toEqual([200, "image/png"]);
    const own = (await put(workspaceId, { name: "Agency" })).body;
    expect(own).toMatchObject({ scope: "workspace", name: "Agency", color: null, logo: null });
    expect((await ask("GET", "/labels")).body.data).toEqual([made.body, own]);
    const first = (await ask("GET", "/labels?limit=1")).body;
    expect((await ask("GET", `/labels?limit=1&cursor=${first.next_cursor}`)).body.data).toEqual([own]);
    const kept = await put(clientId, { color: "#ffff00" });
    expect(kept.body).toMatchObject({
      name: null,
      color: "#ffff00",
      logo: made.body.logo,
      colors: { adjusted: true },
    });
    expect((await put(clientId, { logo: null })).body).toMatchObject(NOTHING);
    expect((await ask("GET", `/labels/${clientId}/logo`)).problem.code).toBe("label.unknown");
    expect((await ask("DELETE", `/labels/${clientId}`)).status).toBe(204);
    expect((await ask("DELETE", `/labels/${clientId}`)).problem.code).toBe("label.unknown");
    expect((await ask("GET", "/labels")).body.data).toEqual([own]);
  });

  it("are changed only on the revision that the editor has read", async () => {
    const made = await put(clientId, { name: "Acme", logo: base64(LOGO), if_revision: "none" });
    expect((await put(clientId, { name: "Other", if_revision: "none" })).problem.code).toBe("resource.stale");
    const same = await put(clientId, { name: "Acme", if_revision: made.body.revision });
    expect(same.body).toEqual(made.body);
    const changed = await put(clientId, { name: "Acme 2", if_revision: made.body.revision });
    expect(changed.body.revision).not.toBe(made.body.revision);
    const { revision } = made.body;
    const stale = await ask("DELETE", `/labels/${clientId}?if_revision=${revision}`);
    expect([stale.status, stale.problem.code]).toEqual([409, "resource.stale"]);
    expect((await ask("GET", `/labels/${clientId}`)).body).toEqual(changed.body);
  });

  it.each([
    [{ name: "x".repeat(101) }, "/name"],
    [{ name: "a\nb" }, "/name"],
    [{ color: "blue" }, "/color"],
    [{ logo: "no base64!" }, "/logo"],
    [{ logo: base64(Buffer.from("<svg/>")) }, "/logo"],
    [{ logo: base64(pngOf({ width: 1_601 })) }, "/logo"],
    [{ logo: base64(pngOf({ interlace: 1 })) }, "/logo"],
    [{ logo: base64(LOGO.subarray(0, -20)) }, "/logo"],
    [{ logo: base64(pngOf({ chunks: [["tEXt", Buffer.alloc(262_144)]] })) }, "/logo"],
    [{ more: 1 }, "/more"],
  ])("are refused with a wrong field (%#), and nothing is stored", async (body, pointer) => {
    for (const [method, below] of [
      ["PUT", ""],
      ["POST", "/preview"],
    ] as const) {
      const refused = await ask(method, `/labels/${clientId}${below}`, body);
      expect([method, refused.status, refused.problem.errors?.[0]?.pointer]).toEqual([method, 422, pointer]);
    }
    expect((await ask("GET", "/labels")).body.data).toEqual([]);
  });

  it("belong to a workspace or client of the account", async () => {
    for (const [id, code] of [
      ["ws_none", "workspace.unknown"],
      ["cl_none", "client.unknown"],
    ] as const) {
      expect((await put(id, { name: "Acme" })).problem.code).toBe(code);
      expect((await ask("POST", `/labels/${id}/preview`, {})).problem.code).toBe(code);
    }
  });

  it("are used by reports: that of the request, of the client, or of the workspace, as a whole", async () => {
    const scope = { type: "domain", id: domainId };
    expect(await reported({ scope })).toMatchObject({
      branding: { name: null, color: null },
      logo: undefined,
    });
    await put(workspaceId, { name: "Agency", color: "#123456", logo: base64(LOGO) });
    const ofWorkspace = await reported({ scope });
    expect(ofWorkspace.branding).toEqual({ name: "Agency", color: "#123456" });
    expect(ofWorkspace.logo).toBeDefined();
    await put(clientId, { color: "#0b5394" });
    expect(await reported({ scope: { type: "client", id: clientId } })).toMatchObject({
      branding: { name: null, color: "#0b5394" },
      logo: undefined,
    });
    expect((await reported({ scope: { type: "workspace" } })).branding.name).toBe("Agency");
    const asked = await reported({ scope, branding: { name: "Asked" } });
    expect(asked).toMatchObject({ branding: { name: "Asked", color: null }, logo: undefined });
  });

  it("stay in a report with which they were created, in formats that are created later, too", async () => {
    await put(clientId, { name: "Acme", logo: base64(LOGO) });
    const asked = { scope: { type: "client", id: clientId }, format: "pdf" };
    const { id } = (await ask("POST", "/reports", asked)).body;
    await put(clientId, { name: "Other", logo: null });
    const later = await documentsOf(id);
    expect(later.branding.name).toBe("Acme");
    expect(later.logo).toBeDefined();
    expect(later.html).not.toContain("Other");
    const { token: link } = (await ask("POST", `/reports/${id}/links`, {})).body;
    const shared = await world.dashboard.app.inject({
      url: `/report/${link}`,
      headers: { host: "api.test" },
    });
    expect(shared.body).toContain(later.logo);
  });

  it("are used by scheduled reports without a branding", async () => {
    const { identity } = world.dashboard;
    await allowSending(identity, accountId);
    await put(clientId, { name: "Acme", logo: base64(LOGO) });
    const asked = { name: "Weekly", cadence: "weekly", from: "reports@example.com", format: "html" };
    const schedule = { ...asked, scope: { type: "client", id: clientId } };
    const { id } = (await ask("POST", "/schedules", schedule)).body;
    await ask("POST", `/schedules/${id}/run`);
    await identity.runSchedules();
    const run = (await ask("GET", `/schedules/${id}`)).body.last_run;
    expect(run.status).toBe("sent");
    expect(await documentsOf(run.report_id)).toMatchObject({ branding: { name: "Acme" } });
    expect((await documentsOf(run.report_id)).logo).toBeDefined();
  });

  it("are previewed without being stored", async () => {
    await put(clientId, { name: "Acme", logo: base64(LOGO) });
    const before = (await ask("GET", `/labels/${clientId}`)).body;
    const kept = await ask("POST", `/labels/${clientId}/preview`, { name: "Preview", color: "#ffff00" });
    expect(kept.body.colors).toMatchObject({ fill: "#ffff00", text_on_fill: "#111111", adjusted: true });
    expect(kept.body.document).toContain("Preview");
    expect(kept.body.document).toContain('<img class="logo"');
    const without = await ask("POST", `/labels/${clientId}/preview`, { logo: null });
    expect(without.body.document).not.toContain("<img");
    expect((await ask("GET", `/labels/${clientId}`)).body).toEqual(before);
    expect((await ask("GET", "/reports")).body.data).toEqual([]);
  });

  it("are changed only with the permission", async () => {
    await put(clientId, { name: "Acme" });
    token = (await world.dashboard.identity.memberOf(accountId, "viewer")).token;
    expect((await ask("GET", `/labels/${clientId}`)).status).toBe(200);
    expect((await put(clientId, { name: "Other" })).problem.code).toBe("auth.permission_missing");
    expect((await ask("DELETE", `/labels/${clientId}`)).problem.code).toBe("auth.permission_missing");
  });
});

describe("the catalogue of checks", () => {
  it("has every check with its weight, meaning and reference, and those of blacklists", async () => {
    const { body } = await ask("GET", "/checks");
    expect(body.score_model).toBe("2");
    const own = body.data.filter((one: { readonly blacklist: string | null }) => one.blacklist === null);
    expect(own.map(({ id }: { readonly id: string }) => id)).toEqual(Object.keys(catalogue));
    for (const { id, ...entry } of own) {
      const { category, weight, title, reference } = catalogue[id as keyof typeof catalogue];
      expect(entry).toMatchObject({ category, weight, title, reference, enabled: null });
      expect(entry.meaning).toMatch(/^[A-Z].{20,}\.$/);
    }
    const spamcop = body.data.find(({ id }: { readonly id: string }) => id === "bl.spamcop");
    expect(spamcop).toMatchObject({
      category: "reputation",
      blacklist: "spamcop",
      enabled: true,
      needs: null,
    });
    const zen = body.data.find(({ id }: { readonly id: string }) => id === "bl.spamhaus_zen");
    expect(zen.enabled).toBe(false);
  });
});
