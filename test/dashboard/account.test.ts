import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const BO = "bo@example.com";
const CY = "cy@example.com";

describe.skipIf(browser.missing)(`members, roles and security of an account${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    world = await openDashboard({ HERMOD_MAIL_FROM: "Hermod <hermod@example.com>" });
    visit = await world.signIn("/account/members");
    page = visit.page;
    // Changes that Hermod refuses in the tests.
    visit.tolerate(/status of 409/);
  });
  afterAll(() => world?.dispose());

  const core = () => world.hermod.core;
  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const api = async (path: string) => (await askOn(page, "GET", `/api${path}`)).body;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const rolesByEmail = async () =>
    Object.fromEntries(
      (await api("/members")).data.map(
        ({ email, role }: { readonly email: string; readonly role: string }) => [email, role],
      ),
    );

  it("explains on a new account why its only owner can be neither removed nor demoted", async () => {
    await page.getByText("An account keeps at least one owner.").waitFor();
    expect(await page.getByRole("button", { name: /^(?:Change role of|Remove) / }).count()).toBe(0);
    await page.getByText("No open invitations").waitFor();
    await expectAccessible();
  });

  it("invites a person as viewer, and says where the mail goes", async () => {
    await button("Invite a member").click();
    await dialog().getByText("the invitation waits in the sandbox of the operator").waitFor();
    expect(await dialog().getByRole("radio", { name: "Viewer" }).isChecked()).toBe(true);
    await expectAccessible();
    await dialog().getByLabel("Email address").fill(BO);
    await inDialog("Send the invitation").dblclick();
    await button(`Revoke the invitation of ${BO}`).waitFor();
    expect((await api("/invitations")).data).toMatchObject([{ email: BO, role: "viewer" }]);
    await expectAccessible();
  });

  it("shows at once that an address is already invited", async () => {
    await button("Invite a member").click();
    await dialog().getByLabel("Email address").fill(BO);
    await inDialog("Send the invitation").click();
    await dialog().getByRole("alert").waitFor();
    await inDialog("Cancel").click();
    await dialog().waitFor({ state: "detached" });
    expect((await api("/invitations")).data).toHaveLength(1);
  });

  it("sends an invitation again, and revokes it", async () => {
    await button(`Send again to ${BO}`).click();
    await page.getByText(`A new link is on its way to ${BO}.`).waitFor();
    await button(`Revoke the invitation of ${BO}`).click();
    await expectAccessible();
    await inDialog("Revoke").click();
    await page.getByText("No open invitations").waitFor();
    expect((await api("/invitations")).data).toEqual([]);
  });

  it("changes the role of a member, also after a change by another member", async () => {
    const { account_id: accountId } = await api("/session");
    await core().users.createUser({ email: BO, accountId, role: "viewer" });
    await open("/account/members");
    await button(`Change role of ${BO}`).click();
    expect(await dialog().getByRole("radio", { name: "Viewer" }).isChecked()).toBe(true);
    await expectAccessible();
    await core().members.changeRole({ accountId, user: BO, role: "support" });
    await dialog().getByRole("radio", { name: "Developer" }).check();
    await inDialog("Save").click();
    await dialog().getByRole("alert").waitFor();
    expect((await rolesByEmail())[BO]).toBe("support");
    await inDialog("Save").click();
    await dialog().waitFor({ state: "detached" });
    expect((await rolesByEmail())[BO]).toBe("developer");
    await page.getByRole("cell", { name: "Developer" }).waitFor();
  });

  it("removes a member after it has explained the consequences", async () => {
    const { account_id: accountId } = await api("/session");
    await core().users.createUser({ email: CY, accountId, role: "admin" });
    await open("/account/members");
    await button(`Remove ${CY}`).click();
    await dialog().getByText("loses access at once").waitFor();
    await expectAccessible();
    await inDialog("Remove").click();
    await button(`Remove ${CY}`).waitFor({ state: "detached" });
    expect(Object.keys(await rolesByEmail())).not.toContain(CY);
  });

  it("offers an admin no role above the own one, and no change of an owner", async () => {
    const { account_id: accountId, email } = await api("/session");
    await core().members.changeRole({ accountId, user: BO, role: "owner" });
    await open("/account/members");
    await button(`Change role of ${email}`).click();
    await dialog().getByRole("radio", { name: "Admin" }).check();
    await dialog().getByText("You cannot take a higher role back yourself.").waitFor();
    await expectAccessible();
    await inDialog("Save").click();
    await dialog().waitFor({ state: "detached" });
    await page.getByText("An account keeps at least one owner.").waitFor();
    await button(`Change role of ${email}`).click();
    expect(await dialog().getByRole("radio", { name: "Owner" }).isDisabled()).toBe(true);
    await inDialog("Cancel").click();
    await core().members.changeRole({ accountId, user: email, role: "owner" });
    await open("/account/members");
    await button(`Change role of ${BO}`).waitFor();
  });

  it("explains each permission by role", async () => {
    await page.getByRole("link", { name: "Roles and permissions" }).click();
    await page.getByRole("heading", { level: 1, name: "Roles" }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "audit.read" });
    for (const cell of ["Owner: allowed", "Admin: allowed", "Developer: not allowed", "Viewer: not allowed"])
      await row.getByText(cell, { exact: true }).waitFor();
    await expectAccessible();
  });

  it("requires a second factor only for a member who has shown one, and names the consequences first", async () => {
    await open("/account/security");
    await page.getByText("Set up a second factor of your own first.").waitFor();
    expect(await button("Require a second factor").isDisabled()).toBe(true);
    await expectAccessible();
    const { secret } = (await askOn(page, "POST", "/api/factors/totp")).body;
    const code = new TOTP({ secret }).generate();
    expect((await askOn(page, "POST", "/api/factors/totp/confirm", { code })).status).toBe(200);
    await open("/account/security");
    await button("Require a second factor").click();
    await dialog().getByText("This applies to all 2 members.").waitFor();
    await expectAccessible();
    await inDialog("Require a second factor").click();
    await page.getByText("Required of all members").waitFor();
    expect(await api("/account")).toMatchObject({ requires_second_factor: true });
    await expectAccessible();
    await button("Make it optional").click();
    await inDialog("Make it optional").click();
    await page.getByText("Each member decides").waitFor();
    expect(await api("/account")).toMatchObject({ requires_second_factor: false });
    expect((await askOn(page, "DELETE", "/api/factors/totp")).status).toBeLessThan(300);
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    for (const path of ["/account/members", "/account/roles", "/account/security"]) {
      await open(path);
      await page.locator(".card").first().waitFor();
      await page.getByText("Loading", { exact: true }).first().waitFor({ state: "detached" });
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
  });
});
