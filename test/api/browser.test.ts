import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  makePasskey,
  openBrowser,
  plugInAuthenticator,
  usePasskey,
  type Visitor,
} from "../harness/browser.ts";
import { makeCertificates } from "../harness/make-certificates.ts";
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from "../harness/oidc-provider.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const chromium = tool("chromium");
const PASSWORD = "four uncommon words of mine";
const STEP_MS = 30_000;

describe.skipIf(chromium.missing).each(["http", "https"])(
  `in Chromium, over %s${chromium.note}`,
  (scheme) => {
    const isSecure = scheme === "https";
    const COOKIE = isSecure ? "__Host-hermod" : "hermod";
    let folder: string;
    let provider: TestProvider;
    let hermod: Hermod;
    let browser: Browser;
    let visitor: Visitor;
    let email: string;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "hermod-browser-"));
      const { server } = await makeCertificates(folder);
      const port = await freePort();
      const url = `${scheme}://localhost:${port}`;
      provider = await startProvider(`${url}/api/session/oidc/callback`);
      hermod = await startHermod({
        settings: {
          HERMOD_HTTP_PORT: String(port),
          HERMOD_BASE_URL: url,
          ...(isSecure && { HERMOD_HTTP_TLS_CERT: server.cert, HERMOD_HTTP_TLS_KEY: server.key }),
          HERMOD_OIDC_ISSUER: provider.issuer,
          HERMOD_OIDC_CLIENT_ID: CLIENT_ID,
          HERMOD_OIDC_CLIENT_SECRET: CLIENT_SECRET,
          HERMOD_OIDC_ROLES: "*=viewer",
        },
      });
      browser = await openBrowser({ url, ...(isSecure && { certificate: server.cert }) });
      visitor = await browser.visit();
      const { dashboard } = hermod.firstRun;
      email = dashboard.email;
      await visitor.ask("POST", "/api/session", { email, password: dashboard.password });
      const change = { current_password: dashboard.password, new_password: PASSWORD };
      expect(await visitor.ask("POST", "/api/session/password", change)).toMatchObject({ status: 200 });
    });
    afterAll(async () => {
      await browser?.close();
      await hermod?.dispose();
      await provider?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const signIn = (who: Visitor) => who.ask("POST", "/api/session", { email, password: PASSWORD });
    const whoIs = (who: Visitor) => who.ask("GET", "/api/session");

    it("a password signs in with a cookie that scripts cannot read, and sign-out removes it", async () => {
      const other = await browser.visit();
      expect(await signIn(other)).toMatchObject({ status: 200, body: { email, encrypted: isSecure } });
      expect(await other.page.evaluate("document.cookie")).toBe("");
      expect(await other.context.cookies()).toMatchObject([
        { name: COOKIE, httpOnly: true, secure: isSecure, sameSite: "Lax", path: "/" },
      ]);
      // Data of the former user that the page keeps for the next one.
      await other.page.evaluate("localStorage.setItem('draft', 'of mine')");
      expect(await other.ask("DELETE", "/api/session")).toMatchObject({ status: 204 });
      expect(await other.context.cookies()).toEqual([]);
      expect(await other.page.evaluate("localStorage.length")).toBe(0);
      expect(await whoIs(other)).toMatchObject({ status: 401 });
      expect(await whoIs(visitor)).toMatchObject({ status: 200 });
      await other.leave();
    });

    it("another page of the same machine cannot act for the signed-in user", async () => {
      const other = await browser.visit();
      await signIn(other);
      const tab = await visitor.context.newPage();
      // Cookies do not depend on ports: localhost gets all of them.
      await tab.goto(provider.issuer.replace("127.0.0.1", "localhost"));
      const target = new URL("/api/session", hermod.firstRun.base_url).href;
      const sent: string[] = [];
      tab.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
      await tab.evaluate(async (url) => {
        await fetch(`${url}/end-others`, { method: "POST", mode: "no-cors", credentials: "include" });
      }, target);
      await expect(
        tab.evaluate((url) => fetch(url, { method: "DELETE", credentials: "include" }), target),
      ).rejects.toThrow("Failed to fetch");
      await expect(
        tab.evaluate(async (url) => (await fetch(url, { credentials: "include" })).status, target),
      ).rejects.toThrow("Failed to fetch");
      expect(sent).toContain(`POST ${target}/end-others`);
      await tab.close();
      // Neither "end all my other sessions" nor "sign me out" was done.
      expect(await whoIs(other)).toMatchObject({ status: 200 });
      expect(await whoIs(visitor)).toMatchObject({ status: 200 });
      await other.leave();
    });

    it("an authenticator app is set up, and required from then on", async () => {
      const begun = await visitor.ask("POST", "/api/factors/totp");
      const app = new TOTP({ secret: begun.body.secret });
      const confirmed = await visitor.ask("POST", "/api/factors/totp/confirm", { code: app.generate() });
      expect(confirmed.body.recovery_codes).toHaveLength(10);

      const other = await browser.visit();
      expect((await signIn(other)).body).toMatchObject({ second_factor_required: true });
      expect(await other.ask("GET", "/api/keys")).toMatchObject({ status: 403 });
      // A code is valid once, so the next one is used.
      const code = { totp_code: app.generate({ timestamp: Date.now() + STEP_MS }) };
      expect(await other.ask("POST", "/api/session/second-factor", code)).toMatchObject({ status: 200 });
      expect(await other.ask("GET", "/api/keys")).toMatchObject({ status: 200 });
      await other.leave();
    });

    it("a passkey is created, and signs in alone", async () => {
      await plugInAuthenticator(visitor);
      const begun = await visitor.ask("POST", "/api/factors/passkey-options");
      const made = await makePasskey(visitor, begun.body.options);
      const added = await visitor.ask("POST", "/api/factors/passkeys", { name: "Laptop", response: made });
      expect(added).toMatchObject({ status: 201, body: { passkey: { name: "Laptop" } } });

      await visitor.ask("DELETE", "/api/session");
      const { body } = await visitor.ask("POST", "/api/session/passkey/options");
      const response = await usePasskey(visitor, body.options);
      expect(await visitor.ask("POST", "/api/session/passkey", { response })).toMatchObject({ status: 200 });
      expect((await whoIs(visitor)).body).toMatchObject({
        email,
        factors: ["passkey"],
        second_factor_required: false,
      });
    });

    it("a provider signs a user in", async () => {
      provider.become({ sub: "eve", email: "eve@example.com", email_verified: true });
      const other = await browser.visit();
      const { body } = await other.ask("POST", "/api/session/oidc");
      await other.page.goto(body.url);
      expect(new URL(other.page.url()).origin).toBe(hermod.firstRun.base_url);
      await other.home();
      expect((await whoIs(other)).body).toMatchObject({ email: "eve@example.com", factors: ["oidc"] });
      await other.leave();
    });

    it("a provider's response to another browser signs in no user", async () => {
      provider.become({ sub: "eve", email: "eve@example.com", email_verified: true });
      const attacker = await browser.visit();
      const { body } = await attacker.ask("POST", "/api/session/oidc");
      const victim = await browser.visit();
      await victim.page.goto(body.url);
      expect(new URL(victim.page.url()).searchParams.get("fault")).toMatch(/^oidc\./);
      await victim.home();
      expect(await whoIs(victim)).toMatchObject({ status: 401 });
      await attacker.leave();
      await victim.leave();
    });
  },
);
