import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const TEXT = {
  subject: "Your order {{ number }}",
  html: "<style>p { color: #123456 }</style><p>Thank you, {{ name }}.</p>",
  variables: [
    { name: "name", type: "string", fallback: "friend" },
    { name: "number", type: "number" },
  ],
};

describe.skipIf(browser.missing)(`templates${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/templates");
    page = visit.page;
    // Changes that Hermod refuses in the tests, and the picture and script of a mail, which its frame blocks.
    visit.tolerate(/status of (?:404|409|422)|pixel\.example|about:srcdoc/);
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const ask = async (method: string, path: string, body?: object) =>
    (await askOn(page, method, `/api${path}`, body)).body;
  const api = (path: string) => ask("GET", path);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  const editor = (name: string) => page.getByRole("textbox", { name, exact: true });
  const frame = () => page.frameLocator("iframe");
  /** Chooses a form or a width of the preview. */
  const show = (name: string) => page.locator(".following").getByText(name, { exact: true }).click();
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const said = (text: string) => page.getByText(text).first().waitFor();

  /** Saves another text of a template, as another member does. */
  async function saveElsewhere(name: string, changes: object): Promise<void> {
    const { content, revision } = await api(`/templates/${name}`);
    const saved = await askOn(page, "PUT", `/api/templates/${name}/draft`, {
      ...content,
      ...changes,
      revision,
    });
    expect(saved.status).toBe(200);
  }

  it("starts from a built-in template on an account without one", async () => {
    await said("No templates yet");
    await page.getByRole("link", { name: /^Welcome/ }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: /^Welcome/ }).click();
    await page.waitForURL("**/templates/-/new?from=welcome");
    await said("Gmail shows all of it");
    await frame().getByText("Invite your team").waitFor();
    await expectAccessible();
    await button("Use this template").click();
    expect(await dialog().getByLabel("Name").inputValue()).toBe("welcome");
    await expectAccessible();
    await inDialog("New template").dblclick();
    await page.waitForURL("**/templates/welcome");
    expect(await api("/templates/welcome")).toMatchObject({
      published_version: 0,
      content: { subject: "Welcome to {{ product_name }}" },
      test_data: { name: "Ada" },
    });
    await frame().getByText("Invite your team").waitFor();
    await expectAccessible();
  });

  it("sends a test of the shown text into the sandbox", async () => {
    await button("Send a test").click();
    await dialog().getByLabel("Recipient").fill("grace@example.org");
    await expectAccessible();
    await inDialog("Send the test").click();
    await dialog().getByText("Captured in the sandbox.").waitFor({ timeout: 30_000 });
    const { data } = await api("/sandbox/messages?recipient=grace@example.org");
    expect(data).toMatchObject([{ subject: "Welcome to Acme" }]);
    await inDialog("Close").last().click();
  });

  it("shows an error in its line, and completes variables", async () => {
    await editor("HTML").fill("<p>Hi {{ name }}\n{% nope %}</p>");
    await button("Line 2, column 1").waitFor();
    await button("HTML: 1 error").waitFor();
    await said("The preview needs a text without errors");
    await page.locator(".cm-lint-marker-error").first().waitFor();
    await expectAccessible();
    await editor("HTML").fill("<p>Go to {{ action");
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: "action_url" }).first().click();
    await page.keyboard.type(" }}</p>");
    await frame().getByText("Go to https://acme.example.com/start").waitFor();
  });

  it("asks before unsaved changes are lost, and keeps them on another tab", async () => {
    await page.getByRole("link", { name: "Versions", exact: true }).click();
    await said("No versions yet");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await frame().getByText("Go to https://acme.example.com/start").waitFor();
    await page.getByRole("link", { name: "Domains", exact: true }).click();
    await dialog().getByText("Leave without saving?").waitFor();
    await expectAccessible();
    await inDialog("Cancel").click();
    await dialog().waitFor({ state: "detached" });
    await button("Save draft").click();
    await said("Draft saved");
    expect((await api("/templates/welcome")).content.html).toBe("<p>Go to {{ action_url }}</p>");
    await page.getByRole("link", { name: "Domains", exact: true }).click();
    await page.waitForURL("**/domains");
  });

  it("publishes a change, and rolls it back", async () => {
    const { revision } = await ask("POST", "/templates", { name: "order", ...TEXT });
    const { revision: next } = await ask("POST", "/templates/order/publish", { revision });
    await ask("PUT", "/templates/order/test-data", { revision: next, data: { number: 17 } });
    await open("/templates/order");
    await editor("HTML").fill("<p>Thanks a lot, {{ name }}.</p>");
    await button("Publish").click();
    await dialog().getByText("Your unsaved changes are saved first.").waitFor();
    await expectAccessible();
    await inDialog("Publish").click();
    await said("Version 2 is published");
    await page.getByRole("link", { name: "Versions", exact: true }).click();
    await said("<p>Thanks a lot, {{ name }}.</p>");
    await expectAccessible();
    await button("Actions on version 1").click();
    await item("Publish again").click();
    await expectAccessible();
    await inDialog("Publish again").click();
    await said("Version 3 is published");
    await said("Text of version 1");
    const { data } = await api("/templates/order/versions");
    expect(data).toMatchObject([{ version: 3, restored_version: 1, published: true }, {}, {}]);
    expect((await api("/templates/order")).content.html).toBe(TEXT.html);
  });

  it("previews a version, compares any two, and copies one to the draft", async () => {
    await button("Actions on version 1").click();
    await item("Preview").click();
    await page.waitForURL(/[?&]version=/);
    await said("Your order 17");
    await expectAccessible();
    await button("Actions on version 2").click();
    await item("Compare").click();
    await page.waitForURL(/[?&]before=/);
    await page.locator(".difference .added", { hasText: "Thank you, {{ name }}." }).waitFor();
    await button("Actions on version 2").click();
    await item("Copy to the draft").click();
    await inDialog("Copy to the draft").click();
    await dialog().waitFor({ state: "detached" });
    expect(await api("/templates/order")).toMatchObject({
      published_version: 3,
      content: { html: "<p>Thanks a lot, {{ name }}.</p>" },
    });
  });

  it("applies the styles of a text that is not stored, and runs none of its scripts", async () => {
    await open("/templates/order");
    const dark = "<style>@media (prefers-color-scheme: dark) { p { color: #010203 !important } }</style>";
    const hostile = '<img src="https://pixel.example/a.png" onerror="alert(1)">';
    await editor("HTML").fill(`${TEXT.html}${dark}${hostile}`);
    const paragraph = frame().getByText("Thank you, friend.");
    await paragraph.waitFor();
    const color = () =>
      paragraph.evaluate((one) => {
        const { getComputedStyle: styleOf } = globalThis as unknown as {
          getComputedStyle(element: unknown): { readonly color: string };
        };
        return styleOf(one).color;
      });
    expect(await color()).toBe("rgb(18, 52, 86)");
    // A mail in light colors stays light in a dark browser.
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await color()).toBe("rgb(18, 52, 86)");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    await show("Dark");
    await expect.poll(color).toBe("rgb(1, 2, 3)");
    await show("360");
    const box = await page.locator("iframe").boundingBox();
    expect(box?.width).toBeLessThanOrEqual(360);
    await show("Text");
    await said("The template has no text part.");
    await expectAccessible();
    await show("Light");
  });

  it("shows both texts after another member has saved, and overwrites nothing by accident", async () => {
    await saveElsewhere("order", { html: "<p>Their text</p>" });
    await editor("HTML").fill("<p>My text</p>");
    await button("Save draft").click();
    await said("The template was changed while you edited it");
    await page.getByRole("region", { name: "Saved text" }).getByText("<p>Their text</p>").waitFor();
    await page.getByRole("region", { name: "Your text" }).getByText("<p>My text</p>").waitFor();
    await expectAccessible();
    expect((await api("/templates/order")).content.html).toBe("<p>Their text</p>");
    await button("Keep my text").click();
    await button("Save draft").click();
    await expect
      .poll(async () => (await api("/templates/order")).content.html, { timeout: 30_000 })
      .toBe("<p>My text</p>");
  });

  it("declares a variable that the text uses, with a fallback", async () => {
    await editor("HTML").fill("<p>{{ name }} {{ count }}</p>");
    await button("Declare count").click();
    await page.getByLabel("Type of variable 3").first().click();
    await page.getByRole("option", { name: "Number" }).click();
    await page.getByLabel("Variable 3 is required").uncheck();
    await page.getByLabel("Fallback of variable 3").fill("5");
    await frame().getByText("friend 5").waitFor();
    await expectAccessible();
    await button("Save draft").click();
    await expect
      .poll(async () => (await api("/templates/order")).content.variables[2], { timeout: 30_000 })
      .toEqual({ name: "count", type: "number", fallback: 5 });
  });

  it("adds, edits, renames and removes a data set", async () => {
    const sets = async () => (await api("/templates/order")).data_sets;
    await button("Add a data set").click();
    await dialog().getByLabel("Name of the data set").fill("Large order");
    await expectAccessible();
    await inDialog("Add a data set").click();
    await dialog().waitFor({ state: "detached" });
    await editor("Test data").fill('{ "number": ');
    await said("Not a JSON object");
    expect(await button("Save data").isDisabled()).toBe(true);
    await editor("Test data").fill('{ "number": 99 }');
    await said("Your order 99");
    await button("Save data").click();
    await expect.poll(sets, { timeout: 30_000 }).toEqual([{ name: "Large order", data: { number: 99 } }]);
    await button("Rename").click();
    await dialog().getByLabel("Name of the data set").fill("Bulk");
    await inDialog("Rename").click();
    await dialog().waitFor({ state: "detached" });
    expect(await sets()).toEqual([{ name: "Bulk", data: { number: 99 } }]);
    const card = page.getByRole("region", { name: "Test data", exact: true });
    await card.getByRole("button", { name: "Remove", exact: true }).click();
    await inDialog("Remove").click();
    await dialog().waitFor({ state: "detached" });
    expect(await sets()).toEqual([]);
  });

  it("finds templates by text and state, with the address as the state of the list", async () => {
    await open("/templates");
    await page.getByRole("link", { name: "order", exact: true }).waitFor();
    await expectAccessible();
    await page.getByRole("searchbox", { name: "Search templates" }).fill("ord");
    await page.waitForURL("**/templates?search=ord");
    await open("/templates?state=unpublished");
    await page.getByRole("link", { name: "welcome", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "order", exact: true }).count()).toBe(0);
    await open("/templates?search=nothing");
    await said("No template matches these filters");
  });

  it("shows the uses of a template", async () => {
    await open("/templates/order?tab=use");
    await said("No enabled alert rule uses the template.");
    await page.getByRole("link", { name: "Its messages" }).waitFor();
    await expectAccessible();
  });

  it("copies, discards and deletes a template", async () => {
    await open("/templates/order");
    await button("More").click();
    await item("Copy").click();
    await inDialog("Copy").click();
    await page.waitForURL("**/templates/order-copy");
    await open("/templates/order");
    await button("More").click();
    await item("Discard the draft").click();
    await inDialog("Discard the draft").click();
    await dialog().waitFor({ state: "detached" });
    expect((await api("/templates/order")).draft_saved_at).toBeUndefined();
    await button("More").click();
    await item("Delete").click();
    await expectAccessible();
    await inDialog("Remove").click();
    await page.waitForURL("**/templates");
    expect((await askOn(page, "GET", "/api/templates/order")).status).toBe(404);
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    const paths = [
      "/templates",
      "/templates/-/new",
      "/templates/-/new?from=receipt",
      "/templates/welcome",
      "/templates/order-copy?tab=versions",
      "/templates/welcome?tab=use",
    ];
    for (const path of paths) {
      await open(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("Loading", { exact: true }).first().waitFor({ state: "detached" });
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
  });
});
