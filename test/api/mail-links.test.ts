import { simpleParser } from "mailparser";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  makePasskey,
  openBrowser,
  plugInAuthenticator,
  type Visitor,
} from "../harness/browser.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const chromium = tool("chromium");
const PASSWORD = "four uncommon words of mine";
const STEP_MS = 30_000;

interface Captured {
  readonly id: string;
  readonly envelope: { readonly to: readonly string[] };
}

describe.skipIf(chromium.missing)(`the pages of links in mails${chromium.note}`, () => {
  let hermod: Hermod;
  let browser: Browser;
  let accountId: string;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    hermod = await startHermod({
      settings: {
        HERMOD_HTTP_PORT: String(port),
        HERMOD_BASE_URL: url,
        HERMOD_MAIL_FROM: "Hermod <hermod@example.com>",
        HERMOD_SIGN_UP: "open",
      },
    });
    const { accounts } = await hermod.core.accounts.listAccounts({});
    accountId = accounts[0]?.id ?? "";
    browser = await openBrowser({ url });
  });
  afterAll(async () => {
    await browser?.close();
    await hermod?.dispose();
  });

  const seenLinks = new Set<string>();

  /** The link of this path in a mail to an address, once for each mail. */
  async function linkTo(email: string, path: string): Promise<string> {
    return eventually(async () => {
      const inbox = `${hermod.adminUrl}/sandbox/messages`;
      const { data } = (await (await fetch(inbox)).json()) as { readonly data: readonly Captured[] };
      for (const { id } of data.filter(({ envelope }) => envelope.to.includes(email))) {
        const source = await (await fetch(`${inbox}/${id}/source`)).text();
        const { text = "" } = await simpleParser(source);
        const link = new RegExp(`http://localhost:\\d+${path}#\\S+`).exec(text)?.[0];
        if (!link || seenLinks.has(link)) continue;
        seenLinks.add(link);
        return link;
      }
      return undefined;
    });
  }

  const invite = (email: string) =>
    hermod.core.invitations.createInvitation({ accountId, email, role: "viewer" });
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const field = (page: Page, label: string) => page.getByLabel(label);
  const password = (page: Page) => page.locator("input[type=password]");
  const seen = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const entered = (page: Page) => page.waitForURL(/\/dashboard\/(?:start)?$/);
  const whoIs = async (visitor: Visitor) => (await visitor.ask("GET", "/api/session")).body;

  /** A new user who has joined on the page. */
  async function join(email: string): Promise<Visitor> {
    await invite(email);
    const visitor = await browser.visit();
    await visitor.page.goto(await linkTo(email, "/invitation"));
    await password(visitor.page).fill(PASSWORD);
    await press(visitor.page, "Join");
    await entered(visitor.page);
    return visitor;
  }

  /** A second account with an invitation of the user. */
  async function inviteElsewhere(email: string): Promise<string> {
    const { account } = await hermod.core.accounts.createAccount({ name: "Globex" });
    await hermod.core.invitations.createInvitation({ accountId: account?.id ?? "", email, role: "support" });
    return linkTo(email, "/invitation");
  }

  it("an invitation asks a new user for a password, shows its errors, and signs in", async () => {
    const email = "ann@example.com";
    await invite(email);
    const link = await linkTo(email, "/invitation");
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.goto(link);
    await seen(page, "as Viewer");
    expect(await page.locator("input[autocomplete=username]").inputValue()).toBe(email);
    await password(page).fill("password1234");
    await press(page, "Join");
    expect(await page.getByRole("alert").textContent()).toMatch(/guess/);
    await password(page).fill(PASSWORD);
    await press(page, "Join");
    await entered(page);
    // The used token is not left in the history.
    await page.goBack();
    expect(page.url()).not.toContain("#");
    expect(await whoIs(visitor)).toMatchObject({ email, account_id: accountId });

    const late = await browser.visit();
    await late.page.goto(link);
    await seen(late.page, "Open the link of the mail again");
    expect(await late.page.getByRole("alert").textContent()).toContain("This invitation no longer works");
    expect(await password(late.page).count()).toBe(0);
    await late.leave();
    await visitor.leave();
  });

  it("an existing user joins another account after sign-in with the second factor", async () => {
    const email = "bob@example.com";
    const visitor = await join(email);
    const { secret } = (await visitor.ask("POST", "/api/factors/totp")).body;
    const app = new TOTP({ secret });
    await visitor.ask("POST", "/api/factors/totp/confirm", { code: app.generate() });
    const link = await inviteElsewhere(email);

    const elsewhere = await browser.visit();
    const { page } = elsewhere;
    await page.goto(link);
    await password(page).fill("wrong words");
    await press(page, "Continue");
    await page.getByRole("alert").waitFor();
    await password(page).fill(PASSWORD);
    await press(page, "Continue");
    await field(page, "Code").fill(app.generate({ timestamp: Date.now() + STEP_MS }));
    await press(page, "Continue");
    await entered(page);
    await seen(page, "Globex");
    expect((await whoIs(elsewhere)).memberships).toHaveLength(2);
    await elsewhere.leave();
    await visitor.leave();
  });

  it("a signed-in user joins with a button, not by opening the link; another user sees the address of the invitation", async () => {
    const [cat, dan] = ["cat@example.com", "dan@example.com"];
    const visitors = { cat: await join(cat), dan: await join(dan) };
    const link = await inviteElsewhere(cat);
    await visitors.dan.page.goto(link);
    await seen(visitors.dan.page, `Sign in as ${cat} to join.`);
    await seen(visitors.dan.page, `You are signed in as ${dan}.`);
    await visitors.cat.page.goto(link);
    await visitors.cat.page.getByRole("button", { name: "Join" }).waitFor();
    expect((await whoIs(visitors.cat)).memberships).toHaveLength(1);
    await press(visitors.cat.page, "Join");
    await entered(visitors.cat.page);
    expect(await whoIs(visitors.dan)).toMatchObject({ email: dan });
    expect((await whoIs(visitors.cat)).memberships).toHaveLength(2);
    await visitors.cat.leave();
    await visitors.dan.leave();
  });

  it("a user with a passkey joins", async () => {
    const email = "eve@example.com";
    const visitor = await join(email);
    await visitor.home();
    await plugInAuthenticator(visitor);
    const { options } = (await visitor.ask("POST", "/api/factors/passkey-options")).body;
    const response = await makePasskey(visitor, options);
    await visitor.ask("POST", "/api/factors/passkeys", { name: "Laptop", response });
    await visitor.ask("DELETE", "/api/session");
    await visitor.page.goto(await inviteElsewhere(email));
    await press(visitor.page, "Use a passkey instead");
    await press(visitor.page, "Use a passkey");
    await entered(visitor.page);
    await visitor.leave();
  });

  it("a forgotten password is replaced", async () => {
    const email = "fay@example.com";
    const visitor = await join(email);
    const other = await browser.visit();
    const { page } = other;
    const { base_url: baseUrl } = hermod.firstRun;
    await page.goto(`${baseUrl}/reset-password`);
    await field(page, "Email address").fill(email);
    await press(page, "Send the mail");
    await seen(page, "a mail is on its way");
    await page.goto(await linkTo(email, "/reset-password"));
    await seen(page, `For ${email}.`);
    await password(page).fill("quite other words of hers");
    await press(page, "Set password");
    await seen(page, "The password is changed");
    expect(page.url()).not.toContain("#");
    expect(await whoIs(visitor)).toMatchObject({ code: "auth.session_invalid" });
    const signedIn = await other.ask("POST", "/api/session", {
      email,
      password: "quite other words of hers",
    });
    expect(signedIn.status).toBe(200);
    await other.leave();
    await visitor.leave();
  });

  it("a new user signs up", async () => {
    const email = "gus@example.net";
    const visitor = await browser.visit();
    const { page } = visitor;
    await page.goto(`${hermod.firstRun.base_url}/sign-up`);
    await field(page, "Email address").fill(email);
    await press(page, "Send the mail");
    await seen(page, "A mail is on its way");
    await page.goto(await linkTo(email, "/sign-up"));
    await field(page, "Name of your account").fill("Gus & sons");
    await password(page).fill(PASSWORD);
    await press(page, "Create the account");
    await entered(page);
    expect((await whoIs(visitor)).memberships).toMatchObject([{ account_name: "Gus & sons", role: "owner" }]);
    await visitor.leave();
  });

  it("open pages of the dashboard, also from mails sent by an earlier version", async () => {
    const { base_url: baseUrl } = hermod.firstRun;
    for (const path of ["/invitation", "/reset-password", "/sign-up", "/change-email"]) {
      const answer = await fetch(baseUrl + path, { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `dashboard${path}`]);
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      const page = await fetch(baseUrl + path);
      expect(page.url).toBe(`${baseUrl}/dashboard${path}`);
      expect(await page.text()).toMatch(/<noscript>.*needs JavaScript.*was not used up/s);
    }
  });
});
