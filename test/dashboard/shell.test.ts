import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { createGate } from "../harness/signal.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`the frame of all pages${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  const palette = () => page.getByRole("dialog").filter({ has: page.getByPlaceholder("Search or go to…") });
  const help = () => page.getByRole("dialog", { name: "Keys" });
  const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''");

  async function openPalette(key = "Control+k"): Promise<void> {
    await page.keyboard.press(key);
    await expect.poll(focused).toMatch(/^Search pages/);
  }
  async function closePalette(): Promise<void> {
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
  }

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/keys");
    page = visit.page;
    await page.getByRole("heading", { name: "API keys" }).waitFor();
  });
  afterAll(() => world?.dispose());

  describe("keys", () => {
    it("shows every key by ?, and turns those without a modifier off", async () => {
      await page.keyboard.press("?");
      await help().getByText("Show this help").waitFor();
      expect(await help().locator("dt").count()).toBe(8);
      expect(await visit.violations()).toEqual([]);
      // A dialog keeps its keys.
      await page.keyboard.press("/");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await help().getByLabel("Keys without Ctrl or ⌘").click();
      await page.keyboard.press("Escape");
      await help().waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await openPalette();
      expect(await help().count()).toBe(0);
      await closePalette();
      await page.getByRole("button", { name: /^Account of/ }).click();
      await page.getByRole("menuitem", { name: "Keys" }).click();
      await help().getByLabel("Keys without Ctrl or ⌘").click();
      await page.keyboard.press("Escape");
      await help().waitFor({ state: "detached" });
    });

    it("goes by / to the search box of the page, or opens the palette where the page has none", async () => {
      await page.keyboard.press("/");
      expect(await focused()).toBe("Search keys");
      // Typing keeps its keys.
      await page.keyboard.type("a/?");
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByLabel("Search keys").inputValue()).toBe("a/?");
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByText("No jobs yet").waitFor();
      await openPalette("/");
      await closePalette();
    });
  });

  describe("the palette", () => {
    it("finds messages, domains and keys on the server, and opens them by keyboard alone", async () => {
      const id = await world.send({ subject: "Invoice 7781 of Quillfeather" });
      await world.hermod.core.domains.addDomain({ domain: "quillfeather.example" });
      await world.hermod.core.keys.createKey({ name: "Quillfeather shop" });
      await openPalette();
      await page.keyboard.type("quillfeather");
      for (const name of ["Invoice 7781 of Quillfeather", "quillfeather.example", "Quillfeather shop"])
        await palette().getByText(name).waitFor();
      await palette().getByRole("status").getByText("3 entries").waitFor();
      expect(await visit.violations()).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/dashboard/messages/${id}`);
      await openPalette();
      await page.keyboard.type("quillfeather");
      await palette().getByRole("status").getByText("3 entries").waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/dashboard/domains/quillfeather.example");
    });

    it("shows the answer of the text as it is now, though that of a former one arrives later", async () => {
      const [asked, late] = [createGate(), createGate()];
      const slow = async (route: Route) => {
        if (new URL(route.request().url()).searchParams.get("search") !== "quill") return route.continue();
        asked.open();
        await late.opened;
        await route.continue().catch(() => undefined);
      };
      const isDomains = isPath("/api/domains");
      await page.route(isDomains, slow);
      await openPalette();
      await page.keyboard.type("quill");
      await asked.opened;
      await palette()
        .getByText(/^Searching: .*Domains/)
        .waitFor();
      await page.keyboard.type("xyz");
      await palette().getByText("Nothing found").waitFor();
      late.open();
      await page.unroute(isDomains, slow);
      await closePalette();
    });

    it("names the list that could not be searched and why, and shows what others found", async () => {
      // The browser reports the requests that this refuses.
      visit.tolerate(/ERR_CONNECTION_REFUSED/);
      const isMessages = isPath("/api/messages");
      await page.route(isMessages, (route) => route.abort("connectionrefused"));
      await openPalette();
      await page.keyboard.type("quillfeather s");
      await palette().getByText("Quillfeather shop").waitFor();
      await palette().getByRole("alert").getByText("Messages could not be searched.").waitFor();
      expect(await visit.violations()).toEqual([]);
      await page.unroute(isMessages);
      await closePalette();
    });

    it("sends no more of a key that was pasted than its visible part", async () => {
      const secret = world.hermod.firstRun.api_key;
      const sent: string[] = [];
      page.on("request", (request) => sent.push(request.url()));
      await openPalette();
      await page.keyboard.insertText(secret);
      await palette().getByText(secret.slice(0, 16), { exact: false }).first().waitFor();
      expect(sent.some((url) => url.includes(secret.slice(0, 16)))).toBe(true);
      expect(sent.filter((url) => url.includes(secret.slice(0, 18)))).toEqual([]);
      await closePalette();
    });
  });
});

const isPath = (path: string) => (url: URL) => url.pathname === path;
