import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let developer: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  developer = (await world.identity.memberOf(accountId, "developer")).token;
});

const BODY = [
  "<script>alert(1)</script><form action=https://evil.example></form>",
  '<img src="cid:dot"><img src="https://evil.example/track.gif"><link rel=preconnect href=https://evil.example>',
].join("");
const PICTURE = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=";
const MAIL = [
  "From: Acme <hello@example.com>",
  "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "",
  BODY,
  "--b",
  "Content-Type: image/gif",
  "Content-Id: <dot>",
  "Content-Disposition: inline",
  "Content-Transfer-Encoding: base64",
  "",
  PICTURE,
  "--b",
  "Content-Type: text/html",
  'Content-Disposition: attachment; filename="../evil.html"',
  "",
  "<script>alert(2)</script>",
  "--b--",
  "",
].join("\r\n");

/**
 * Captures a message like the sandbox transport.
 * @param whose account id; empty: mail of Hermod itself
 */
async function capture(whose = accountId): Promise<string> {
  world.identity.time.pass(1);
  const now = world.identity.time.clock.now();
  const id = newIdInBucket("msg", now, 1);
  const expireAt = new Date(now.getTime() + 86_400_000);
  const envelope = { traceId: "sx_1", envelopeFrom: "b@example.com", envelopeTo: ["ada@example.org"] };
  const message = {
    ...envelope,
    from: "Acme <hello@example.com>",
    subject: "Größe",
    capturedAt: now,
    expireAt,
  };
  const source = Buffer.from(MAIL);
  await world.identity.store.acrossAccounts.sandbox.insertMissing([
    { ...message, id, accountId: whose, source },
  ]);
  return id;
}

const ask = (path: string, headers: Record<string, string> = {}, token = developer) =>
  world.app.inject({
    method: "GET",
    url: `/api/sandbox/messages${path}`,
    headers: { host: "dashboard.test", "sec-fetch-site": "same-origin", ...headers },
    cookies: { hermod: token },
  });
const remove = (path: string, token = developer) =>
  world.ask("DELETE", `/api/sandbox/messages${path}`, { token });

describe("the sandbox inbox of an account", () => {
  it("is searched by recipient and subject", async () => {
    const id = await capture();
    const found = async (query: string) =>
      (await ask(`?${query}`)).json().data.map((one: { id: string }) => one.id);
    expect(await found("recipient=ADA%40&subject=gr%C3%B6")).toEqual([id]);
    expect(await found("subject=other")).toEqual([]);
    expect((await ask("?from=yesterday")).statusCode).toBe(422);
  });

  it("checks a message with the known records of its domain, for members who may read it", async () => {
    const id = await capture();
    const { data } = (await ask(`/${id}/checks`)).json();
    expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(["size", "links", "html", "delivery"]);
    const codes = (index: number) => data[index].findings.map(({ code }: { code: string }) => code);
    expect(codes(2)).toEqual(expect.arrayContaining(["html.script", "html.form"]));
    expect(codes(3)).toContain("domain.unknown");
    const viewer = (await world.identity.memberOf(accountId, "viewer")).token;
    expect((await ask(`/${id}/checks`, {}, viewer)).json().code).toBe("auth.permission_missing");
    expect((await ask("/msg_none/checks")).json().code).toBe("message.unknown");
    await world.identity.operator.domains.addDomain({ accountId, domain: "example.com" });
    const known = (await ask(`/${id}/checks`)).json().data[3];
    expect(known.findings.map(({ code }: { code: string }) => code)).toContain("domain.unverified");
  });

  it("is listed newest first, in pages, without other accounts' mail and Hermod's own", async () => {
    const ids = [await capture(), await capture(), await capture()].reverse();
    await capture("");
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    await capture(other.account?.id ?? "");
    const first = (await ask("?limit=2")).json();
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.data[0]).toMatchObject({
      subject: "Größe",
      envelope_to: ["ada@example.org"],
      account_id: accountId,
    });
    const second = (await ask(`?limit=2&cursor=${first.next_cursor}`)).json();
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(second.has_more).toBe(false);
    expect((await ask("?cursor=zzz")).json().errors[0].pointer).toBe("/cursor");
  });

  it("shows the contents of a message, and records the reader", async () => {
    const id = await capture();
    const { message, headers, html, text, attachments, parse_error } = (await ask(`/${id}`)).json();
    expect(message).toMatchObject({ id, size_bytes: Buffer.byteLength(MAIL) });
    expect(headers[1]).toEqual({
      name: "Subject",
      value: "Größe",
      raw: "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=",
    });
    expect([html.trim(), text, parse_error]).toEqual([BODY, null, null]);
    expect(attachments).toMatchObject([
      { content_type: "image/gif", content_id: "dot", disposition: "inline" },
      { filename: "../evil.html", content_type: "text/html", disposition: "attachment" },
    ]);
    const filter = { action: "sandbox.read", targetId: id };
    const { entries } = await world.identity.operator.audits.listEntries({ accountId, filter });
    expect(entries).toMatchObject([{ outcome: "read", actor: { kind: "user" } }]);
  });

  it("serves the HTML as a document without scripts", async () => {
    const id = await capture();
    const { statusCode, headers, body } = await ask(`/${id}/html`);
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(body).toContain(`data:image/gif;base64,${PICTURE}`);
    expect(body).toContain("<disabled-link");
  });

  it("serves source and attachments as files, which browsers do not open as pages", async () => {
    const id = await capture();
    const source = await ask(`/${id}/source`);
    expect(source.body).toBe(MAIL);
    expect(source.headers).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${id}.eml"`,
    });
    const attached = await ask(`/${id}/attachments/1`);
    expect(attached.body).toContain("alert(2)");
    expect(attached.headers["content-type"]).toBe("application/octet-stream");
    expect(attached.headers["content-disposition"]).toMatch(/^attachment; filename="[^"/]+evil\.html"$/);
    expect(attached.headers["content-security-policy"]).toContain("sandbox");
    for (const index of ["2", "-1", "x", "99999"]) {
      expect((await ask(`/${id}/attachments/${index}`)).statusCode).toBe(404);
    }
  });

  it.each(["html", "source", "attachments/0"])("refuses requests from other sites (%s)", async (part) => {
    const id = await capture();
    for (const site of ["cross-site", "same-site"]) {
      const answer = await ask(`/${id}/${part}`, { "sec-fetch-site": site });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "request.cross_site"]);
    }
    expect((await ask(`/${id}/${part}`, { "sec-fetch-site": "none" })).statusCode).toBe(200);
  });

  it("removes one message, and all messages of the account", async () => {
    const [gone, left] = [await capture(), await capture()];
    const hermods = await capture("");
    expect((await remove(`/${gone}`)).body).toEqual({ deleted: 1 });
    expect((await remove(`/${gone}`)).problem.code).toBe("message.unknown");
    expect((await ask("")).json().data).toMatchObject([{ id: left }]);
    expect((await remove("")).body).toEqual({ deleted: 1 });
    expect((await ask("")).json().data).toEqual([]);
    expect(await world.identity.store.acrossAccounts.sandbox.find(hermods)).toBeDefined();
  });

  it("does not open messages of other accounts, or of Hermod itself, by their ids", async () => {
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const owner = (await world.identity.memberOf(accountId, "owner")).token;
    for (const id of [await capture(""), await capture(other.account?.id ?? "")]) {
      for (const path of [`/${id}`, `/${id}/source`, `/${id}/html`, `/${id}/attachments/0`]) {
        const answer = await ask(path, {}, owner);
        expect([answer.statusCode, answer.json().code]).toEqual([404, "message.unknown"]);
      }
      expect((await remove(`/${id}`, owner)).problem.code).toBe("message.unknown");
    }
  });

  it.each(["support", "viewer"] as const)(
    "is listed for %s, without permission to read or remove",
    async (role) => {
      const id = await capture();
      const { token } = await world.identity.memberOf(accountId, role);
      expect((await ask("", {}, token)).statusCode).toBe(200);
      for (const path of [`/${id}`, `/${id}/source`, `/${id}/html`, `/${id}/attachments/0`]) {
        expect((await ask(path, {}, token)).json().code).toBe("auth.permission_missing");
      }
      for (const path of ["", `/${id}`])
        expect((await remove(path, token)).problem.code).toBe("auth.permission_missing");
    },
  );
});
