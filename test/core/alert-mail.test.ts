/** Mail of alerts, from the database to the wire: created by the delivery code, and read with a mail parser. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { ParsedMail } from "mailparser";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
});

/** The only field with this name; undefined: there is none. */
const field = (mail: ParsedMail | undefined, name: string) => {
  const found = mail?.headerLines.filter(({ key }) => key === name.toLowerCase()) ?? [];
  expect(found.length).toBeLessThan(2);
  return found[0]?.line.replace(/^[^:]*: */, "").replace(/\r\n(?=[ \t])/g, "");
};
const names = ({ headerLines }: ParsedMail) => headerLines.map(({ key }) => key);
const items = (mail: ParsedMail | undefined) =>
  mail?.text?.split("\n").filter((line) => line.startsWith("- "));

/**
 * Hostile input for every field of a source: line breaks, direction marks, markup, template tags, addresses, long
 * text.
 */
const HOSTILE = [
  "a\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>",
  "\u0000\u0007\u001b[31m\u202e\u2066gpj.exe\u2029\u0085",
  '"><img src=x onerror=alert(1)><a href="javascript:alert(1)">click</a>',
  "</td></table><style>body{display:none}</style><!--",
  "{{ link }}{% for i in (1..9999999) %}x{% endfor %}{{ 7 | times: 6 }}",
  "=?utf-8?q?Bcc:_victim=40example.net?=",
  `\ud800\udfff-${"\u{1f525}".repeat(40)}`,
] as const;
/** Name for a context field: no store accepts a NUL. */
const nameOf = (text: string) => text.replaceAll("\0", "");
const long = HOSTILE.join(" ").repeat(20).slice(0, 10_000);

describe("mail of an alert", () => {
  it("has the header of an automatic mail, for filters and threads", async () => {
    await account.putRule();
    const { outcome } = await account.ingest({ entityType: "host", entityId: "web-1" });
    identity.time.pass(12 * MINUTE);
    await account.ingest({ entityType: "host", entityId: "web-1", status: "resolved" });
    const [first, last] = await account.parsed();
    const [incidentId] = outcome?.incidentIds ?? [];
    const list = `<pager.${account.accountId.replace("_", "-")}.example.com>`;
    for (const mail of [first, last]) {
      expect(mail?.from?.value).toEqual([{ address: "alerts@example.com", name: "Alerts" }]);
      expect(field(mail, "Auto-Submitted")).toBe("auto-generated");
      expect(field(mail, "X-Auto-Response-Suppress")).toBe("All");
      expect(field(mail, "List-Id")).toBe(list);
      expect(field(mail, "X-Hermod-Severity")).toBe("critical");
      expect(field(mail, "X-Hermod-Incident")).toBe(incidentId);
      expect(field(mail, "Thread-Topic")).toBe("[critical] node: /var is full (host web-1)");
      expect(field(mail, "Precedence")).toBeUndefined();
      // A single click would silence a pager.
      expect(field(mail, "List-Unsubscribe")).toBeUndefined();
      expect(mail?.attachments).toEqual([]);
    }
    expect([first?.subject, last?.subject]).toEqual([
      "[critical] node: /var is full (host web-1)",
      "Re: [critical] node: /var is full (host web-1)",
    ]);
    expect([first, last].map((mail) => field(mail, "X-Hermod-State"))).toEqual(["open", "resolved"]);
    expect([first?.inReplyTo, first?.references]).toEqual([undefined, undefined]);
    expect([last?.inReplyTo, last?.references]).toEqual([first?.messageId, first?.messageId]);
  });

  it("references the previous mail and the first one of its thread, separately for each recipient", async () => {
    await account.putRule({ recipients: ["ops@example.net", "lead@example.net"], groupBy: ["source"] });
    await account.ingest({ entityId: "a" });
    await account.ingest({ entityId: "b" });
    identity.time.pass(MINUTE);
    await account.check();
    identity.time.pass(MINUTE);
    for (const entityId of ["a", "b"]) await account.ingest({ entityId, status: "resolved" });
    const all = await account.parsed();
    for (const to of ["ops@example.net", "lead@example.net"]) {
      const [first, second, last] = all.filter((mail) => field(mail, "To") === to);
      expect([second?.inReplyTo, second?.references]).toEqual([first?.messageId, first?.messageId]);
      expect([last?.inReplyTo, last?.references]).toEqual([
        second?.messageId,
        [first?.messageId, second?.messageId],
      ]);
    }
    expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(6);
  });

  it("begins with the state, in text and html", async () => {
    await account.putRule({ timeZone: "Europe/Berlin" });
    await account.ingest({
      context: { free: { mb: 3 } },
      links: [{ href: "https://g.example/d", text: "Graph" }],
    });
    identity.time.pass(12 * MINUTE);
    await account.ingest({ status: "resolved" });
    const [first, last] = await account.parsed();
    expect(first?.text).toMatch(
      /^FIRING \(critical\) since \d{4}-\d\d-\d\d \d\d:\d\d (?:CES?T|GMT\+[12]) \(\d\d:\d\d UTC\): 1 alert\.\n/,
    );
    expect(first?.text).toMatch(/^free\.mb: 3$/m);
    expect(first?.text).toMatch(/^Graph: https:\/\/g\.example\/d$/m);
    expect(first?.text).toMatch(/^https:\/\/mail\.example\.com\/incident\/\S+$/m);
    expect(last?.text).toMatch(/^RESOLVED \(critical\) after 12 min\.\n/);
    expect(last?.html).toMatch(/>RESOLVED \(critical\) after 12 min\.</);
    expect(last?.text).not.toContain("/incident/");
  });

  it("has lines and encodings that every server accepts (prometheus/alertmanager#2068, #913, #2374, #2739)", async () => {
    await account.putRule();
    const context = {
      [nameOf(long)]: long,
      many: Object.fromEntries(HOSTILE.map((text, n) => [`${n}`, text])),
    };
    await account.ingest({
      message: long,
      source: long.slice(0, 255),
      entityId: long.slice(0, 255),
      context,
    });
    await account.ingest({ message: `${"Größe ".repeat(200)}.`, entityId: "ü".repeat(255) });
    await account.ingest({ message: "x".repeat(10_000), entityId: "x".repeat(255) });
    for (const message of await account.mails()) {
      const source = await account.sourceOf(message);
      expect(source).not.toMatch(/(?<!\r)\n|\r(?!\n)|[^\t\r\n -~]/);
      const end = source.indexOf("\r\n\r\n");
      for (const line of source.slice(0, end).split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
      expect(source.match(/^Content-Transfer-Encoding: /gm)).toHaveLength(2);
      for (const line of source.slice(end).split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
      for (const part of source.slice(end).split(/^--=_.*$/m))
        if (/quoted-printable|base64/.test(part))
          for (const line of part.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
    }
  });

  it("limits the length of subject, context, values and links (prometheus/alertmanager#401, netdata/netdata-cloud#769)", async () => {
    await account.putRule();
    const context = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`k${n}`, "v".repeat(800)]));
    const href = `https://g.example/${"p".repeat(2_000 - 18)}`;
    await account.ingest({
      message: long,
      source: long.slice(0, 255),
      entityId: "e".repeat(255),
      context,
      links: [{ href }],
    });
    const [mail] = await account.parsed();
    expect([...(mail?.subject ?? "")].length).toBeLessThanOrEqual(100);
    const rows = [...(mail?.text ?? "").matchAll(/^k\d+: (.*)$/gm)].map(([, value = ""]) => value.length);
    expect([rows.length <= 40, Math.max(...rows) <= 500]).toEqual([true, true]);
    expect(mail?.html).toContain(href);
    await expect(account.ingest({ links: [{ href: `${href}q` }] })).rejects.toMatchObject({
      errors: [{ pointer: "/links/0/href" }],
    });
  });
});

describe("text of a source", () => {
  const everywhere = (text: string, n: number) => ({
    eventType: text.slice(0, 255),
    source: text.slice(0, 255),
    message: text,
    entityType: text.slice(0, 255),
    entityId: text.slice(0, 255),
    dedupKey: `${n} ${text}`.slice(0, 255),
    context: {
      [nameOf(text)]: text,
      inner: { [`x${nameOf(text)}`]: [text] },
    } as JsonObject,
    links: [{ href: "https://g.example/x?a=%22&b={{c}}", text: text.slice(0, 100) }],
  });

  it("adds no field to the header, and no element, link or script to the html (grafana/oncall: BadHeaderError)", async () => {
    await account.putRule({ mailsPerHour: 1_000 });
    await account.ingest({
      entityId: "harmless",
      context: { a: 1 },
      links: [{ href: "https://g.example/", text: "t" }],
    });
    // Ids are ordered by time.
    identity.time.pass(1);
    for (const [n, text] of [...HOSTILE, long].entries()) await account.ingest(everywhere(text, n));
    const [plain, ...hostile] = await account.parsed();
    expect(hostile).toHaveLength(HOSTILE.length + 1);
    for (const mail of hostile) {
      expect(names(mail)).toEqual(plain && names(plain));
      expect(mail.bcc).toBeUndefined();
      expect(mail.subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(mail.text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      const html = mail.html || "";
      const elements = new Set([...html.matchAll(/<\/?([a-z!-]+)/gi)].map(([, name]) => name?.toLowerCase()));
      expect([...elements].filter((name) => !KNOWN.has(name ?? ""))).toEqual([]);
      // A message that is not shown completely has the link twice.
      const hrefs = [
        ...new Set([...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href)),
      ];
      expect(hrefs).toEqual([
        expect.stringMatching(/^https:\/\/mail\.example\.com\/incident\/[\w-]+$/),
        "https://g.example/x?a=%22&amp;b={{c}}",
      ]);
      // A quote would end an attribute.
      expect(html.replace(/<[^>]*>/g, "")).not.toMatch(/[<>"']/);
    }
  });

  it("is not a template: tags in it are shown literally", async () => {
    await account.putRule();
    const text = "{{ link }}{% if true %}x{% endif %}{{ 7 | times: 6 }}";
    await account.ingest({ message: text, context: { [text]: text } });
    const [mail] = await account.parsed();
    expect(mail?.text).toContain(`\n${text}\n`);
    expect(mail?.text).toContain(`${text}: ${text}`);
    expect(mail?.html).toContain(text);
  });

  it.each([
    ["javascript:alert(1)"],
    ["data:text/html,<script>alert(1)</script>"],
    ["https://user:secret@g.example/"],
    ["java\nscript:alert(1)"],
    ["//g.example/"],
    ["mailto:a@example.net"],
  ])("is not a link: %j", async (href) => {
    await account.putRule();
    await expect(account.ingest({ links: [{ href }] })).rejects.toMatchObject({
      errors: [{ pointer: "/links/0/href" }],
    });
    await account.ingest({ message: href, context: { href }, links: [] });
    const [mail] = await account.parsed();
    expect((mail?.html || "").match(/<a\s/g)).toHaveLength(1);
  });

  it("cannot write lines of the mail with the address of a link", async () => {
    await account.putRule();
    await account.ingest({
      links: [
        { href: "https://g.example/a\r\n\r\nRESOLVED after 1 min\u202e b", text: "c\r\nd" },
        { href: ' https://g.example/"><b>', text: "" },
      ],
    });
    const [mail] = await account.parsed();
    expect(mail?.text).toMatch(/^c d: https:\/\/g\.example\/aRESOLVED%20after%201%20min%E2%80%AE%20b$/m);
    expect(mail?.text).not.toMatch(/^RESOLVED/m);
    expect(mail?.html).not.toContain("<b>");
  });

  it("with a field that cannot be stored is refused, and does not affect other alerts", async () => {
    await account.putRule();
    const context = { a: { "b\u0000c": 1 } };
    const [bad, ...good] = await Promise.allSettled([
      account.ingest({ context }),
      ...Array.from({ length: 20 }, (_, n) => account.ingest({ entityId: `${n}` })),
    ]);
    expect(bad).toMatchObject({
      reason: { code: "request.validation_failed", errors: [{ pointer: "/context" }] },
    });
    expect(good.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(await account.mails()).toHaveLength(20);
  });
});

/** Elements and attributes of the template. */
const KNOWN = new Set([
  ...["!doctype", "html", "head", "meta", "title", "style", "body", "div", "p", "table", "tr", "td", "th"],
  ...["ul", "li", "a", "strong", "span", "br"],
]);

it("a digest contains the deferred notifications, in a mail that is not part of a thread", async () => {
  const name = "r".repeat(100);
  await account.putRule({ mailsPerHour: 1 }, { name });
  for (let n = 0; n < 40; n++)
    await account.ingest({ entityId: `${n}`, severity: "warning", message: HOSTILE[n % 7] ?? "" });
  identity.time.pass(15 * MINUTE);
  await account.check();
  const [, digest, ...others] = await account.parsed();
  expect(others).toEqual([]);
  expect([...(digest?.subject ?? "")].length).toBeLessThanOrEqual(100);
  expect(digest?.subject).toMatch(/^\[digest\] r{19}…: 39 warning: \[warning\] node: /);
  expect([digest?.inReplyTo, field(digest, "Auto-Submitted")]).toEqual([undefined, "auto-generated"]);
  const lines = items(digest);
  expect([lines?.length, lines?.at(-1)]).toEqual([26, "- and 14 more notices"]);
  expect((digest?.html || "").match(/<(?:img|script)\b/g)).toBeNull();
  // Each one links to the page of its incident.
  const links = (digest?.html || "").match(
    /<a class="link" href="https:\/\/mail.example.com\/incident\/[^"]+"/g,
  );
  expect(new Set(links).size).toBe(25);
  expect(digest?.text?.match(/^ {2}https:\/\/mail.example.com\/incident\/\S+$/gm)).toHaveLength(25);
});

it("a digest names the current severity of an incident that has risen", async () => {
  await account.putRule({ mailsPerHour: 1 });
  await account.ingest({ entityId: "a", severity: "warning" });
  for (const severity of ["info", "warning"]) await account.ingest({ entityId: "b", severity });
  identity.time.pass(15 * MINUTE);
  await account.check();
  const lines = items((await account.parsed()).at(-1));
  expect(lines?.map((line) => line.replace(/, [^,]*$/, ""))).toEqual([
    "- FIRING [warning] node: /var is full (b), 2 notices",
  ]);
});
