import { simpleParser } from "mailparser";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { openBrowser } from "../harness/browser.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";
import { verified } from "../harness/verify-dkim.ts";

const chromium = tool("chromium");
const READER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0";
const HOUR_MS = 3_600_000;

let network: MailNetwork;
let hermod: Hermod;
let base: string;
let domain: Domain;

beforeAll(async () => {
  network = await startMailNetwork({ "readers.test": { keepsSource: true } });
  const port = String(await freePort());
  base = `http://127.0.0.1:${port}`;
  hermod = await startHermod({
    settings: {
      ...network.settings,
      HERMOD_HTTP_PORT: port,
      HERMOD_BASE_URL: base,
      HERMOD_KEY_CACHE_MS: "0",
      HERMOD_VALIDATE_RESPONSES: "true",
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  const { policies, domains } = hermod.core;
  await policies.putPolicy({ policy: { name: "plain", default: true, transports } });
  const tracking = { opens: true, clicks: true };
  await policies.putPolicy({ policy: { name: "tracked", transports, tracking } });
  const added = await domains.addDomain({ domain: "example.com" });
  if (!added.domain) throw new Error("no domain was added");
  domain = added.domain;
});
afterAll(async () => {
  await hermod?.dispose();
  await network?.close();
});

const html =
  "<html><body><p>Gr\u00fc\u00dfe</p><a href=\"https://shop.example/?a=1&amp;b=2\">Shop</a> <a href='https://other.example/'>Other</a></body></html>";

interface Sent {
  readonly id: string;
  readonly html: string;
  readonly text: string | undefined;
  readonly source: Buffer;
}

async function sent(changes: Record<string, unknown> = {}): Promise<Sent> {
  const { status, accepted } = await post(hermod, email({ to: "ada@readers.test", html, ...changes }));
  expect(status).toBe(202);
  return received(accepted.message_id);
}

/** A message as delivered to its recipient's server, found by the id in its Message-ID. */
async function received(id: string, idThere = id): Promise<Sent> {
  await eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id });
    return message?.state === "delivered" || undefined;
  });
  const [receipt] = network.receipts.get(idThere) ?? [];
  const source = receipt?.source ?? Buffer.alloc(0);
  const mail = await simpleParser(source, { skipTextLinks: true });
  return { id, source, html: (mail.html || "").replaceAll("\r\n", "\n"), text: mail.text };
}

/** Sets the delivery to a time long ago, so that an open does not count as a program's. */
async function deliveredLongAgo(id: string): Promise<void> {
  const updatedAt = new Date(Date.now() - HOUR_MS);
  await withStore(hermod, (db) =>
    db.collection<{ _id: string }>("messages").updateOne({ _id: id }, { $set: { updatedAt } }),
  );
}

const linksOf = (text: string) => text.match(/http:\/\/127\.0\.0\.1:\d+\/t\/c\/[\w-]+/g) ?? [];
const pixelOf = (text: string) => text.match(/http:\/\/127\.0\.0\.1:\d+\/t\/o\/[\w-]+/)?.[0] ?? "";

function get(url: string, { userAgent = READER, ...init }: RequestInit & { userAgent?: string } = {}) {
  return fetch(url, { redirect: "manual", headers: { "user-agent": userAgent }, ...init });
}

type SeenEmail = Readonly<Record<string, unknown>> & {
  readonly timeline: readonly Readonly<Record<string, unknown>>[];
};

/** The view of the message's sender, once it has this number of open and click events. */
async function seen(id: string, count: number) {
  return eventually(async () => {
    const headers = { "x-api-key": hermod.firstRun.api_key };
    const response = await fetch(`${hermod.firstRun.base_url}/v1/emails/${id}`, { headers });
    expect(response.status).toBe(200);
    const body = (await response.json()) as SeenEmail;
    const hits = body.timeline.filter(({ kind }) => /^(?:opened|clicked)$/.test(String(kind)));
    return hits.length >= count ? { body, hits } : undefined;
  });
}

describe("a message", () => {
  it("with a tracking policy has signed links and a signed pixel, and its text unchanged", async () => {
    const mail = await sent({ routing_policy: "tracked", text: "See https://shop.example/?a=1&b=2" });
    expect(linksOf(mail.html)).toHaveLength(2);
    const [shop = "", other = ""] = linksOf(mail.html);
    const undone = mail.html
      .replace(shop, "https://shop.example/?a=1&amp;b=2")
      .replace(other, "https://other.example/")
      .replace(/<img src="[^"]*\/t\/o\/[^>]*>(?=<\/body>)/, "");
    expect(undone.trimEnd()).toBe(html);
    expect(mail.text?.trim()).toBe("See https://shop.example/?a=1&b=2");
    expect(verified(mail.source.toString("latin1"), domain).toSorted()).toEqual([
      "ed25519-sha256",
      "rsa-sha256",
    ]);
  });

  it.each([
    ["plain", undefined, 0, false],
    ["plain", { clicks: true }, 2, false],
    ["plain", { opens: true }, 0, true],
    ["tracked", { clicks: false }, 0, true],
    ["tracked", { opens: false, clicks: false }, 0, false],
    ["tracked", {}, 2, true],
  ])("with policy %s and its own setting %j uses its own setting", async (policy, tracking, links, pixel) => {
    const mail = await sent({ routing_policy: policy, ...(tracking && { tracking }) });
    expect([linksOf(mail.html).length, pixelOf(mail.html) !== ""]).toEqual([links, pixel]);
  });

  it("keeps the links of its List-Unsubscribe unchanged", async () => {
    const headers = { "List-Unsubscribe": "<https://shop.example/?a=1&b=2>" };
    const mail = await sent({ routing_policy: "tracked", headers });
    expect(linksOf(mail.html)).toHaveLength(1);
    expect(mail.html).toContain('href="https://shop.example/?a=1&amp;b=2"');
  });

  it("with too many links is sent untracked, and its timeline has a note", async () => {
    const many = '<a href="https://shop.example/">x</a>'.repeat(1_001);
    const mail = await sent({ routing_policy: "tracked", html: many });
    expect(linksOf(mail.html)).toEqual([]);
    const { body } = await seen(mail.id, 0);
    expect(body.timeline.at(-1)).toMatchObject({
      kind: "delivered",
      detail: expect.stringContaining("not tracked, for it has over 1000 links"),
    });
  });

  it("from SMTP is tracked as its policy requires, and signed", async () => {
    const { smtp, sender } = hermod.firstRun;
    const transport = nodemailer.createTransport({
      host: "127.0.0.1",
      port: smtp.port,
      tls: { rejectUnauthorized: false },
      auth: { user: smtp.username, pass: smtp.password },
    });
    const headers = { "X-Service-Policy": "tracked" };
    const attachments = [{ filename: "a.html", content: html, contentType: "text/html" }];
    const to = "ada@readers.test";
    const { response } = await transport.sendMail({
      messageId: "<msg_smtp@example.com>",
      from: sender,
      to,
      text: "hello",
      html,
      headers,
      attachments,
    });
    transport.close();
    const [traceId = ""] = /sx_\w+/.exec(response) ?? [];
    const { messages } = await hermod.core.messages.listMessages({ filter: { traceId } });
    const mail = await received(messages[0]?.id ?? "", "msg_smtp");
    expect(mail.text?.trim()).toBe("hello");
    expect([linksOf(mail.html).length, pixelOf(mail.html) !== ""]).toEqual([2, true]);
    const { attachments: kept } = await simpleParser(mail.source);
    expect(kept.map(({ content }) => content.toString())).toEqual([html]);
    expect(verified(mail.source.toString("latin1"), domain).toSorted()).toEqual([
      "ed25519-sha256",
      "rsa-sha256",
    ]);
    await deliveredLongAgo(mail.id);
    const answer = await get(linksOf(mail.html)[0] ?? "");
    expect(answer.headers.get("location")).toBe("https://shop.example/?a=1&b=2");
    await eventually(async () => {
      const { timeline } = await hermod.core.messages.getMessage({ id: mail.id });
      return timeline.some(({ kind }) => kind === "clicked") || undefined;
    });
  });

  it("that is resent has the same setting, with its own id", async () => {
    const former = await sent({ tracking: { clicks: true } });
    const { message } = await hermod.core.messages.resendMessage({ id: former.id });
    const again = await received(message?.id ?? "");
    expect([linksOf(again.html).length, pixelOf(again.html)]).toEqual([2, ""]);
    for (const link of linksOf(again.html)) expect(linksOf(former.html)).not.toContain(link);
    await deliveredLongAgo(again.id);
    await get(linksOf(again.html)[0] ?? "");
    expect((await seen(again.id, 1)).hits).toMatchObject([{ kind: "clicked", first: true }]);
  });

  it("is tracked once for an idempotency key", async () => {
    const headers = { "idempotency-key": "tracked-once" };
    const one = email({ html, tracking: { opens: true } });
    expect((await post(hermod, one, { headers })).status).toBe(202);
    expect((await post(hermod, one, { headers })).headers.get("idempotent-replayed")).toBe("true");
    const other = email({ html, tracking: { opens: false } });
    const { status, problem } = await post(hermod, other, { headers });
    expect([status, problem.code]).toEqual([422, "idempotency.key_reused"]);
  });

  it("is refused with unknown tracking fields", async () => {
    for (const tracking of [{ open: true }, { opens: "yes" }, true]) {
      expect((await post(hermod, email({ tracking }))).status).toBe(422);
    }
  });
});

describe("pixels and links", () => {
  it("report opens and clicks, and redirect to the original target", async () => {
    const mail = await sent({ routing_policy: "tracked" });
    await deliveredLongAgo(mail.id);
    const pixel = await get(pixelOf(mail.html));
    expect([pixel.status, pixel.headers.get("content-type")]).toEqual([200, "image/gif"]);
    const gif = Buffer.from(await pixel.arrayBuffer());
    expect([gif.toString("latin1", 0, 6), gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([
      "GIF89a",
      1,
      1,
    ]);
    const [shop = ""] = linksOf(mail.html);
    const click = await get(shop);
    expect([click.status, click.headers.get("location")]).toEqual([302, "https://shop.example/?a=1&b=2"]);
    for (const { headers } of [pixel, click]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
    const { body, hits } = await seen(mail.id, 2);
    expect(hits).toEqual([
      expect.objectContaining({ kind: "opened", first: true, user_agent: READER }),
      expect.objectContaining({ kind: "clicked", first: true, url: "https://shop.example/?a=1&b=2" }),
    ]);
    expect(hits.some((hit) => "client_address" in hit || "machine" in hit)).toBe(false);
    expect(body).toMatchObject({
      status: "delivered",
      opens: { count: 1, machine_count: 0 },
      clicks: { count: 1, machine_count: 0 },
    });
    expect(hermod.log()).not.toContain(shop.slice(shop.lastIndexOf("/") + 1));
  });

  it("answer HEAD like GET, and count nothing", async () => {
    const mail = await sent({ routing_policy: "tracked" });
    await deliveredLongAgo(mail.id);
    const [shop = ""] = linksOf(mail.html);
    const head = await get(shop, { method: "HEAD" });
    expect([head.status, head.headers.get("location")]).toEqual([302, "https://shop.example/?a=1&b=2"]);
    expect((await get(pixelOf(mail.html), { method: "HEAD" })).status).toBe(200);
    await get(pixelOf(mail.html), { userAgent: "Mozilla/5.0" });
    const { body, hits } = await seen(mail.id, 1);
    expect(hits).toEqual([
      expect.objectContaining({
        kind: "opened",
        machine: true,
        machine_reason: "apple_mail_privacy",
      }),
    ]);
    expect(body.clicks).toBeUndefined();
  });

  it("that Hermod did not create are refused", async () => {
    const mail = await sent({ routing_policy: "tracked" });
    const [shop = ""] = linksOf(mail.html);
    const token = shop.slice(shop.lastIndexOf("/") + 1);
    const openToken = pixelOf(mail.html).split("/").at(-1) ?? "";
    const altered = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    const made = Buffer.from(`0123456789abcdefc\n${mail.id}\nhttps://evil.example/`).toString("base64url");
    for (const path of [
      `c/${altered}`,
      `c/${token.slice(0, -4)}`,
      `c/${token}AAAA`,
      `c/${made}`,
      `c/${openToken}`,
      `o/${token}`,
      "c/https:%2F%2Fevil.example",
      `c/${"A".repeat(2_999)}`,
    ]) {
      const answer = await get(`${base}/t/${path}`);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
    }
    const page = await fetch(`${base}/t/c/${altered}`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("This link does not work");
  });
});

describe.skipIf(chromium.missing)(`in Chromium${chromium.note}`, () => {
  it("a mail reports that it was opened and clicked", async () => {
    const target = `${base}/docs/errors`.replace("127.0.0.1", "localhost");
    const mail = await sent({
      routing_policy: "tracked",
      html: `<body><a id="go" href="${target}">Go</a></body>`,
    });
    await deliveredLongAgo(mail.id);
    const browser = await openBrowser({ url: base });
    try {
      const { page } = await browser.visit();
      await page.route("**/t/**", (route) =>
        route.continue({ headers: { ...route.request().headers(), "user-agent": READER } }),
      );
      await page.setContent(mail.html);
      await page.click("#go");
      await page.waitForURL(target);
    } finally {
      await browser.close();
    }
    const { hits } = await seen(mail.id, 2);
    expect(hits.map(({ kind, url }) => [kind, url])).toEqual(
      expect.arrayContaining([
        ["opened", undefined],
        ["clicked", target],
      ]),
    );
  });
});

it("links use an alias below the sender's domain after a check has confirmed it", async () => {
  const host = "mail.hermod-test.net";
  const port = String(await freePort());
  const started = await startHermod({
    settings: { HERMOD_BASE_URL: `https://${host}`, HERMOD_HTTP_PORT: port, HERMOD_KEY_CACHE_MS: "0" },
  });
  const here = `http://127.0.0.1:${port}`;
  const server: Hermod = { ...started, firstRun: { ...started.firstRun, base_url: here } };
  try {
    const added = await server.core.domains.addDomain({ domain: "example.com" });
    const wanted = added.domain?.records.find(({ key }) => key === "tracking");
    expect(wanted).toMatchObject({
      type: "CNAME",
      name: "hm-track.example.com",
      value: host,
      required: false,
    });
    const linkIn = async () => {
      const { accepted } = await post(server, email({ html, tracking: { opens: true, clicks: true } }));
      const source = await eventually(() => capturedSource(server, accepted.message_id));
      const read = await simpleParser(source);
      return [...new Set((read.html || "").match(/https:\/\/[^/"]+(?=\/t\/[co]\/)/g))];
    };
    expect(await linkIn()).toEqual([`https://${host}`]);
    const evidence = { key: "tracking", outcome: "right", problem: "", note: "", aliases: [host], found: [] };
    await withStore(server, (db) =>
      db
        .collection<{ name: string }>("domains")
        .updateOne({ name: "example.com" }, { $set: { records: [evidence] } }),
    );
    expect(await linkIn()).toEqual(["https://hm-track.example.com"]);
    expect(await (await get(`${here}/t/v`)).text()).toMatch(/^[\w-]{43}$/);
  } finally {
    await server.dispose();
  }
});

it("tracking is refused without an address for links, and a message is sent without it", async () => {
  const other = await startHermod({ settings: { HERMOD_KEY_CACHE_MS: "0" } });
  try {
    const { status, problem } = await post(other, email({ html, tracking: { opens: true } }));
    expect([status, problem.errors?.map(({ pointer }) => pointer)]).toEqual([422, ["/tracking"]]);
    expect(JSON.stringify(problem)).toContain("HERMOD_BASE_URL");
    expect((await post(other, email({ html, tracking: { opens: false } }))).status).toBe(202);
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await expect(
      other.core.policies.putPolicy({ policy: { name: "t", transports, tracking: { clicks: true } } }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/tracking", code: "field.invalid" }] });
    await other.core.policies.putPolicy({ policy: { name: "t", transports } });
    await withStore(other, (db) =>
      db.collection("policies").updateOne({ name: "t" }, { $set: { tracking: { opens: true } } }),
    );
    const { accepted } = await post(other, email({ html, routing_policy: "t" }));
    const last = await eventually(async () => {
      const { message, timeline } = await other.core.messages.getMessage({ id: accepted.message_id });
      return message?.state === "captured" ? timeline.at(-1) : undefined;
    });
    expect(last?.detail).toContain("not tracked, for this worker needs an https HERMOD_BASE_URL");
  } finally {
    await other.dispose();
  }
});
