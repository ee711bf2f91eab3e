import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Incident, Notice } from "../incident.ts";
import type { Digest, HeldNotice } from "../notification-limit.ts";
import { digestBody, noticeBody } from "./compose-post.ts";
import { sampleNotice } from "./sample.ts";
import { targetKinds } from "./target.ts";

const AT = new Date("2030-01-01T12:00:00.000Z");
const sample = sampleNotice(AT, "acc_1", "ops-channel");
const TEAMS_BYTES = 28 * 1024;

/** Text that chat services could read as markup, and much of any other text. */
const hostileText = fc.oneof(
  fc.constantFrom(
    "<!channel> <@U123> <https://evil.example|click>",
    "*bold* _it_ ~no~ `code` ```block``` > quote",
    "[click](https://evil.example) **bold** <at>all</at> # heading",
    '"}],"blocks":[{"type":"section"',
    "line\nline\r\n\u2028line\u202e",
    "\ud800 half \udfff",
    "&amp; & &lt;",
    "",
    " ",
    ":fire: {{DATE(2030-01-01T00:00:00Z)}}",
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .tuple(fc.constantFrom("x", "ü", "漢", "😀", "\\", '"', "<", "&"), fc.integer({ min: 1, max: 10_000 }))
    .map(([one, times]) => one.repeat(times)),
);
/** As long as a field of an alert may be. */
const hostileWord = hostileText.map((text) => text.slice(0, 255));
const href = fc.oneof(
  fc.constantFrom(
    "https://grafana.example/d?a=1&b=<|>",
    "https://a.example/|x",
    `https://a.example/${"&".repeat(1_900)}`,
  ),
  fc.webUrl({ withQueryParameters: true }),
);

const summary = fc.record({
  alertId: fc.constant("alr_1"),
  at: fc.constant(AT),
  eventType: hostileWord,
  severity: fc.constantFrom("info" as const, "warning" as const, "critical" as const),
  source: hostileWord,
  message: hostileText,
  entityType: hostileWord,
  entityId: hostileWord,
});
const views = fc
  .record({
    alerts: fc.array(summary, { minLength: 1, maxLength: 25 }),
    more: fc.integer({ min: 0, max: 5_000 }),
    context: fc.dictionary(hostileWord, fc.oneof(hostileWord, fc.integer(), fc.boolean()), { maxKeys: 60 }),
    links: fc.array(fc.record({ href, text: hostileWord }), { maxLength: 10 }),
    state: fc.constantFrom("open" as const, "acknowledged" as const, "resolved" as const),
    severity: fc.constantFrom("info" as const, "warning" as const, "critical" as const),
    title: hostileWord,
    link: fc.constantFrom(undefined, "https://mail.example.com/incident/token"),
  })
  .map(({ title, link, ...given }) => {
    const notice: Notice = { ...sample.notice, ...given, title };
    const [latest = sample.incident.latest] = given.alerts;
    const incident: Incident = { ...sample.incident, title, latest, firing: given.alerts.length };
    return { accountId: "acc_1", eventId: "ntc_1", zone: "Europe/Berlin", incident, notice, link };
  });

const digests = fc
  .record({ held: fc.array(hostileText, { minLength: 1, maxLength: 25 }), more: fc.nat(1_000) })
  .map(({ held, more }) => {
    const entries = held.map(
      (title): HeldNotice => ({
        incidentId: "inc_1",
        title,
        reason: "new",
        state: "open",
        severity: "critical",
        at: AT,
        times: 2,
      }),
    );
    const counts = { critical: held.length * 2 };
    const digest: Digest = { number: 1, at: AT, since: AT, held: entries, more, counts, messageId: "msg_1" };
    const linkOf = () => undefined;
    return { accountId: "acc_1", eventId: "ntc_1", zone: "UTC", ruleName: "pager", digest, linkOf };
  });

interface SlackText {
  readonly type: string;
  readonly text: string;
  readonly emoji?: boolean;
}
interface SlackBlock {
  readonly type: string;
  readonly text?: SlackText;
  readonly fields?: readonly SlackText[];
  readonly elements?: readonly {
    readonly type: string;
    readonly text: SlackText | string;
    readonly url?: string;
  }[];
}
interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/** Faults by the published limits of Slack. */
function slackFaults({ text, blocks }: SlackMessage): string[] {
  const faults: string[] = [];
  const check = (where: string, one: SlackText, most: number) => {
    if (one.text.length < 1 || one.text.length > most) faults.push(`${where}: ${one.text.length} characters`);
    if (one.type === "plain_text" && one.emoji !== false) faults.push(`${where}: emoji`);
    if (one.type === "mrkdwn" && hasForeignMarkup(one.text)) faults.push(`${where}: ${one.text}`);
  };
  if (text.length < 1 || text.length > 3_000 || hasForeignMarkup(text)) faults.push(`text: ${text}`);
  if (blocks.length < 1 || blocks.length > 50) faults.push(`${blocks.length} blocks`);
  for (const block of blocks) {
    const { type } = block;
    if (block.text) check(type, block.text, type === "header" ? 150 : 3_000);
    if (type === "section" && !block.text && !block.fields?.length) faults.push("an empty section");
    if ((block.fields?.length ?? 0) > 10) faults.push("too many fields");
    for (const field of block.fields ?? []) check("field", field, 2_000);
    if ((block.elements?.length ?? 0) > (type === "actions" ? 25 : 10)) faults.push("too many elements");
    for (const element of block.elements ?? []) {
      if (typeof element.text === "object") check("button", element.text, 75);
      else check("context", element as SlackText, 3_000);
      if ((element.url?.length ?? 0) > 3_000) faults.push("a long URL");
    }
  }
  return faults;
}

/** Whether a mrkdwn text has control characters that are not those of a link to a web page. */
function hasForeignMarkup(text: string): boolean {
  const without = text.replace(/<https?:\/\/[^<>|\s]+\|[^<>|]+>/g, "").replace(/&(?:amp|lt|gt);/g, "");
  return /[<>&]/.test(without);
}

interface Card {
  readonly type: string;
  readonly version: string;
  readonly body: readonly {
    readonly type: string;
    readonly inlines: readonly { readonly type: string; readonly text: string }[];
  }[];
  readonly actions?: readonly { readonly type: string; readonly title: string; readonly url: string }[];
}

function cardIn(body: string): Card {
  const { type, attachments } = JSON.parse(body);
  expect(type).toBe("message");
  expect(attachments).toHaveLength(1);
  expect(attachments[0].contentType).toBe("application/vnd.microsoft.card.adaptive");
  return attachments[0].content;
}

describe("a message for Slack", () => {
  it("keeps the published limits, and has no markup of an alert, whatever the alert contains", () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(slackFaults(JSON.parse(noticeBody("slack", view)))).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(digests, (view) => {
        expect(slackFaults(JSON.parse(digestBody("slack", view)))).toEqual([]);
      }),
    );
  });

  it("shows the alert, its context, its links and a button", () => {
    const links = [{ href: "https://grafana.example/d?a=1&b=2", text: "Graph <1>" }];
    const { incident, notice } = sample;
    const link = "https://mail.example.com/incident/token";
    const view = { accountId: "acc_1", eventId: "ntc_1", zone: "UTC", link, incident };
    const body = noticeBody("slack", { ...view, notice: { ...notice, links, context: { host: "web-1" } } });
    const { text, blocks }: SlackMessage = JSON.parse(body);
    expect(text).toContain("[warning] hermod: this is a test");
    expect(blocks[0]).toMatchObject({ type: "header", text: { text: "[warning] hermod: this is a test" } });
    const shown = JSON.stringify(blocks);
    expect(shown).toContain("A member sent this message");
    expect(shown).toContain("host: web-1");
    expect(shown).toContain("<https://grafana.example/d?a=1&amp;b=2|Graph &lt;1&gt;>");
    expect(blocks.find(({ type }) => type === "actions")?.elements?.[0]).toMatchObject({ url: link });
    const resolved = JSON.parse(
      noticeBody("slack", { ...view, notice: { ...notice, state: "resolved", reason: "resolved" } }),
    );
    expect(resolved.blocks.some(({ type }: SlackBlock) => type === "actions")).toBe(false);
  });
});

describe("a card for Teams", () => {
  it("has at most 28 KB, and its texts are runs without Markdown, whatever the alert contains", () => {
    const check = (body: string) => {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(TEAMS_BYTES);
      const { type, version, body: elements, actions = [] } = cardIn(body);
      expect([type, version]).toEqual(["AdaptiveCard", "1.4"]);
      expect(elements.length).toBeGreaterThan(2);
      for (const element of elements) {
        expect(element.type).toBe("RichTextBlock");
        expect(element.inlines.length).toBeGreaterThan(0);
        for (const run of element.inlines) {
          expect(run.type).toBe("TextRun");
          expect(run.text).not.toBe("");
        }
      }
      expect(actions.length).toBeLessThanOrEqual(6);
      for (const action of actions) {
        expect(action.type).toBe("Action.OpenUrl");
        expect(action.title).not.toBe("");
        expect(action.url).toMatch(/^https?:/);
      }
    };
    fc.assert(fc.property(views, (view) => check(noticeBody("teams", view))));
    fc.assert(fc.property(digests, (view) => check(digestBody("teams", view))));
  });

  it("drops detail of a large notice, and keeps its title and the newest of it", () => {
    const { incident, notice } = sample;
    const alerts = Array.from({ length: 25 }, (_, n) => ({
      ...incident.latest,
      message: `${n} ${"漢".repeat(5_000)}`,
      entityId: `host-${n}`,
    }));
    const context = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key-${n}`, "漢".repeat(400)]));
    const view = { accountId: "acc_1", eventId: "ntc_1", zone: "UTC", link: undefined, incident };
    const body = noticeBody("teams", { ...view, notice: { ...notice, alerts, context } });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(TEAMS_BYTES);
    const texts = cardIn(body).body.flatMap(({ inlines }) => inlines.map(({ text }) => text));
    expect(texts[0]).toBe("[warning] hermod: this is a test");
    expect(texts.some((text) => text.startsWith("• [warning] 0 漢"))).toBe(true);
    expect(texts.some((text) => / more lines$/.test(text))).toBe(true);
  });
});

describe("a body for a webhook", () => {
  it("has the notice as data, with unchanged texts of bounded length", () => {
    fc.assert(
      fc.property(views, (view) => {
        const body = noticeBody("webhook", view);
        expect(Buffer.byteLength(body)).toBeLessThan(1024 * 1024);
        const { id, type, account_id, data } = JSON.parse(body);
        expect([id, type, account_id]).toEqual(["ntc_1", "incident.notice", "acc_1"]);
        const { notice } = view;
        expect(data).toMatchObject({ state: notice.state, severity: notice.severity, more: notice.more });
        expect(data.alerts).toHaveLength(notice.alerts.length);
        const [first] = notice.alerts;
        const { message = "" } = first ?? {};
        if (message.length <= 10_000) expect(data.alerts[0].message).toBe(message);
        else expect(data.alerts[0].message.length).toBeLessThanOrEqual(10_000);
      }),
    );
  });
});

it("a body is the same each time, and a test says so", () => {
  const view = { accountId: "acc_1", eventId: "ntc_1", zone: "UTC", link: undefined, ...sample };
  for (const kind of targetKinds) {
    expect(noticeBody(kind, view)).toBe(noticeBody(kind, view));
    const isTest = noticeBody(kind, { ...view, isTest: true });
    expect(isTest).toMatch(kind === "webhook" ? /"test":true/ : /\[test\]/);
  }
});
