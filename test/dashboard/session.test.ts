import { simpleParser } from "mailparser";
import { TOTP } from "otpauth";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problem } from "../../contracts/common/problem.ts";
import { askOn, plugInAuthenticator } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const STEP_MS = 30_000;

describe.skipIf(browser.missing)(`sessions and the user's account${browser.note}`, () => {
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

  it("reports that a link of a mail no longer works, and links to sign-in", async () => {
    const { page, tolerate, violations, overflow, leave } = await world.visit({ width: 360, height: 780 });
    // The browser logs the refusals that the pages show.
    tolerate(/status of 404/);
    for (const [path, text] of [
      ["invitation", "This invitation no longer works"],
      ["change-email", "This link no longer works"],
    ] as const) {
      await page.goto(`${world.url}/dashboard/${path}#wrong`);
      await page.getByRole("alert").getByText(text).waitFor();
      expect([path, await violations(), await overflow()]).toEqual([path, [], 0]);
      await page.getByRole("link", { name: "Go to sign-in" }).click();
      await page.getByRole("heading", { name: "Sign in to Hermod" }).waitFor();
    }
    await leave();
  });

  it("shows a factor again with password, code, recovery code or passkey, and continues the refused action", async () => {
    const visit = await world.signIn("/keys");
    const { page, violations, leave } = visit;
    // The refusals of the test, and the wrong code.
    visit.tolerate(/status of 40[13]/);
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
      const dialog = page.getByRole("dialog").filter({ hasText: "Confirm that it is you" });
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
    await removeFactors(page);
    await leave();
  });

  it("signs in again in place, with a second factor, and continues in the account of the page", async () => {
    const email = world.hermod.firstRun.dashboard.email;
    const { account } = await world.hermod.core.accounts.createAccount({ name: "Globex" });
    const accountId = account?.id ?? "";
    await world.hermod.core.users.createUser({ email, accountId, role: "owner" });
    const { page, context, violations, tolerate, leave } = await world.signIn("/keys");
    tolerate(/status of 401/);
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
    await removeFactors(page);
    await leave();
  });

  it("shows the account of the last switch in every tab, and nothing after sign-out in another tab", async () => {
    const { page, context, leave } = await world.signIn("/messages");
    const other = await context.newPage();
    await other.goto(`${world.url}/dashboard/keys`);
    await other.getByRole("heading", { name: "API keys" }).waitFor();
    await page.getByRole("button", { name: "switch account" }).click();
    await page.getByRole("menuitem", { name: "Globex" }).click();
    await other.getByRole("button", { name: "Globex: switch account" }).waitFor();
    await other.getByRole("cell", { name: "of Globex", exact: true }).waitFor();
    await page.getByRole("button", { name: "Globex: switch account" }).waitFor();
    await page.getByRole("button", { name: /^User / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/dashboard/sign-in");
    await other.waitForURL("**/dashboard/sign-in?return_to=*");
    await leave();
  });

  it("sets up an app, passkeys and a password on the user's page, and shows secrets once", async () => {
    const visit = await world.signIn("/user");
    const { page, violations, leave } = visit;
    // The refused password.
    visit.tolerate(/status of 422/);
    await plugInAuthenticator(visit);
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
    const secret = (await dialog.locator("code").textContent()) ?? "";
    expect(await violations()).toEqual([]);
    await dialog.getByLabel("Six digits of the app").fill(new TOTP({ secret }).generate());
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.filter({ hasText: "Your recovery codes" }).waitFor();
    const codes = ((await dialog.locator("code").textContent()) ?? "").split("\n");
    expect(codes).toHaveLength(10);
    expect(await violations()).toEqual([]);
    await page.getByLabel("I have stored it").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("10 codes left.").waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect(await visit.secretsLeft()).toEqual([]);

    await page.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByLabel("Name").fill("Work laptop");
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Rename Work laptop" }).click();
    await dialog.getByLabel("Name").fill("Laptop");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: "Remove Laptop" }).waitFor();
    const factors = (await askOn(page, "GET", "/api/factors")).body;
    expect(factors).toMatchObject({ recovery_codes_left: 10, passkeys: [{ name: "Laptop" }] });

    await page.getByRole("button", { name: "Change password" }).click();
    const fields = dialog.locator("input[type=password]");
    await fields.nth(0).fill(world.password);
    await fields.nth(1).fill("password1234");
    await dialog.getByRole("button", { name: "Change password" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();

    // A new browser signs in with the passkey, which counts as two factors.
    await page.getByRole("button", { name: /^User / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: /^User / }).waitFor();
    expect((await askOn(page, "GET", "/api/session")).body.factors).toEqual(["passkey"]);
    await page.goto(`${world.url}/dashboard/user`);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("A passkey signs you in").waitFor();
    await page.getByRole("button", { name: "Remove the authenticator app" }).click();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
    await leave();
  });

  it("lists sessions, ends one or all others, and never the current one", async () => {
    const [first, second] = [await world.signIn("/user"), await world.signIn("/user")];
    const { page, violations } = second;
    // Its session is ended by the second one.
    first.tolerate(/status of 401/);
    const others = page.getByRole("button", { name: /^End the session of/ });
    await page.getByText("This session").waitFor();
    const count = await others.count();
    expect(count).toBeGreaterThan(0);
    expect(await violations()).toEqual([]);
    // The newest of the others.
    await others.first().click();
    await expect.poll(() => others.count()).toBe(count - 1);
    expect((await askOn(first.page, "GET", "/api/session")).status).toBe(401);
    await page.reload();
    await world.signIn("/user").then(({ leave }) => leave());
    await page.reload();
    await page.getByRole("button", { name: "End all other sessions" }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "End all other sessions" }).click();
    await expect.poll(() => others.count()).toBe(0);
    expect((await askOn(page, "GET", "/api/sessions")).body.data).toMatchObject([{ current: true }]);
    await first.leave();
    await second.leave();
  });

  it("creates another account, leaves it, and shows why the last owner cannot leave", async () => {
    const { page, violations, tolerate, leave } = await world.signIn("/user");
    tolerate(/status of 409/);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name of the account").fill("Initech");
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Create an account" }).dblclick();
    await page.getByRole("button", { name: "Initech: switch account" }).waitFor();
    const { memberships, account_id } = (await askOn(page, "GET", "/api/session")).body;
    const names = memberships.map(({ account_name }: { readonly account_name: string }) => account_name);
    expect(names.filter((name: string) => name === "Initech")).toHaveLength(1);
    await page.goto(`${world.url}/dashboard/user`);
    await page.getByRole("button", { name: "Leave Initech" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Leave", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("alert").textContent()).toContain("at least one owner");
    expect(await violations()).toEqual([]);
    await world.hermod.core.users.createUser({ email: "bo@example.com", accountId: account_id });
    await dialog.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByRole("button", { name: "Leave Initech" }).waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /first account/ })
      .first()
      .waitFor();
    await leave();
  });

  it("changes the user's address with the link of a mail, and shows times in the chosen zone", async () => {
    const { page, violations, leave } = await world.signIn("/user");
    const { email } = (await askOn(page, "GET", "/api/session")).body;
    for (const [from, to] of [
      [email, "ada@example.com"],
      ["ada@example.com", email],
    ]) {
      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByLabel("New email address").fill(to);
      expect(await violations()).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Send the link" }).dblclick();
      // Only one: a press was sent once.
      await page.getByText(`A mail is on its way to ${to}`).waitFor();
      expect((await askOn(page, "GET", "/api/session")).body.email).toBe(from);
      await page.goto(await linkTo(to, "/change-email"));
      await page.getByText(`You sign in with ${to} from now on.`).waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole("button", { name: "Confirm the address" }).click();
      await page.getByText(`Your address is ${to} now.`).waitFor();
      await page.getByRole("button", { name: "Go to the dashboard" }).click();
      await page.getByRole("button", { name: `User ${to}` }).waitFor();
      await page.goto(`${world.url}/dashboard/user`);
    }
    await page.getByRole("combobox", { name: "Time zone" }).fill("Asia/Tok");
    await page.getByRole("option", { name: "Asia/Tokyo" }).click();
    await page.getByText("Times in Asia/Tokyo").waitFor();
    await leave();
  });

  const seenLinks = new Set<string>();

  /** The link of this path in a captured mail to an address, once for each mail. */
  async function linkTo(email: string, path: string): Promise<string> {
    return eventually(async () => {
      const inbox = `${world.hermod.adminUrl}/sandbox/messages`;
      const { data } = (await (await fetch(inbox)).json()) as {
        readonly data: readonly {
          readonly id: string;
          readonly envelope: { readonly to: readonly string[] };
        }[];
      };
      for (const { id } of data.filter(({ envelope }) => envelope.to.includes(email))) {
        const { text = "" } = await simpleParser(await (await fetch(`${inbox}/${id}/source`)).text());
        const link = new RegExp(`http://localhost:\\d+${path}#\\S+`).exec(text)?.[0];
        if (!link || seenLinks.has(link)) continue;
        seenLinks.add(link);
        return link;
      }
      return undefined;
    });
  }

  async function removeFactors(page: Page): Promise<void> {
    await askOn(page, "DELETE", "/api/factors/totp");
    const { passkeys } = (await askOn(page, "GET", "/api/factors")).body;
    for (const { id } of passkeys) await askOn(page, "DELETE", `/api/factors/passkeys/${id}`);
  }
});

type Dialog = ReturnType<Page["getByRole"]>;

const isCreation = (url: URL) => url.pathname === "/api/keys";

/** Answers the first creation like Hermod ten minutes after a factor was shown. */
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
