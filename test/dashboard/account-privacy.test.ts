import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const ERASED = "ada@example.org";
/** An erasure waits a minute for messages that are being accepted. */
const ERASURE_MS = 240_000;

describe.skipIf(browser.missing)(`privacy, export and deletion of an account${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/account/retention");
    page = visit.page;
    // The refused deletion of the first account.
    visit.tolerate(/status of 409/);
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const api = async (path: string) => (await askOn(page, "GET", `/api${path}`)).body;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  it("shortens a retention time within its bounds, and warns of the removed data", async () => {
    await page.getByText("No recipient was erased").waitFor();
    await expectAccessible();
    await button("Change times").click();
    const bodies = dialog().getByLabel("Bodies of messages, in days");
    expect([await bodies.inputValue(), await bodies.getAttribute("max")]).toEqual(["", "30"]);
    expect(await dialog().getByRole("alert").count()).toBe(0);
    await bodies.fill("7");
    await dialog().getByText("Shorter than now: Bodies of messages.").waitFor();
    await expectAccessible();
    await inDialog("Save").click();
    await dialog().waitFor({ state: "detached" });
    const row = page.getByRole("row").filter({ hasText: "Bodies of messages" });
    expect(await row.locator("td").allTextContents()).toEqual([
      expect.stringContaining("Bodies of messages"),
      "7 days",
      "30 days",
      "this account",
    ]);
    expect(await api("/account/retention")).toMatchObject({
      content_days: { kept: 7, most: 30, own: true },
      message_days: { own: false },
    });
    await button("Change times").click();
    await dialog().getByLabel("Bodies of messages, in days").fill("");
    expect(await dialog().getByRole("alert").count()).toBe(0);
    await inDialog("Save").click();
    await dialog().waitFor({ state: "detached" });
    expect(await api("/account/retention")).toMatchObject({ content_days: { kept: 30, own: false } });
  });

  it(
    "erases a recipient after a count, shows the progress, and saves the proof",
    async () => {
      const id = await world.send({ to: ERASED, subject: "Before" });
      await eventually(async () =>
        (await api(`/messages/${id}`)).message.state === "captured" ? true : undefined,
      );
      await open("/account/retention");
      await button("Erase a recipient").click();
      await dialog().getByLabel("Address of the recipient").fill(ERASED.toUpperCase());
      await expectAccessible();
      await inDialog("Count the data").click();
      await dialog().getByText("Hermod would remove now:").waitFor();
      await dialog().getByText("Copies in the sandbox").waitFor();
      await expectAccessible();
      // Counting has changed nothing.
      expect((await api("/erasures")).data).toEqual([]);
      await inDialog("Erase permanently").dblclick();
      await page.waitForURL("**/account/erasures/era_*");
      await page.getByText("Hermod is removing the data.").waitFor();
      await expectAccessible();
      const [erasure] = (await api("/erasures")).data;
      expect(page.url()).toContain(erasure.id);
      await page.getByText("This page is the proof.").waitFor({ timeout: ERASURE_MS });
      await page.getByRole("row", { name: "Messages 1", exact: true }).waitFor();
      await expectAccessible();
      const download = page.waitForEvent("download");
      await button("Download as JSON").click();
      const proof = JSON.parse(await readFile(await (await download).path(), "utf8"));
      expect(proof).toEqual(await api(`/erasures/${erasure.id}`));
      expect(proof).toMatchObject({ state: "done", removed: { messages: 1 } });
      const hash = createHash("sha256").update(`${proof.salt}${ERASED}`).digest("base64url");
      expect(proof.address_hash).toBe(hash);
      expect((await page.content()).toLowerCase()).not.toContain(ERASED);
      await page.getByRole("link", { name: "Privacy and retention" }).first().click();
      await page.getByRole("link", { name: erasure.id }).waitFor();
      expect((await api("/erasures")).data).toHaveLength(1);
    },
    ERASURE_MS + 120_000,
  );

  it("exports the account with a factor that is shown again, and the file is complete", async () => {
    await page.route(isSession, asIfOld);
    await open("/account/retention");
    await button("Export all data of the account").click();
    await expectAccessible();
    await inDialog("Export").click();
    const again = dialog().filter({ hasText: "Confirm that it is you" });
    await again.locator("input[type=password]").fill(world.password);
    const download = page.waitForEvent("download");
    await again.getByRole("button", { name: "Continue" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "account" });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ kind: "end" });
    await page.getByText("The download has begun.").waitFor();
    await page.unroute(isSession);
    const { data } = await api("/audit?action=account.export");
    expect(data).toHaveLength(1);
  });

  it("renames the account, also in the navigation", async () => {
    await open("/account/retention");
    await button("Rename").click();
    await dialog().getByLabel("Name").fill("Umbrella");
    await expectAccessible();
    await inDialog("Save").click();
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("navigation").getByText("Umbrella").waitFor();
    expect(await api("/account")).toMatchObject({ name: "Umbrella" });
  });

  it("shows why the first account cannot be deleted", async () => {
    await button("Delete the account").click();
    await dialog().getByLabel("Type the name of the account: Umbrella").fill("Umbrell");
    expect(await inDialog("Delete permanently").isDisabled()).toBe(true);
    await dialog().getByLabel("Type the name of the account: Umbrella").fill("Umbrella");
    await expectAccessible();
    await inDialog("Delete permanently").click();
    await dialog().getByRole("alert").getByText("first account").waitFor();
    await inDialog("Cancel").click();
    expect(await api("/account")).toMatchObject({ name: "Umbrella" });
  });

  it("deletes another account after its name was typed, and continues in the remaining one", async () => {
    const { email, account_id: first } = await api("/session");
    const { account } = await world.hermod.core.accounts.createAccount({ name: "Globex" });
    const accountId = account?.id ?? "";
    await world.hermod.core.users.createUser({ email, accountId, role: "owner" });
    expect(
      (await askOn(page, "POST", "/api/session/account", { account_id: accountId })).status,
    ).toBeLessThan(300);
    await open("/account/retention");
    await button("Delete the account").click();
    await dialog().getByLabel("Type the name of the account: Globex").fill("Globex");
    await inDialog("Delete permanently").click();
    await page.getByRole("navigation").getByText("Umbrella").waitFor();
    const session = await api("/session");
    expect(session).toMatchObject({ account_id: first, memberships: [{ account_id: first }] });
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    const [{ id }] = (await api("/erasures")).data;
    for (const path of ["/account/retention", `/account/erasures/${id}`]) {
      await open(path);
      await page.getByRole("table").first().waitFor();
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
  });
});

const isSession = (url: URL) => url.pathname === "/api/session";

/** Answers as if the last factor was shown an hour ago. */
async function asIfOld(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = await response.json();
  const authenticated_at = new Date(Date.now() - 3_600_000).toISOString();
  await route.fulfill({ response, json: { ...body, session: { ...body.session, authenticated_at } } });
}
