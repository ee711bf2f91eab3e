import { type Browser, chromium as engine } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { tool } from "../harness/tools.ts";

const chromium = tool("chromium");
/** Folder for pictures of all mail, for people; missing: no pictures are taken. */
const { HERMOD_TEST_PICTURES: pictures } = process.env;
const TIMEOUT_MS = 120_000;
const MINUTE = 60_000;

const WORD = "0123456789abcdef".repeat(16);
const HOSTILE =
  '</td></table><style>body{width:9999px}</style><img src=x onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(chromium.missing)(`alert mail in Chromium${chromium.note}`, () => {
  let identity: Identity;
  let browser: Browser;
  /** HTML of the mail, by case. */
  const mails = new Map<string, string>();

  beforeAll(async () => {
    identity = await openIdentity();
    await identity.operator.accounts.createAccount({ name: "Operator" });
    const notify = { timeZone: "Europe/Berlin", groupBy: ["source"] };
    const keep = async (account: AlertAccount, name: string) => {
      const all = await account.parsed();
      mails.set(name, all.at(-1)?.html || "");
    };

    const plain = await openAlertAccount(identity);
    await plain.putRule(notify);
    await plain.ingest({
      source: "node-exporter",
      message: "/var/lib/postgresql is 97 % full",
      entityType: "host",
      entityId: "web-1.example.com",
      links: [{ href: "https://grafana.example/d/disk", text: "Dashboard" }],
      context: { device: "/dev/nvme0n1p2", free: { mb: 812, percent: 3 }, team: "storage" },
    });
    await keep(plain, "firing");
    identity.time.pass(12 * MINUTE);
    await plain.ingest({
      source: "node-exporter",
      entityType: "host",
      entityId: "web-1.example.com",
      status: "resolved",
    });
    await keep(plain, "resolved");

    const many = await openAlertAccount(identity);
    await many.putRule({ ...notify, mailsPerHour: 2 });
    const context = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`label_${n}`, `value ${n} `.repeat(1 + (n % 9))]),
    );
    for (let n = 0; n < 40; n++)
      await many.ingest({
        severity: "warning",
        entityId: `web-${n}.example.com`,
        message: `request latency is ${n} s`,
        context,
      });
    identity.time.pass(MINUTE);
    await many.check();
    await keep(many, "several");
    for (const source of ["a", "b", "c"])
      await many.ingest({ source, severity: "warning", message: `${source} is away: ${WORD}` });
    identity.time.pass(15 * MINUTE);
    await many.check();
    await keep(many, "digest");

    const hostile = await openAlertAccount(identity);
    await hostile.putRule({}, { name: "r".repeat(100) });
    await hostile.ingest({
      severity: "info",
      eventType: WORD.slice(0, 255),
      source: WORD.slice(0, 255),
      entityId: WORD.slice(0, 255),
      message: `${HOSTILE} ${WORD}`,
      links: [{ href: `https://g.example/${WORD}`, text: "" }],
      context: { [WORD]: WORD, [HOSTILE]: HOSTILE, short: WORD.repeat(2), [`${WORD}2`]: "short" },
    });
    await keep(hostile, "hostile");
    browser = await engine.launch({
      executablePath: "/usr/bin/chromium",
      timeout: TIMEOUT_MS,
      args: ["--no-sandbox"],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await identity?.close();
  });

  it.each(["firing", "resolved", "several", "digest", "hostile"])(
    "fits a phone and a desktop, and is readable in light and dark: %s",
    async (name) => {
      const html = mails.get(name) ?? "";
      expect(html).toContain("</html>");
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [375, 1_000]) {
          const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 } });
          const page = await context.newPage();
          await page.setContent(html);
          if (pictures)
            await page.screenshot({
              path: `${pictures}/alert-mail-${name}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
          expect(await page.title()).not.toMatch(/^[12]$/);
          const faint = (await page.evaluate(`(${findFaint})()`)) as string[];
          expect(faint).toEqual([]);
          await context.close();
        }
    },
  );
});

/** Runs in the page: texts with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). */
const findFaint = `function findFaint() {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  };
  return [...document.body.querySelectorAll("*")].flatMap((element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!hasText) return [];
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return contrast < 4.5 ? [element.textContent + " " + contrast.toFixed(1)] : [];
  });
}`;
