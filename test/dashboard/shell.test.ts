import type { Page, Response, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { askOn, holdAnswers } from "../harness/browser.ts";
import {
  type DashboardWorld,
  enter,
  LOST_PARTS,
  openDashboard,
  type Visit,
} from "../harness/dashboard-world.ts";
import { createGate } from "../harness/signal.ts";
import { newSettings, removeData, startProcess } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";
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
    world = await openDashboard({ HERMOD_GRPC_PORT: String(await freePort()) });
    visit = await world.signIn("/keys");
    page = visit.page;
    await page.getByRole("heading", { name: "API keys" }).waitFor();
  });
  afterAll(() => world?.dispose());

  describe("keys", () => {
    it("lists all keys with ?, and turns keys without a modifier off", async () => {
      await page.keyboard.press("?");
      await help().getByText("Show this help").waitFor();
      expect(await help().locator("dt").count()).toBe(11);
      expect(await visit.violations()).toEqual([]);
      // A dialog keeps its keys for itself.
      await page.keyboard.press("/");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await help().getByLabel("Keys without Ctrl or ⌘").click();
      await page.keyboard.press("Escape");
      await help().waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await openPalette();
      expect(await help().count()).toBe(0);
      await closePalette();
      await page.getByRole("button", { name: /^User / }).click();
      await page.getByRole("menuitem", { name: "Keys" }).click();
      await help().getByLabel("Keys without Ctrl or ⌘").click();
      await page.keyboard.press("Escape");
      await help().waitFor({ state: "detached" });
    });

    it("moves with / to the search box of the page, or opens the palette if the page has none", async () => {
      await page.keyboard.press("/");
      expect(await focused()).toBe("Search keys");
      // A text field keeps its keys for itself.
      await page.keyboard.type("a/?");
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByLabel("Search keys").inputValue()).toBe("a/?");
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByText("No jobs yet").waitFor();
      await openPalette("/");
      await closePalette();
    });
  });

  it("stays on the page that a user opens while a search is being typed", async () => {
    await page.goto(`${world.url}/dashboard/keys`);
    const box = page.getByLabel("Search keys");
    await box.waitFor();
    const held = await holdAnswers(page, "**/*.js");
    await box.fill("shop");
    await page.getByRole("link", { name: "Jobs" }).click();
    // Longer than the search waits for the last key.
    await page.waitForTimeout(600);
    held.release();
    await page.getByText("No jobs yet").waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/jobs");
  });

  describe("the palette", () => {
    it("finds messages, domains and keys on the server, and opens them by keyboard", async () => {
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
      // The keyboard continues in the page, not in the navigation.
      await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("content");
    });

    it("shows the result of the current text, even if an earlier result arrives later", async () => {
      const [asked, late] = [createGate(), createGate()];
      const slow = async (route: Route) => {
        if (new URL(route.request().url()).searchParams.get("search") !== "quill") return route.continue();
        asked.open();
        await late.opened;
        await route.continue().catch(() => undefined);
      };
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

    it("names the list that could not be searched with the reason, and shows the results of the others", async () => {
      // The browser logs the requests that this refuses.
      visit.tolerate(/ERR_CONNECTION_REFUSED/);
      await page.route(isMessages, (route) => route.abort("connectionrefused"));
      await openPalette();
      await page.keyboard.type("quillfeather s");
      await palette().getByText("Quillfeather shop").waitFor();
      await palette().getByRole("alert").getByText("Messages could not be searched.").waitFor();
      expect(await visit.violations()).toEqual([]);
      await page.unroute(isMessages);
      await closePalette();
    });

    it("sends only the visible part of a pasted key", async () => {
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

  describe("the event stream", () => {
    const isStream = (answer: Response) => isEvents(new URL(answer.url()));

    it("shows domains and jobs that another user creates, without a reload and without a poll", async () => {
      const opened = page.waitForResponse(isStream);
      await page.goto(`${world.url}/dashboard/domains`);
      await opened;
      await page.getByRole("link", { name: "quillfeather.example" }).waitFor();
      await world.hermod.core.domains.addDomain({ domain: "of-another-user.example" });
      await page.getByRole("link", { name: "of-another-user.example" }).waitFor();
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByText("No jobs yet").waitFor();
      const selection = { action: "resend", filter: { q: "quillfeather" } };
      const { confirmation } = (await askOn(page, "POST", "/api/messages/bulk", selection)).body;
      await askOn(page, "POST", "/api/messages/bulk", { ...selection, confirmation });
      await page.getByText("1 of 1").waitFor();
    });
  });

  describe("faults", () => {
    it("keeps the navigation if a page crashes, and shows a report if there is no trace id", async () => {
      visit.tolerate(/^console: TypeError: Cannot read properties of null/);
      await page.route(isJobs, (route) => route.fulfill({ json: { data: [null] } }));
      // The previous page may already have shown the jobs, which stay fresh for some seconds.
      await page.goto(`${world.url}/dashboard/jobs`);
      await page.getByRole("heading", { name: "The page has an error" }).waitFor();
      expect(await page.locator("pre").textContent()).toMatch(/TypeError: .*\nPage: \/dashboard\/jobs\n/);
      expect(await visit.violations()).toEqual([]);
      await page.getByRole("link", { name: "Domains", exact: true }).click();
      await page.getByRole("heading", { name: "Domains", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByRole("heading", { name: "The page has an error" }).waitFor();
      await page.unroute(isJobs);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "Jobs" }).waitFor();
    });

    it("reports that an address has no page, and keeps the navigation", async () => {
      await page.goto(`${world.url}/dashboard/nothing/here`);
      await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
      await page.getByRole("navigation", { name: "Sections" }).waitFor();
      expect(await page.getByRole("main").count()).toBe(1);
      expect(await visit.violations()).toEqual([]);
      await page.getByRole("link", { name: "Go to the overview" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
    });
  });

  describe("banners", () => {
    // The browser and the router log a lost connection, and a missing part.
    const isLoss = /^console: (?:Failed to load resource: |Problem: Hermod cannot be reached|MissingPart: )/;
    beforeAll(() => {
      visit.tolerate(isLoss);
      visit.tolerate(LOST_PARTS);
    });
    const lost = () => page.getByText("Hermod cannot be reached. The page may show old data.");

    it("report a lost connection with the retry time, and disappear automatically", async () => {
      await page.goto(`${world.url}/dashboard/jobs`);
      await page.getByRole("heading", { name: "Jobs" }).waitFor();
      await visit.context.setOffline(true);
      await lost().waitFor();
      await page.getByText(/^Next try in \d+ seconds?\.$/).waitFor();
      expect(await visit.violations()).toEqual([]);
      await page.getByRole("link", { name: "Senders" }).click();
      await page.getByRole("button", { name: "Try now" }).click();
      await visit.context.setOffline(false);
      await lost().waitFor({ state: "detached" });
      await page.getByRole("alert").waitFor({ state: "detached" });
    });

    it("appear when a change is refused without a connection, and the change is not sent later", async () => {
      await page.goto(`${world.url}/dashboard/keys`);
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByLabel("Name").fill("never sent");
      await visit.context.setOffline(true);
      await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
      await page.getByRole("dialog").getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Request log" }).click();
      await visit.context.setOffline(false);
      await lost().waitFor({ state: "detached" });
      await page.goto(`${world.url}/dashboard/keys`);
      await page.getByText("Quillfeather shop").first().waitFor();
      expect(await page.getByText("never sent").count()).toBe(0);
    });

    it("offer a reload after a deployment, and keep the input of an open tab until then", async () => {
      await page.goto(`${world.url}/dashboard/keys`);
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByLabel("Name").fill("typed before the deploy");
      const present = await (await fetch(`${world.url}/dashboard/`)).text();
      const body = present.replace(/index-[\w-]+\.js/, "index-next.js");
      await page.route(isDocument, (route) => route.fulfill({ contentType: "text/html", body }));
      await page.evaluate("window.isSamePage = true");
      // A deployment breaks the event stream, and the page reopens it.
      await visit.context.setOffline(true);
      await lost().waitFor();
      await visit.context.setOffline(false);
      await page.getByText("A new version of Hermod is available.").waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("typed before the deploy");
      expect(await visit.violations()).toEqual([]);
      await page.keyboard.press("Escape");
      // Parts of the former version no longer exist.
      await page.route(isChunk, (route) => route.fulfill({ status: 404, body: "" }));
      await page.getByRole("link", { name: "Request log" }).click();
      await page.getByRole("heading", { name: "A part of the page could not be loaded" }).waitFor();
      expect(await visit.violations()).toEqual([]);
      expect(await page.evaluate("window.isSamePage")).toBe(true);
      await page.unroute(isChunk);
      await page.unroute(isDocument);
      await page.getByRole("main").getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { name: "Request log" }).waitFor();
      expect(await page.evaluate("window.isSamePage")).toBeUndefined();
    });

    it("report that Hermod cannot be reached while the edge runs without a core", async () => {
      const port = await freePort();
      const { grpc, dashboard } = world.hermod.firstRun;
      const settings = await newSettings();
      const edge = await startProcess(
        {
          ...settings,
          HERMOD_HTTP_PORT: String(port),
          HERMOD_BASE_URL: `http://localhost:${port}`,
          HERMOD_GRPC_ADDRESS: grpc.address,
          HERMOD_GRPC_TOKEN: grpc.token,
        },
        "edge",
      );
      onTestFinished(async () => {
        await edge.stop();
        await removeData(settings);
      });
      visit.tolerate(new RegExp(`^foreign: http://localhost:${port}/`));
      await page.goto(`http://localhost:${port}/dashboard/sign-in`);
      await enter(page, dashboard.email);
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByRole("heading", { name: "Jobs" }).waitFor();
      await world.hermod.kill();
      await page.getByRole("link", { name: "Senders" }).click();
      await lost().waitFor();
      await page.getByText(/^Next try in|^Trying/).waitFor();
      const restarted = await world.hermod.restart();
      await lost().waitFor({ state: "detached" });
      await page.getByRole("alert").waitFor({ state: "detached" });
      await page.getByRole("cell", { name: world.hermod.firstRun.sender, exact: true }).waitFor();
      await page.goto("about:blank");
      await restarted.dispose();
    });
  });
});

/** A chunk of a page. */
const isChunk = (url: URL) => /\/assets\/[^/]+\.js$/.test(url.pathname);
const isEvents = (url: URL) => url.pathname === "/api/events";
const isDocument = (url: URL) => url.pathname === "/dashboard/";
// Playwright removes a route only by the same function.
const isPath = (path: string) => (url: URL) => url.pathname === path;
const [isJobs, isMessages, isDomains] = ["/api/jobs", "/api/messages", "/api/domains"].map(isPath) as [
  UrlTest,
  UrlTest,
  UrlTest,
];
type UrlTest = ReturnType<typeof isPath>;
