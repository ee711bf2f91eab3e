import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../contracts/common/problem.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const ONE_CLICK = "List-Unsubscribe=One-Click";

let hermod: Hermod;

beforeAll(async () => {
  const port = String(await freePort());
  hermod = await startHermod({
    settings: {
      HERMOD_HTTP_PORT: port,
      HERMOD_BASE_URL: `http://127.0.0.1:${port}`,
      HERMOD_KEY_CACHE_MS: "0",
    },
  });
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "news", transports, listUnsubscribe: true } });
  await hermod.core.domains.addDomain({ domain: "example.com" });
});
afterAll(() => hermod.dispose());

/** The header fields of the delivered message, unfolded. */
async function sentFields(changes: Record<string, unknown>): Promise<string[]> {
  const { status, accepted } = await post(hermod, email({ routing_policy: "news", ...changes }));
  expect(status).toBe(202);
  const source = await eventually(() => capturedSource(hermod, accepted.message_id));
  const header = source.subarray(0, source.indexOf("\r\n\r\n")).toString("latin1");
  return header.replace(/\r\n[ \t]+/g, " ").split("\r\n");
}

/** The link of a message to this recipient. */
async function linkFor(to: string): Promise<string> {
  const fields = await sentFields({ to });
  const field = fields.find((line) => line.startsWith("List-Unsubscribe:")) ?? "";
  return /^List-Unsubscribe: <(.*)>$/.exec(field)?.[1] ?? "";
}

function suppressionsOf(address: string) {
  return withStore(hermod, (db) => db.collection("suppressions").find({ address }).toArray());
}

function click(link: string, init: RequestInit = {}): Promise<Response> {
  return fetch(link, { method: "POST", body: new URLSearchParams(ONE_CLICK), redirect: "error", ...init });
}

const inBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("List-Unsubscribe", () => {
  it("is in messages of a policy that requires it, signed together with List-Unsubscribe-Post", async () => {
    const fields = await sentFields({ to: "ada@example.org" });
    const [link = ""] = fields.filter((line) => line.startsWith("List-Unsubscribe:"));
    expect(link).toMatch(/^List-Unsubscribe: <http:\/\/127\.0\.0\.1:\d+\/u\/[A-Za-z0-9_-]{50,}>$/);
    expect(link).not.toMatch(/ada|example/);
    expect(fields).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const signatures = fields.filter((line) => line.startsWith("DKIM-Signature:"));
    expect(signatures.length).toBe(2);
    for (const signature of signatures) {
      const names = (/;\s*h=([^;]*)/.exec(signature)?.[1] ?? "").replaceAll(" ", "").toLowerCase().split(":");
      // One more than its occurrences: a field that is added in transit breaks the signature.
      for (const name of ["list-unsubscribe", "list-unsubscribe-post"]) {
        expect(names.filter((one) => one === name).length).toBe(2);
      }
    }
  });

  it("from the message itself is unchanged", async () => {
    const headers = { "List-Unsubscribe": "<mailto:off@example.com>" };
    const fields = await sentFields({ headers });
    expect(fields.filter((line) => /^list-unsubscribe/i.test(line))).toEqual([
      "List-Unsubscribe: <mailto:off@example.com>",
    ]);
  });

  it("is not in messages of other policies", async () => {
    const fields = await sentFields({ routing_policy: undefined });
    expect(fields.filter((line) => /^list-/i.test(line))).toEqual([]);
  });
});

describe("a click", () => {
  it("suppresses the recipient for the policy, once for repeated clicks", async () => {
    const link = await linkFor("Bea@example.org");
    const answers = [await click(link), await click(link, inBrowser)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [suppression, ...others] = await suppressionsOf("Bea@example.org");
    expect(others).toEqual([]);
    expect(suppression).toMatchObject({
      addressKey: "bea@example.org",
      reason: "unsubscribe",
      policy: "news",
    });
    const { message, timeline } = await hermod.core.messages.getMessage({ id: suppression?.messageId });
    expect(timeline.filter(({ kind }) => kind === "unsubscribed")).toHaveLength(1);
    expect(message).toMatchObject({ recipient: "Bea@example.org", accountId: suppression?.accountId });
  });

  it("also works as multipart/form-data, and after its message was removed", async () => {
    const link = await linkFor("carl@example.org");
    await withStore(hermod, (db) => db.collection("messages").deleteMany({ recipient: "carl@example.org" }));
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    expect((await click(link, { body })).status).toBe(200);
    expect((await suppressionsOf("carl@example.org")).length).toBe(1);
  });

  it("must be a form with exactly that one field", async () => {
    const link = await linkFor("dora@example.org");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const refused: [number, RequestInit][] = [
      [422, { body: "", headers: form }],
      [422, { body: "List-Unsubscribe=Maybe", headers: form }],
      [422, { body: "no form", headers: { "content-type": "multipart/form-data; boundary=x" } }],
      [415, { body: `{"List-Unsubscribe":"One-Click"}`, headers: { "content-type": "application/json" } }],
      [413, { body: `${ONE_CLICK}&a=${"a".repeat(20_000)}`, headers: form }],
    ];
    for (const [status, init] of refused) {
      const answer = await click(link, init);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    }
    expect(await suppressionsOf("dora@example.org")).toEqual([]);
  });

  it("on a forged link gets an error, for programs and for people", async () => {
    const link = await linkFor("eve@example.org");
    const cut = link.slice(0, -1);
    for (const forged of [cut, `${link}A`, `${link.slice(0, -4)}AAAA`, link.replace(/[^/]+$/, "x")]) {
      for (const method of ["GET", "POST"]) {
        const body = method === "POST" ? new URLSearchParams(ONE_CLICK) : null;
        const told = await fetch(forged, { method, body });
        expect([told.status, ((await told.json()) as Problem).code]).toEqual([
          404,
          "unsubscribe.token_invalid",
        ]);
        const shown = await fetch(forged, { method, body, ...inBrowser });
        expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
        expect(await shown.text()).toContain("<h1>This link does not work</h1>");
      }
    }
    expect(await suppressionsOf("eve@example.org")).toEqual([]);
  });

  it("accepts no other method", async () => {
    const answer = await fetch(await linkFor("fay@example.org"), { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });
});

describe("the page of the link", () => {
  it("asks first: opening it changes nothing, because programs follow links", async () => {
    const link = await linkFor("gus@example.org");
    for (const method of ["GET", "HEAD", "GET"]) expect((await fetch(link, { method })).status).toBe(200);
    expect(await suppressionsOf("gus@example.org")).toEqual([]);
  });

  it("has one button with the effect of the click", async () => {
    const link = await linkFor("hal@example.org");
    const page = await (await fetch(link, inBrowser)).text();
    expect(page.match(/<form[^>]*>/g)).toEqual(['<form method="post">']);
    expect(page.match(/<button[^>]*>[^<]*/g)).toEqual(['<button type="submit">Unsubscribe']);
    const [, name = "", value = ""] = /<input type="hidden" name="([^"]*)" value="([^"]*)">/.exec(page) ?? [];
    const done = await click(link, { ...inBrowser, body: new URLSearchParams({ [name]: value }) });
    expect(await done.text()).toContain("<h1>You are unsubscribed</h1>");
    expect((await suppressionsOf("hal@example.org")).length).toBe(1);
  });

  it("is accessible: it has a language, title, heading and main part, at any size, light or dark", async () => {
    const link = await linkFor("ida@example.org");
    for (const answer of [await fetch(link), await click(link), await fetch(`${link}x`, inBrowser)]) {
      const page = await answer.text();
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page).toMatch(/<meta name="viewport" content="width=device-width, initial-scale=1">/);
      expect(page.match(/<(title|h1|main)>/g)?.toSorted()).toEqual(["<h1>", "<main>", "<title>"]);
      expect(page).toContain("color-scheme: light dark");
      expect(page).not.toMatch(/user-scalable|maximum-scale|outline: *(none|0)/);
    }
  });

  it("discloses nothing: no address, no external resources, no referrer, no cache, no index", async () => {
    const link = await linkFor("joe@example.org");
    for (const answer of [await fetch(link), await click(link)]) {
      const page = await answer.text();
      expect(page).not.toMatch(/joe|example|news|<script|https?:/);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; .*form-action 'self'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    expect(hermod.log()).not.toContain(link.slice(link.lastIndexOf("/") + 1));
  });
});

it("messages wait while their worker does not know the address of links", async () => {
  const other = await startHermod({ settings: { HERMOD_KEY_CACHE_MS: "0" } });
  try {
    const sandbox = { kind: { case: "sandbox" as const, value: {} } };
    await other.core.policies.putPolicy({ policy: { name: "news", transports: [sandbox] } });
    await withStore(other, (db) =>
      db.collection("policies").updateOne({ name: "news" }, { $set: { listUnsubscribe: true } }),
    );
    const { accepted } = await post(other, email({ routing_policy: "news" }));
    const last = await eventually(async () => {
      const { message, timeline } = await other.core.messages.getMessage({ id: accepted.message_id });
      return message?.state === "deferred" ? timeline.at(-1) : undefined;
    });
    expect(last?.detail).toContain("HERMOD_BASE_URL");
    await expect(
      other.core.policies.putPolicy({
        policy: { name: "more", transports: [sandbox], listUnsubscribe: true },
      }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/list_unsubscribe", code: "field.invalid" }] });
  } finally {
    await other.dispose();
  }
});
