import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MessageBody } from "../../src/message/content.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { SYSTEM_MAIL } from "../../src/shared/operations.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { storeBody } from "../harness/store-body.ts";

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

const DAY_MS = 86_400_000;
const PICTURE = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=";
const HTML =
  '<script>alert(1)</script><img src="cid:dot"><img src="https://evil.example/t.gif"><iframe src=//t></iframe>';
const COMPOSED: MessageBody = {
  kind: "composed",
  content: {
    from: { address: "hello@example.com", displayName: "Acme" },
    to: [{ address: "ada@example.org" }],
    replyTo: [],
    subject: "Größe",
    text: "Guten Tag",
    html: HTML,
    headers: [{ name: "X-Order", value: "7" }],
    attachments: [
      {
        filename: "dot.gif",
        contentType: "image/gif",
        disposition: "inline",
        contentId: "dot",
        content: Buffer.from(PICTURE, "base64"),
      },
      {
        filename: "../evil.html",
        contentType: "text/html",
        disposition: "attachment",
        content: Buffer.from("<script>alert(2)</script>"),
      },
    ],
  },
};

/** @param body undefined if it no longer exists */
async function accept(
  body: MessageBody | undefined,
  changes: Partial<MessageDocument> = {},
): Promise<MessageDocument> {
  const { time, store } = world.identity;
  time.pass(1);
  const now = time.clock.now();
  const _id = newIdInBucket("msg", now, 1);
  const message = queuedMessage(now, { _id, bucket: 1, accountId, subject: "Größe", ...changes });
  await store.acrossAccounts.messages.insertMany([message]);
  if (body) await storeBody(world.identity, { accountId: message.accountId, messageId: _id }, body);
  return message;
}

const ask = (path: string, headers: Record<string, string> = {}, token = developer) =>
  world.app.inject({
    method: "GET",
    url: `/api/messages/${path}`,
    headers: { host: "dashboard.test", "sec-fetch-site": "same-origin", ...headers },
    cookies: { hermod: token },
  });
const PARTS = ["contents", "source", "html", "attachments/0"];

/** Answers for every part of a message. */
async function refusals(id: string, token = developer): Promise<[status: number, code: string][]> {
  const answers = await Promise.all(PARTS.map((part) => ask(`${id}/${part}`, {}, token)));
  return answers.map((answer) => [answer.statusCode, answer.json().code]);
}
const each = (status: number, code: string) => PARTS.map(() => [status, code]);

describe("the contents of a message", () => {
  it("are read as the message will be sent, by its id or trace id, and the audit log records the reader", async () => {
    const { _id: id, traceId } = await accept(COMPOSED);
    const answer = await ask(`${id}/contents`);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    const { headers, text, html, attachments, ...rest } = answer.json();
    expect(headers).toContainEqual({
      name: "Subject",
      value: "Größe",
      raw: expect.stringContaining("=?UTF-8?"),
    });
    expect(headers).toContainEqual({ name: "X-Order", value: "7", raw: "X-Order: 7" });
    expect([text.trim(), html.trim()]).toEqual(["Guten Tag", HTML]);
    expect(attachments).toMatchObject([
      { filename: "dot.gif", content_type: "image/gif", content_id: "dot", disposition: "inline" },
      { filename: "../evil.html", content_type: "text/html", disposition: "attachment", size_bytes: 25 },
    ]);
    expect(rest).toEqual({ is_shortened: false, parse_error: null });
    expect((await ask(`${traceId}/contents`)).json()).toEqual(answer.json());
    const filter = { action: "message.read_body", targetId: id };
    const { entries } = await world.identity.operator.audits.listEntries({ accountId, filter });
    expect(entries).toMatchObject([
      { outcome: "read", actor: { kind: "user" }, target: { kind: "message", id, name: "Größe" } },
      { outcome: "read" },
    ]);
  });

  it("have the source byte for byte as its sender wrote it", async () => {
    const source = Buffer.from("Received: by us\r\nSubject: \xe9\r\n\r\n\xff\x00\r\n", "latin1");
    const { _id: id } = await accept({ kind: "raw", source }, { operation: "smtp.submit" });
    const answer = await ask(`${id}/source`);
    expect(answer.rawPayload.equals(source)).toBe(true);
    expect(answer.headers).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${id}.eml"`,
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(answer.headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
  });

  it("are the same for a large body, which is stored in pieces", async () => {
    const source = Buffer.concat([Buffer.from("Subject: x\r\n\r\n"), Buffer.alloc(24_000_000, "Hello!\r\n")]);
    const { _id: id } = await accept({ kind: "raw", source });
    expect((await ask(`${id}/source`)).rawPayload.equals(source)).toBe(true);
    const { text, is_shortened, headers } = (await ask(`${id}/contents`)).json();
    expect([text.length, is_shortened, headers.length]).toEqual([1_000_000, true, 1]);
  });

  it("are shown as HTML without scripts, with the embedded pictures", async () => {
    const { _id: id } = await accept(COMPOSED);
    const { statusCode, headers, body } = await ask(`${id}/html`);
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
    expect(body).toContain("<disabled-iframe");
    const { _id: plain } = await accept({ kind: "raw", source: Buffer.from("Subject: x\r\n\r\nHello") });
    expect((await ask(`${plain}/html`)).json().code).toBe("message.unknown");
  });

  it("have attachments as files, which browsers do not open as pages", async () => {
    const { _id: id } = await accept(COMPOSED);
    const attached = await ask(`${id}/attachments/1`);
    expect(attached.body).toBe("<script>alert(2)</script>");
    expect(attached.headers["content-type"]).toBe("application/octet-stream");
    expect(attached.headers["content-disposition"]).toMatch(/^attachment; filename="[^"/]+evil\.html"$/);
    expect(attached.headers["content-security-policy"]).toContain("sandbox");
    for (const index of ["2", "-1", "x", "99999"]) {
      expect((await ask(`${id}/attachments/${index}`)).statusCode).toBe(404);
    }
  });
});

describe("the contents of a message are refused", () => {
  it.each(["html", "source", "attachments/0"])("to requests from another site (%s)", async (part) => {
    const { _id: id } = await accept(COMPOSED);
    for (const site of ["cross-site", "same-site"]) {
      const answer = await ask(`${id}/${part}`, { "sec-fetch-site": site });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "request.cross_site"]);
    }
    expect((await ask(`${id}/${part}`, { "sec-fetch-site": "none" })).statusCode).toBe(200);
  });

  it.each(["support", "viewer"] as const)("to the role %s", async (role) => {
    const { _id: id } = await accept(COMPOSED);
    const { token } = await world.identity.memberOf(accountId, role);
    expect((await ask(id, {}, token)).statusCode).toBe(200);
    expect(await refusals(id, token)).toEqual(each(403, "auth.permission_missing"));
    const filter = { action: "message.read_body", targetId: id };
    const { entries } = await world.identity.operator.audits.listEntries({ accountId, filter });
    expect(entries[0]).toMatchObject({ outcome: "refused" });
  });

  it("without a valid session", async () => {
    const { _id: id } = await accept(COMPOSED);
    expect(await refusals(id, "x".repeat(43))).toEqual(each(401, "auth.session_invalid"));
    const url = `/api/messages/${id}/source`;
    const answer = await world.app.inject({ method: "GET", url, headers: { host: "dashboard.test" } });
    expect(answer.json().code).toBe("auth.session_missing");
  });

  it("to members of another account", async () => {
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const { _id: id } = await accept(COMPOSED, { accountId: other.account?.id ?? "" });
    expect(await refusals(id)).toEqual(each(404, "message.unknown"));
    expect(await refusals("msg_none")).toEqual(each(404, "message.unknown"));
  });

  it("if the message names another account's body", async () => {
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const { contentId } = await accept(COMPOSED, { accountId: other.account?.id ?? "" });
    const { _id: id } = await accept(undefined, { contentId });
    expect(await refusals(id)).toEqual(each(410, "message.body_gone"));
  });

  it("if Hermod itself wrote the message", async () => {
    const { _id: id } = await accept(COMPOSED, { operation: SYSTEM_MAIL });
    const owner = (await world.identity.memberOf(accountId, "owner")).token;
    expect(await refusals(id, owner)).toEqual(each(403, "message.body_withheld"));
    const asked = world.identity.operator.messages.getMessageSource({ id });
    await expect(asked).rejects.toMatchObject({ code: "message.body_withheld" });
  });
});

describe("a removed body", () => {
  const gone = async (id: string) => {
    expect(await refusals(id)).toEqual(each(410, "message.body_gone"));
    return (await ask(`${id}/contents`)).json().detail;
  };

  it("reports the end of its retention", async () => {
    const message = await accept(undefined, { state: "delivered" });
    const { retentions } = world.identity.store.forAccount(accountId);
    await retentions.change({ contentDays: 2 }, message.createdAt, testAudit);
    expect(await gone(message._id)).toContain("before the end of the retention of bodies");
    world.identity.time.pass(2 * DAY_MS);
    developer = (await world.identity.memberOf(accountId, "developer")).token;
    const end = new Date(message.createdAt.getTime() + 2 * DAY_MS).toISOString();
    expect(await gone(message._id)).toContain(`retained until ${end}`);
  });

  it("has another error than a damaged body", async () => {
    const source = Buffer.alloc(2_500_000, "a");
    const { _id: id, contentId } = await accept({ kind: "raw", source });
    await world.identity.db.collection<{ _id: string }>("chunks").deleteOne({ _id: `${contentId}.1` });
    expect(await refusals(id)).toEqual(each(422, "message.unreadable"));
    await world.identity.db.collection<{ _id: string }>("contents").deleteOne({ _id: contentId });
    await gone(id);
  });

  it("of a cleared sandbox is missing only there: the message can still be read", async () => {
    const { _id: id } = await accept(COMPOSED, { state: "captured" });
    await world.identity.operator.sandbox.clearSandboxMessages({ accountId });
    expect((await ask(`${id}/contents`)).statusCode).toBe(200);
  });
});

describe("a hostile message", () => {
  const contents = async (source: string) => {
    const { _id: id } = await accept({ kind: "raw", source: Buffer.from(source, "latin1") });
    expect((await ask(`${id}/source`)).body.length).toBeGreaterThan(0);
    const answer = await ask(`${id}/contents`);
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };

  it("of a thousand parts, or a thousand nested parts, causes only a finding", async () => {
    const flat = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(100_000)}`;
    expect((await contents(flat)).parse_error).toMatch(/child nodes/);
    const deep = Array.from(
      { length: 5_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    expect((await contents(deep.join(""))).parse_error).toMatch(/child nodes/);
  });

  it("with a million header fields shows the first thousand", async () => {
    const { headers, is_shortened } = await contents(`${"a:b\r\n".repeat(1_000_000)}\r\nx`);
    expect([headers.length, is_shortened]).toEqual([1_000, true]);
  });

  it("with an attachment with a huge name gets an answer of limited size", async () => {
    const name = `Content-Disposition: attachment; filename="${"x".repeat(500_000)}"\r\n`;
    const part = `--b\r\nContent-Type: application/pdf\r\n${name}\r\nx\r\n`;
    const { attachments } = await contents(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(20)}--b--`,
    );
    expect(attachments).toHaveLength(20);
    expect(attachments[0].filename).toHaveLength(1_000);
  });

  it("does not block other messages, also in the sandbox", async () => {
    const { _id: id } = await accept(COMPOSED);
    const many = Array.from({ length: 30 }, () => ask(`${id}/contents`));
    const statuses = (await Promise.all(many)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
