import { TOTP } from "otpauth";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problem } from "../../contracts/common/problem.ts";
import { askOn, plugInAuthenticator } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const STEP_MS = 30_000;

describe.skipIf(browser.missing)(`sessions and the own account${browser.note}`, () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await openDashboard({
      HERMOD_MAIL_FROM: "Hermod <hermod@example.com>",
      HERMOD_SIGN_UP: "open",
    });
  });
  afterAll(() => world?.dispose());

  const keyNames = async (page: Page) =>
    (await askOn(page, "GET", "/api/keys")).body.data.map(({ name }: { readonly name: string }) => name);

  it("shows a factor again by password, code, recovery code or passkey, and goes on with what was refused", async () => {
    const visit = await world.signIn("/keys");
    const { page, faults, violations, leave } = visit;
    await plugInAuthenticator(visit);
    const { secret } = (await askOn(page, "POST", "/api/factors/totp")).body;
    const app = new TOTP({ secret });
    const { body } = await askOn(page, "POST", "/api/factors/totp/confirm", { code: app.generate() });
    await addPasskey(page);
    await page.reload();
    const ways = {
      password: async (dialog: Dialog) => {
        await dialog.locator("input[type=password]").fill(world.password);
        await dialog.getByRole("button", { name: "Continue" }).click();
      },
      code: async (dialog: Dialog) => {
        await dialog.getByRole("button", { name: "Use a code instead" }).click();
        await dialog.getByLabel("Code").fill("000 000");
        await dialog.getByRole("button", { name: "Continue" }).click();
        await dialog.getByRole("alert").waitFor();
        await dialog.getByLabel("Code").fill(app.generate({ timestamp: Date.now() + STEP_MS }));
        await dialog.getByRole("button", { name: "Continue" }).click();
      },
      "recovery code": async (dialog: Dialog) => {
        await dialog.getByRole("button", { name: "Use a code instead" }).click();
        await dialog.getByLabel("Code").fill(` ${body.recovery_codes[0].toUpperCase()} `);
        await dialog.getByRole("button", { name: "Continue" }).click();
      },
      passkey: async (dialog: Dialog) => {
        await dialog.getByRole("button", { name: "Use a passkey instead" }).click();
        await dialog.getByRole("button", { name: "Use a passkey", exact: true }).click();
      },
    };
    for (const [name, show] of Object.entries(ways)) {
      await page.route(isCreation, refuseOnce());
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByLabel("Name").fill(name);
      const proof = page.waitForResponse((answer) => answer.url().endsWith("/api/session/reauthenticate"));
      await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
      const dialog = page.getByRole("dialog").filter({ hasText: "Show that it is you" });
      await dialog.waitFor();
      expect(await violations()).toEqual([]);
      await show(dialog);
      await proof;
      await page.getByLabel("I have stored it").check();
      await page.getByRole("button", { name: "Done" }).click();
      await page.unroute(isCreation);
    }
    expect((await keyNames(page)).filter((name: string) => name in ways).toSorted()).toEqual(
      Object.keys(ways).toSorted(),
    );
    // The answers that the test refuses with, and the wrong code.
    expect(faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([]);
    await removeFactors(page);
    await leave();
  });

  it("signs in again in place, with a second factor, and goes on in the account that the page shows", async () => {
    const email = world.hermod.firstRun.dashboard.email;
    const { account } = await world.hermod.core.accounts.createAccount({ name: "Globex" });
    const accountId = account?.id ?? "";
    await world.hermod.core.users.createUser({ email, accountId, role: "owner" });
    const { page, context, faults, violations, leave } = await world.signIn("/keys");
    const { secret } = (await askOn(page, "POST", "/api/factors/totp")).body;
    const app = new TOTP({ secret });
    await askOn(page, "POST", "/api/factors/totp/confirm", { code: app.generate() });
    await page.getByRole("button", { name: "switch account" }).click();
    await page.getByRole("menuitem", { name: "Globex" }).click();
    await page.getByRole("button", { name: "Globex: switch account" }).waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("of Globex");
    await context.clearCookies();
    const create = page.getByRole("dialog").getByRole("button", { name: "Create a key" });
    const again = page.getByRole("dialog").filter({ hasText: "Your session has ended" });
    await create.click();
    await again.waitFor();
    await page.keyboard.press("Escape");
    await again.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("of Globex");
    await create.click();
    await again.waitFor();
    expect(await violations()).toEqual([]);
    await again.locator("input[type=password]").fill(world.password);
    await again.getByRole("button", { name: "Continue" }).click();
    await again.getByLabel("Code").fill(app.generate({ timestamp: Date.now() + STEP_MS }));
    expect(await violations()).toEqual([]);
    await again.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("I have stored it").check();
    expect((await askOn(page, "GET", "/api/session")).body).toMatchObject({ account_id: accountId });
    expect(await keyNames(page)).toEqual(["of Globex"]);
    expect(faults.filter((fault) => !fault.includes("status of 401"))).toEqual([]);
    await removeFactors(page);
    await leave();
  });

  it("shows in every tab the account of the last switch, and nothing after signing out in another tab", async () => {
    const { page, context, leave } = await world.signIn("/messages");
    const other = await context.newPage();
    await other.goto(`${world.url}/dashboard/keys`);
    await other.getByRole("heading", { name: "API keys" }).waitFor();
    await page.getByRole("button", { name: "switch account" }).click();
    await page.getByRole("menuitem", { name: "Globex" }).click();
    await other.getByRole("button", { name: "Globex: switch account" }).waitFor();
    await other.getByRole("cell", { name: "of Globex", exact: true }).waitFor();
    await page.getByRole("button", { name: "Globex: switch account" }).waitFor();
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/dashboard/sign-in");
    await other.waitForURL("**/dashboard/sign-in?return_to=*");
    await leave();
  });

  async function removeFactors(page: Page): Promise<void> {
    await askOn(page, "DELETE", "/api/factors/totp");
    const { passkeys } = (await askOn(page, "GET", "/api/factors")).body;
    for (const { id } of passkeys) await askOn(page, "DELETE", `/api/factors/passkeys/${id}`);
  }
});

type Dialog = ReturnType<Page["getByRole"]>;

const isCreation = (url: URL) => url.pathname === "/api/keys";

/** Answers the first creation as Hermod does ten minutes after a factor was shown. */
function refuseOnce() {
  let hasRefused = false;
  return async (route: Route) => {
    if (hasRefused || route.request().method() !== "POST") return route.continue();
    hasRefused = true;
    const body = problem.parse({
      type: "/docs/errors#auth.reauthentication_required",
      title: "A factor is needed again",
      status: 403,
      detail: "Show a factor again.",
      instance: "/api/keys",
      code: "auth.reauthentication_required",
      sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
      errors: [],
    });
    return route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify(body),
    });
  };
}

async function addPasskey(page: Page): Promise<void> {
  const { options } = (await askOn(page, "POST", "/api/factors/passkey-options")).body;
  const response: object = await page.evaluate(
    `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}) }).then((made) => made.toJSON())`,
  );
  await askOn(page, "POST", "/api/factors/passkeys", { name: "Laptop", response });
}
