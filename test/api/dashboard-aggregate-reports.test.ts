import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Asked, Method } from "../harness/dashboard.ts";
import { dmarcReport, writeDmarc } from "../harness/dmarc-reports.ts";
import { type IntelWorld, openIntelWorld } from "../harness/intel-world.ts";

const DAY_MS = 86_400_000;

let world: IntelWorld;
let accountId: string;
let token: string;
let clientId: string;
let id: string;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  clientId = (await ask("POST", "/clients", { name: "Example Ltd" })).body.id;
  id = (await ask("POST", "/domains", { client_id: clientId, name: "example.com" })).body.id;
});

const ask = (method: Method, path: string, body?: unknown, asked: Asked = { token }) =>
  world.dashboard.ask(method, `/api/intel${path}`, { ...asked, ...(body !== undefined && { body }) });

/** A report about yesterday, as in a request. */
function report(domain: string): string {
  const today = Math.floor(world.dashboard.identity.time.clock.now().getTime() / DAY_MS) * DAY_MS;
  const written = writeDmarc(
    dmarcReport({
      begin: new Date(today - DAY_MS),
      end: new Date(today - 1_000),
      policy: { ...dmarcReport().policy, domain },
    }),
  );
  return gzipSync(written).toString("base64");
}

describe("aggregate reports, in the dashboard", () => {
  it("are counted once, shown in the inbox, and dated at the domain", async () => {
    const before = await ask("GET", `/domains/${id}/reports`);
    expect(before.body).toMatchObject({ dmarc: 0, tls: 0, last_at: null, reports: [], refusals: [] });
    const content = report("example.com");
    const first = await ask("POST", `/domains/${id}/reports`, { content });
    expect(first.status).toBe(200);
    expect(first.body.reports).toMatchObject([{ kind: "dmarc", outcome: "counted", via: "upload" }]);
    const { policy_domains, count } = first.body.reports[0];
    expect([policy_domains, typeof count]).toEqual([["example.com"], "number"]);
    const again = await ask("POST", `/domains/${id}/reports`, { content });
    expect(again.body.reports).toMatchObject([{ outcome: "repeated" }]);
    const { body: inbox } = await ask("GET", `/domains/${id}/reports`);
    expect(inbox).toMatchObject({ dmarc: 1, repeated: 1, refused: 0, refusals: [] });
    expect(inbox.reports).toMatchObject([{ kind: "dmarc", outcome: "counted", count }]);
    const { body: domain } = await ask("GET", `/domains/${id}`);
    expect(domain).toMatchObject({ dmarc_report_address: inbox.dmarc_report_address });
    expect(domain.reported_at).toBe(inbox.last_at);
  });

  it("about another domain, or invalid, are not counted, and the reason is recorded", async () => {
    const foreign = await ask("POST", `/domains/${id}/reports`, { content: report("example.org") });
    expect(foreign.body.reports).toMatchObject([{ kind: "dmarc", outcome: "refused" }]);
    const content = Buffer.from("<html>no report</html>").toString("base64");
    const broken = await ask("POST", `/domains/${id}/reports`, { content });
    expect(broken.body.reports).toMatchObject([
      { kind: "unknown", outcome: "refused", begin: null, end: null, count: 0 },
    ]);
    const { body: inbox } = await ask("GET", `/domains/${id}/reports`);
    expect(inbox).toMatchObject({ dmarc: 0, refused: 2, reports: [] });
    const reasons = [broken, foreign].map(({ body }) => body.reports[0].reason);
    expect(inbox.refusals.map(({ reason }: { reason: string }) => reason)).toEqual(reasons);
  });

  it("must be base64, and of a watched domain", async () => {
    for (const [body, pointer] of [
      [{}, "/content"],
      [{ content: 7 }, "/content"],
      [{ content: "not base64!" }, "/content"],
      [{ content: "PGE+ PGE+" }, "/content"],
      [{ content: "", file: "r.xml" }, "/file"],
    ] as const) {
      const { status, problem } = await ask("POST", `/domains/${id}/reports`, body);
      expect([body, status, problem.errors[0]?.pointer]).toEqual([body, 422, pointer]);
    }
    const stranger = { token: (await world.dashboard.identity.memberOf(await world.newAccount())).token };
    for (const [method, body] of [
      ["GET", undefined],
      ["POST", { content: report("example.com") }],
    ] as const) {
      const { status, problem } = await ask(method, `/domains/${id}/reports`, body, stranger);
      expect([status, problem.code]).toEqual([404, "watched_domain.unknown"]);
    }
    expect((await ask("GET", `/domains/${id}/reports`)).body).toMatchObject({ dmarc: 0, refused: 0 });
  });

  it("can be read but not uploaded by a viewer", async () => {
    const viewer = { token: (await world.dashboard.identity.memberOf(accountId, "viewer")).token };
    expect((await ask("GET", `/domains/${id}/reports`, undefined, viewer)).status).toBe(200);
    const refused = await ask("POST", `/domains/${id}/reports`, { content: "" }, viewer);
    expect([refused.status, refused.problem.code]).toEqual([403, "auth.permission_missing"]);
  });
});

describe("sending domains of the account", () => {
  const own = (domain: string) => world.dashboard.identity.operator.domains.addDomain({ accountId, domain });
  const offered = async (query = "") => {
    const { body } = await ask("GET", `/offers${query}`);
    return { names: body.data.map(({ name }: { name: string }) => name), next: body.next_cursor };
  };

  it("are offered until the workspace watches them, in pages, by name", async () => {
    for (const name of ["c.example.net", "a.example.net", "xn--bcher-kva.example.net", "b.example.net"])
      await own(name);
    expect((await ask("GET", "/offers")).body).toEqual({
      data: [
        { name: "a.example.net", name_unicode: "a.example.net", status: "unverified" },
        { name: "b.example.net", name_unicode: "b.example.net", status: "unverified" },
        { name: "c.example.net", name_unicode: "c.example.net", status: "unverified" },
        { name: "xn--bcher-kva.example.net", name_unicode: "bücher.example.net", status: "unverified" },
      ],
      has_more: false,
    });
    const { body } = await ask("POST", "/domains", { client_id: clientId, name: "b.example.net" });
    expect(body.hosted_by_hermod).toBe(true);
    const first = await offered("?limit=2");
    expect(first.names).toEqual(["a.example.net", "c.example.net"]);
    // An entry that is added after the cursor is on the next page. An entry that is added before it moves nothing.
    await own("aa.example.net");
    const second = await offered(`?limit=2&cursor=${first.next}`);
    expect(second).toEqual({ names: ["xn--bcher-kva.example.net"], next: undefined });
    const { body: other } = await ask("POST", "/workspaces", { name: "Other" });
    expect((await offered(`?workspace_id=${other.id}`)).names).toContain("b.example.net");
    const elsewhere = await ask("GET", `/offers?workspace_id=${other.id}&cursor=${first.next}`);
    expect([elsewhere.status, elsewhere.problem.code]).toEqual([422, "cursor.invalid"]);
  });

  it("belong to the account only", async () => {
    await own("mine.example.net");
    const stranger = { token: (await world.dashboard.identity.memberOf(await world.newAccount())).token };
    expect((await ask("GET", "/offers", undefined, stranger)).body).toEqual({ data: [], has_more: false });
  });
});
