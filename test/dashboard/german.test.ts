import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { fillPages, shownQueries } from "../harness/shown-queries.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

/** Texts of the account. */
const own = ["Your order", "Earlier words", "Later words", "Thank you.", "Your receipt", "Till Friday"];
/** An error of a connection, which is not translated. */
const errors = [/^tested\.example\.com has no address/];

describe.skipIf(browser.missing)(`the pages in German${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let paths: readonly string[];

  beforeAll(async () => {
    world = await openDashboard();
    const english = await world.signIn("/keys");
    const rows = Object.values(shownQueries(await fillPages(world, english)));
    const tabs = rows.flatMap(({ at }) =>
      /^\/webhooks\/wep_\w+$/.test(at) ? [at, `${at}?tab=settings`, `${at}?tab=verify`] : [at],
    );
    paths = [...new Set(tabs)].filter((path) => !path.startsWith("/sign-in"));
    const cookies = await english.context.cookies();
    await english.leave();
    visit = await world.visit({ language: "de-DE" });
    await visit.context.addCookies(cookies);
  });
  afterAll(() => world?.dispose());

  it("are shown to a German browser, and in English after this choice", async () => {
    const { page } = visit;
    await page.goto(`${world.url}/dashboard/user`);
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Same as the browser" }).click();
    await page.getByRole("combobox", { name: "Sprache" }).waitFor();
  });

  it("contain no English word", async () => {
    const { page, violations } = visit;
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(`${world.url}/dashboard${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByText("Wird geladen").count(), { timeout: 30_000 }).toBe(0);
      const texts = await page.evaluate<string[]>(shownTexts);
      found.push(...texts.filter(isEnglish).map((text) => `${path}: ${text}`));
      expect({ path, violations: await violations() }).toEqual({ path, violations: [] });
    }
    expect(found).toEqual([]);
  });
});

const isEnglish = (text: string) =>
  /\b(the|and|of|is|are|with|your|this|that|not|has|have|from|only|which|when|it|no|yes|be)\b/i.test(text) &&
  !own.some((one) => text.includes(one)) &&
  !errors.some((one) => one.test(text));

/** Runs in the page: its texts and labels, without code and data. */
const shownTexts = `(() => {
  const skipped = "code, pre, .mono, .smtp, .cm-editor, iframe, script, style, noscript";
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    if (text && !walker.currentNode.parentElement.closest(skipped)) texts.push(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll("[" + name + "]"))
      if (!element.closest(skipped)) texts.push(element.getAttribute(name));
  return [...new Set(texts)];
})()`;
