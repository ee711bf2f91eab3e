import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Faults of Scalar itself, by the rule of axe. */
const OF_SCALAR: ReadonlySet<string> = new Set([
  // Entries of its navigation.
  "aria-allowed-attr",
  // The editor of the filter and the tabs of its client libraries.
  "aria-input-field-name",
  "aria-required-children",
  // Buttons to search and to copy.
  "button-name",
  // "Show more" with the name "Show all endpoints".
  "label-content-name-mismatch",
  // The list of webhooks.
  "scrollable-region-focusable",
]);

describe.skipIf(browser.missing)(`the API reference in the dashboard${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  const requested: string[] = [];
  const shown = () => page.frameLocator("iframe.reference");
  const operation = () => shown().getByRole("heading", { name: "Send an e-mail", exact: true });

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/keys");
    page = visit.page;
    page.on("request", (request) => requested.push(request.url()));
  });
  afterAll(() => world?.dispose());

  async function load(): Promise<void> {
    await page.goto(`${world.url}/dashboard/reference`);
    await operation().first().waitFor();
  }
  const frame = () => page.frames().find((one) => one.url().includes("/reference-frame/")) as Frame;

  it("opens from the navigation, loads its script only then, and shows the own server and key", async () => {
    expect(requested.filter((url) => url.includes("reference-frame"))).toEqual([]);
    await page.getByRole("link", { name: "API reference" }).click();
    await operation().first().waitFor();
    await page.getByText("Loading", { exact: true }).waitFor({ state: "detached" });
    await shown().getByText(world.url).first().waitFor();
    await shown()
      .getByText(`Your key begins with ${world.hermod.firstRun.api_key.slice(0, 8)}`)
      .first()
      .waitFor();
    expect(requested.filter((url) => url.includes("reference-frame"))).toHaveLength(3);
    expect(await visit.violations()).toEqual([]);
  });

  it("sends a request with a pasted key and without the session, and keeps the key nowhere", async () => {
    const { api_key: key, sender } = world.hermod.firstRun;
    const section = shown().locator("section").filter({ has: operation() }).last();
    await section
      .getByRole("button", { name: /Test Request/ })
      .first()
      .click();
    const dialog = shown().getByRole("dialog");
    await dialog.getByPlaceholder("hm_live_…").first().fill(key);
    // The editor selects its own text by the keyboard; a selection of the page may end within it.
    const body = dialog.locator(".cm-content[data-language=json]").first();
    await body.getByText("subject").first().waitFor();
    await body.press("ControlOrMeta+A");
    await page.keyboard.insertText(
      JSON.stringify({ from: sender, to: "ada@example.org", subject: "Tried", text: "It works." }),
    );
    const answered = page.waitForResponse((response) => response.url() === `${world.url}/v1/email/send`);
    await dialog.getByRole("button", { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.status()).toBe(202);
    const headers = await answer.request().allHeaders();
    expect([headers["x-api-key"], headers.cookie]).toEqual([key, undefined]);
    await dialog.getByText("202").first().waitFor();
    const saved = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    expect(await readFile(await (await saved).path(), "utf8")).toContain(`"message_id"`);
    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
    );
    expect([kept, ...requested, frame().url()].filter((text) => text.includes(key))).toEqual([]);
    await load();
    expect(await frame().evaluate<boolean>(`document.documentElement.outerHTML.includes("${key}")`)).toBe(
      false,
    );
  });

  it("has no access to the session, to storage, or to the network", async () => {
    visit.tolerate(/openapi\.json.*Content Security Policy/);
    expect(await frame().evaluate<string[]>(attempts)).toEqual([
      "origin: null",
      "cookie: SecurityError",
      "sessionStorage: SecurityError",
      "page: SecurityError",
      "network: refused",
      "session: The address is no operation of this reference.",
    ]);
  });

  it("opens the pages of the installation that it names in a new tab", async () => {
    const opened = visit.context.waitForEvent("page");
    await shown().getByRole("link", { name: "the error catalog" }).first().click();
    const tab = await opened;
    await tab.waitForURL(`${world.url}/docs/errors`);
    await tab.close();
  });

  it("follows the colors of the dashboard", async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await shown().locator(`body.${colorScheme}-mode`).waitFor();
    }
  });

  it("shows why the reference is missing, and loads it when it can", async () => {
    visit.tolerate(/ERR_CONNECTION_REFUSED .*openapi\.json/);
    await page.route("**/openapi.json", (route) => route.abort("connectionrefused"));
    await page.goto(`${world.url}/dashboard/reference`);
    await page.getByRole("alert").getByText("Hermod cannot be reached.").waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.unroute("**/openapi.json");
    await page.getByRole("button", { name: "Try again" }).click();
    await operation().first().waitFor();
  });

  it("is accessible, but for faults of Scalar", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await shown().locator(`body.${colorScheme}-mode`).waitFor();
      await frame().evaluate(await readFile(axe, "utf8"));
      const rules = await frame().evaluate<string[]>(brokenRules);
      expect(rules.filter((rule) => !OF_SCALAR.has(rule.split(":", 1)[0] ?? ""))).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "light" });
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    expect(await visit.overflow()).toBe(0);
    const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await frame().evaluate<number>(excess)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});

/** Runs in the frame. */
const brokenRules = `axe
  .run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"], preload: false })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(" ")))`;

/** Runs in the frame: each way out, and its end. */
const attempts = `(async () => {
  const ends = ["origin: " + window.origin];
  const attempt = (name, read) => {
    try {
      read();
      ends.push(name + ": open");
    } catch (error) {
      ends.push(name + ": " + error.name);
    }
  };
  attempt("cookie", () => document.cookie);
  attempt("sessionStorage", () => sessionStorage);
  attempt("page", () => parent.document);
  await new Promise((done) => {
    const request = new XMLHttpRequest();
    request.onload = () => done(ends.push("network: open"));
    request.onerror = () => done(ends.push("network: refused"));
    request.open("GET", new URL("/openapi.json", location.href));
    request.send();
  });
  await fetch("/api/session").then(
    () => ends.push("session: open"),
    (error) => ends.push("session: " + error.message),
  );
  return ends;
})()`;
