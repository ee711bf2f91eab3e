/** The page of a link in alert mail, from a core and in a browser. */
import { simpleParser } from "mailparser";
import { type Browser, chromium as engine } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentPage } from "../../src/edge/incident-pages.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { tool } from "../harness/tools.ts";

const chromium = tool("chromium");
/** Folder for pictures, for people; missing: no pictures are taken. */
const { HERMOD_TEST_PICTURES: pictures } = process.env;
const TIMEOUT_MS = 120_000;
const MINUTE = 60_000;
const MESSAGE = 'Traceback:\n  File "a.py" <b>\nValueError: no';

let identity: Identity;
let account: AlertAccount;
let token: string;
let opened: string;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
  account = await openAlertAccount(identity);
  const recipients = ["ops@example.net", "secret@example.net"];
  await account.putRule({ recipients, timeZone: "Asia/Tokyo", groupBy: ["source"] });
  for (let n = 0; n < 3; n++) await account.ingest({ entityId: "a", message: MESSAGE, severity: "warning" });
  identity.time.pass(MINUTE);
  await account.ingest({ entityId: "b", message: "primary is down" });
  // Mail of the same time has no particular order, and a link belongs to its recipient.
  const mail = (await account.mails()).find(({ recipient }) => recipient === "ops@example.net");
  const source = mail ? await account.sourceOf(mail) : "";
  const { text = "" } = await simpleParser(Buffer.from(source, "latin1"));
  token = /\/incident\/(\S+)/.exec(text)?.[1] ?? "";
  opened = incidentPage(await identity.frontEnd.incidents.findIncidentLink({ token }));
});
afterAll(() => identity.close());

describe("the page of an incident", () => {
  it("shows times in the zone of the rule, for machines too", () => {
    const times = [...opened.matchAll(/<time datetime="(\S+Z)">([^<]+)<\/time>/g)];
    expect(times.length).toBeGreaterThan(4);
    for (const [, at = "", shown = ""] of times)
      expect(shown).toBe(
        `${new Date(Date.parse(at) + 9 * 60 * MINUTE).toISOString().slice(0, 16).replace("T", " ")} GMT+9 (${at.slice(11, 16)} UTC)`,
      );
  });

  it("counts active alerts and occurrences separately, and shows each message with its lines", () => {
    expect(opened).toContain(": 2 active alerts, 4 occurrences. Not acknowledged.");
    expect(opened).toContain(
      '<p class="lines">Traceback:\n  File &quot;a.py&quot; &lt;b&gt;\nValueError: no</p>',
    );
    expect(opened).toContain('<p class="lines">primary is down</p>');
    expect(opened).toContain("<strong>[critical] node: primary is down (b)</strong>");
  });

  it("has the history, without the addresses of other recipients", async () => {
    const said = [...opened.matchAll(/<li>([^<]*)<br>/g)].map(([, text]) => text);
    expect(said).toEqual([
      "Opened: by rule pager, version 1",
      "Mail sent",
      "Severity raised: from warning to critical",
      "Mail sent",
    ]);
    expect(opened).not.toContain("@example.net");
    const { incidents } = identity.frontEnd;
    const acknowledged = incidentPage(await incidents.followIncidentLink({ token, action: "acknowledge" }));
    expect(acknowledged).toContain("<li>Acknowledged: ops@example.net<br>");
    expect(acknowledged).toContain('value="resolve"');
    expect(acknowledged).not.toContain('value="acknowledge"');
  });
});

describe.skipIf(chromium.missing)(`the page of an incident in Chromium${chromium.note}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await engine.launch({
      executablePath: "/usr/bin/chromium",
      timeout: TIMEOUT_MS,
      args: ["--no-sandbox"],
    });
  });
  afterAll(() => browser?.close());

  it.each([
    [375, "light"],
    [375, "dark"],
    [1_280, "light"],
    [1_280, "dark"],
  ] as const)("has separate buttons and fits %i pixels, %s", async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    await page.setContent(opened);
    const [first, second] = await page.locator("button").all();
    const [a, b] = [await first?.boundingBox(), await second?.boundingBox()];
    if (!a || !b) throw new Error("There are no two buttons.");
    const gap = Math.max(b.x - (a.x + a.width), b.y - (a.y + a.height));
    expect(gap).toBeGreaterThanOrEqual(8);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    if (pictures)
      await page.screenshot({ path: `${pictures}/incident-${width}-${colorScheme}.png`, fullPage: true });
    await page.close();
  });
});
