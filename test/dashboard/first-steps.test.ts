import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, enter, openDashboard } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`the dashboard${browser.note}`, () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await openDashboard();
  });
  afterAll(() => world?.dispose());

  it("leads through sign-in to the requested page", async () => {
    const { page, leave } = await world.visit();
    await page.goto(`${world.url}/`);
    await page.waitForURL("**/dashboard/sign-in*");
    await page.goto(`${world.url}/dashboard/keys`);
    await page.waitForURL("**/dashboard/sign-in?return_to=*");
    await enter(page, world.hermod.firstRun.dashboard.email);
    await page.waitForURL("**/dashboard/keys");
    await leave();
  });

  it("opens no other site after sign-in, with any address", async () => {
    const { page, leave } = await world.visit();
    await page.goto(`${world.url}/dashboard/sign-in?return_to=//evil.example/`);
    await enter(page, world.hermod.firstRun.dashboard.email);
    await page.waitForURL(`${world.url}/dashboard/**`);
    await leave();
  });

  it("explains a refused password, keeps the input, and shows the trace id", async () => {
    const { page, tolerate, leave } = await world.visit();
    tolerate(/status of 401/);
    await page.goto(`${world.url}/dashboard/sign-in`);
    await page.getByLabel("Email address").fill("admin@example.com");
    await page.locator("input[type=password]").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/sx_[0-9a-z]{26}/);
    expect(await page.getByLabel("Email address").inputValue()).toBe("admin@example.com");
    await leave();
  });

  it("shows a new message in the list, on its page, and in the sandbox", async () => {
    const id = await world.send({ subject: "Your receipt for order 48210", tags: ["receipts"] });
    const { page, violations, leave } = await world.signIn("/messages");
    await page.getByRole("link", { name: "ada@example.org" }).first().click();
    await page.waitForURL(`**/dashboard/messages/${id}`);
    await page.getByRole("heading", { name: "Your receipt for order 48210" }).waitFor();
    await page.getByText("Captured in the sandbox. It was not sent to the recipient.").waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole("link", { name: "Sandbox", exact: true }).click();
    const frame = page.frameLocator('iframe[title="HTML of the message"]');
    await frame.getByText("Thank you.").waitFor();
    expect(await violations()).toEqual([]);
    await leave();
  });

  it("reads the contents of a message once, even if the message changes, because the audit log records each read", async () => {
    const id = await world.send({ send_at: new Date(Date.now() + 3_600_000).toISOString() });
    const { page, leave } = await world.signIn(`/messages/${id}?tab=headers`);
    await page.getByText("Subject", { exact: true }).waitFor();
    let readings = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/contents")) readings++;
    });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Canceled before it was delivered.").waitFor();
    expect(readings).toBe(0);
    await leave();
  });

  it("adds a domain and shows its records to copy, with the found values", async () => {
    const { page, violations, leave } = await world.signIn("/domains");
    await page.getByRole("button", { name: "Add a domain" }).click();
    await page.getByRole("textbox", { name: "Domain" }).fill("news.example.com");
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
    await page.waitForURL("**/dashboard/domains/news.example.com");
    await page.getByRole("heading", { name: "news.example.com" }).waitFor();
    await page.getByText("You cannot send from addresses of this domain yet.").waitFor();
    await page.getByText("_hermod.news.example.com", { exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await leave();
  });

  it("suppresses an address, shows an error at the field for an invalid one, and removes it again", async () => {
    const { page, violations, tolerate, leave } = await world.signIn("/suppressions");
    // Only the refused address causes an answer with an error status.
    tolerate(/status of 422/);
    await page.getByRole("button", { name: "Add an address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").first().fill("nobody@");
    await dialog.getByRole("button", { name: "Add an address" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("textbox", { name: "Address" }).inputValue()).toBe("nobody@");
    await dialog.getByRole("textbox", { name: "Address" }).fill("nobody@example.org");
    await dialog.getByRole("button", { name: "Add an address" }).click();
    await page.getByRole("cell", { name: "nobody@example.org", exact: true }).waitFor();
    const id = await world.send({ to: "nobody@example.org" });
    await page.goto(`${world.url}/dashboard/messages/${id}`);
    await page.getByText("Not sent: the recipient is on the suppression list.").waitFor();
    await page.getByRole("link", { name: "Suppressions" }).click();
    await page.getByRole("button", { name: "Remove nobody@example.org" }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).last().click();
    await page.getByText("No suppressed addresses").waitFor();
    await leave();
  });

  it("names a refused request in the request log, found by its trace id", async () => {
    const answer = await fetch(`${world.url}/v1/email/send`, {
      method: "POST",
      headers: { "x-api-key": world.hermod.firstRun.api_key, "content-type": "application/json" },
      body: JSON.stringify({ from: "nobody" }),
    });
    const { sx_trace_id: trace } = (await answer.json()) as { readonly sx_trace_id: string };
    const { page, leave } = await world.signIn(`/requests?trace_id=${trace}`);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("heading", { level: 1 }).waitFor();
          return page.getByText("request.validation_failed").count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await leave();
  });

  it("has no accessibility error and no horizontal scroll on any page that all accounts have", async () => {
    await world.send();
    const { page, violations, leave } = await world.signIn();
    const pages = [
      "",
      "start",
      "messages",
      "sandbox",
      "suppressions",
      "domains",
      "senders",
      "keys",
      "requests",
    ];
    for (const path of [...pages, "jobs", "user"]) {
      await page.goto(`${world.url}/dashboard/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByText("Loading").count(), { timeout: 30_000 }).toBe(0);
      expect({ path, violations: await violations() }).toEqual({ path, violations: [] });
    }
    await leave();
  });
});
