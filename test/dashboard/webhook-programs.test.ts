import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { acceptsConnections, freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";
import { onWebhookPages } from "../harness/webhook-pages.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`programs and events of webhooks${browser.note}`, () => {
  let world: DashboardWorld;
  let page: Page;
  let on: ReturnType<typeof onWebhookPages>;
  beforeAll(async () => {
    // Endpoints of these tests are on this machine.
    world = await openDashboard({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" });
    on = onWebhookPages(world, await world.signIn("/webhooks"));
    page = on.page;
  });
  afterAll(() => world?.dispose());

  it.each([["HMAC-SHA256"], ["Ed25519"]])(
    "verifies a test event by the program of the page: %s",
    async (name) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hooks/mail`;
      const folder = await mkdtemp(path.join(tmpdir(), "hermod-verify-page-"));
      await on.beginEndpoint(url);
      await page.getByRole("radio", { name }).check();
      await on.button("Add an endpoint").click();
      const secret = name === "Ed25519" ? "" : await on.takeSecret();
      await page.waitForURL("**/webhooks/wep_*?tab=verify");
      await page.getByText("receiver.mjs", { exact: true }).waitFor();
      await on.expectAccessible();
      const code = (await page.getByRole("region", { name: "Program" }).textContent()) ?? "";
      expect(code).toContain(url);
      await writeFile(path.join(folder, "receiver.mjs"), code);
      const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
      const child = spawn(process.execPath, ["receiver.mjs"], { cwd: folder, env });
      try {
        await eventually(async () => (await acceptsConnections(port)) || undefined);
        await on.button("Send a test event").click();
        await on.dialog.getByRole("button", { name: "Send a test event" }).click();
        await on.dialog.getByText(/^Accepted with 204 after/).waitFor();
      } finally {
        child.kill("SIGKILL");
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it("shows each event type with its fields and an example, and finds it by a field", async () => {
    await on.open("/webhooks/events");
    await page.getByRole("searchbox", { name: "Search events" }).fill("machine_reason clicked");
    await page.waitForURL(/search=machine_reason/);
    await page.getByText("1 event type", { exact: true }).waitFor();
    await on.button("message.clicked").click();
    await page.waitForURL(/type=message.clicked/);
    await page.getByRole("cell", { name: "data.machine_reason", exact: true }).waitFor();
    const example = await page.getByRole("region", { name: "Example" }).textContent();
    expect(JSON.parse(example ?? "")).toMatchObject({ type: "message.clicked" });
    await on.expectAccessible();
  });

  it("disables and deletes an endpoint", async () => {
    await on.beginEndpoint("https://old.example.com/hooks");
    await on.button("Add an endpoint").click();
    await on.takeSecret();
    await page.waitForURL("**/webhooks/wep_*");
    await on.button("More").click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled by a member").first().waitFor();
    await on.button("More").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Remove" }).click();
    await page.waitForURL("**/dashboard/webhooks");
    expect(await on.endpointOf("https://old.example.com/hooks")).toBeUndefined();
  });
});
