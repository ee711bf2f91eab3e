import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { createGate } from "./signal.ts";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each route has its own
  readonly body: any;
}

/** A user with a fresh browser, on a page of Hermod. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Sends a request as the page's own script does, with the cookies and headers that the browser adds. */
  ask(method: string, path: string, body?: object): Promise<Answer>;
  /** Opens the page that sends all requests. */
  home(): Promise<void>;
  leave(): Promise<void>;
}

export interface Browser {
  visit(): Promise<Visitor>;
  close(): Promise<void>;
}

/** Time limit for hangs, generous because the machine may be busy. */
const TIMEOUT_MS = 120_000;

export interface BrowserOptions {
  readonly url: string;
  /**
   * A file with the server's certificate, which the browser must trust: passkeys require trusted TLS or plain
   * loopback.
   */
  readonly certificate?: string;
}

/** Opens Chromium with default settings on the pages at `url`. */
export async function openBrowser({ url, certificate }: BrowserOptions): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: TIMEOUT_MS,
    args: ["--no-sandbox", ...(certificate ? [await trusting(certificate)] : [])],
  });
  return {
    visit: async () => {
      const context = await browser.newContext();
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const home = async () => void (await page.goto(`${url}/docs/errors`));
      await home();
      return {
        page,
        context,
        home,
        ask: (method, path, body) => askOn(page, method, path, body),
        leave: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** Sends a request as the page's own script does, with the cookies and headers that the browser adds. */
export function askOn(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  return page.evaluate(askHere, { method, path, body });
}

/** Runs in the page. */
async function askHere({ method, path, body }: { method: string; path: string; body?: object | undefined }) {
  const json = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...json });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** Answers that a page does not receive yet. */
export interface HeldAnswers {
  /** Resolves when the page has sent the first request. */
  readonly asked: Promise<void>;
  /** The page receives them, and later ones at once. */
  release(): void;
}

/** @param url glob or pattern of the requests */
export async function holdAnswers(page: Page, url: string | RegExp): Promise<HeldAnswers> {
  const [asked, released] = [createGate(), createGate()];
  await page.route(url, async (route) => {
    asked.open();
    await released.opened;
    await route.continue();
  });
  return { asked: asked.opened, release: released.open };
}

/** Place of a shown element, after the fonts are loaded, which move everything. */
export async function placeOf(shown: Locator) {
  await shown.waitFor();
  await shown.page().evaluate("document.fonts.ready");
  return shown.boundingBox();
}

async function trusting(certificate: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const spki = publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`;
}

/** A passkey device at the page's computer. Its owner always agrees. */
export async function plugInAuthenticator({
  page,
  context,
}: Pick<Visitor, "page" | "context">): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Has the page create a passkey from the server's options; resolves to the response for the server. */
export function makePasskey({ page }: Visitor, options: object): Promise<object> {
  const publicKey = `PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})`;
  return page.evaluate(
    `navigator.credentials.create({ publicKey: ${publicKey} }).then((made) => made.toJSON())`,
  );
}

/** Has the page sign the server's options with a passkey; resolves to the response for the server. */
export function usePasskey({ page }: Visitor, options: object): Promise<object> {
  const publicKey = `PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})`;
  return page.evaluate(
    `navigator.credentials.get({ publicKey: ${publicKey} }).then((shown) => shown.toJSON())`,
  );
}
