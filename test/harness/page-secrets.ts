import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page, Request, Response } from "playwright-core";

/** Fields of requests and answers with values that only the user and the server may have. */
const secretFields = /^(?:secret|secrets|password|current_password|new_password|token|recovery_codes)$/;
/** A new endpoint with Ed25519 has its public key in the field `secret`. Pages show public keys. */
const PUBLIC = "whpk_";
/** A shorter secret could occur in other texts by chance. */
const MIN_LENGTH = 8;
/** Pages forget submitted form data when the form closes. Data that is kept by mistake stays for minutes. */
const FORGET_MS = 5_000;

export interface PageSecrets {
  /**
   * Secrets in the address, storage or a cache of the page. An open dialog or password form may have its own
   * secrets in a cache.
   */
  left(): Promise<string[]>;
}

/** Follows the secrets that a page sends and receives, and finds where the page keeps them. */
export function followSecrets(page: Page, context: BrowserContext): PageSecrets {
  /** Secrets with their field names. */
  const received = new Map<string, string>();
  const sent = new Map<string, string>();
  const readings: Promise<void>[] = [];
  page.on("request", (request) => readings.push(readSent(request, sent)));
  page.on("response", (response) => readings.push(readReceived(response, received)));
  async function check(): Promise<string[]> {
    await Promise.all(readings.splice(0));
    for (const { name, value } of await context.cookies())
      if (name.endsWith("hermod")) received.set(value, "cookie");
    const places = await page.evaluate(readPlaces);
    // A link holds its token until it is used, so a sent value may come from the address.
    const kept = (place: keyof typeof places) => {
      const secrets = place === "address" ? received : new Map([...received, ...sent]);
      return [...secrets].flatMap(([secret, name]) =>
        places[place].includes(secret) ? [`a secret, ${name}, lies in the ${place}`] : [],
      );
    };
    return [...new Set([...kept("address"), ...kept("storage"), ...kept("cache")])];
  }

  return {
    left: async () => {
      const deadline = Date.now() + FORGET_MS;
      let found = await check();
      while (found.length > 0 && Date.now() < deadline) {
        await sleep(25);
        found = await check();
      }
      return found;
    },
  };
}

const isApi = (url: string) => new URL(url).pathname.startsWith("/api/");

async function readSent(request: Request, into: Map<string, string>): Promise<void> {
  if (isApi(request.url())) collect(request.postData() ?? "", into);
}

async function readReceived(response: Response, into: Map<string, string>): Promise<void> {
  const isJson = (response.headers()["content-type"] ?? "").includes("json");
  // The answer of a page that was left is no longer available.
  if (isApi(response.url()) && isJson) collect(await response.text().catch(() => ""), into);
}

/** Adds the secrets of a JSON document. */
function collect(json: string, into: Map<string, string>): void {
  try {
    JSON.parse(json, (name, value: unknown) => {
      for (const secret of secretFields.test(name) ? [value].flat() : [])
        if (typeof secret === "string" && secret.length >= MIN_LENGTH && !secret.startsWith(PUBLIC))
          into.set(secret, name);
      return value;
    });
  } catch {
    // Not JSON, so it has no fields.
  }
}

/** Runs in the page. The query client is not global: React has it in its tree. */
function readPlaces() {
  interface Fiber {
    readonly memoizedProps?: { readonly client?: Client } | null;
    readonly child: Fiber | null;
    readonly sibling: Fiber | null;
  }
  interface Client {
    getQueryCache(): {
      getAll(): { readonly queryKey: unknown; readonly state: { readonly data: unknown } }[];
    };
    getMutationCache(): {
      getAll(): { readonly state: { readonly variables: unknown; readonly data: unknown } }[];
    };
  }
  const clientIn = (fiber: Fiber | null): Client | undefined => {
    if (!fiber) return undefined;
    const { client } = fiber.memoizedProps ?? {};
    return client && "getQueryCache" in client ? client : (clientIn(fiber.child) ?? clientIn(fiber.sibling));
  };
  const { document, location, localStorage, sessionStorage } = globalThis as unknown as {
    readonly document: {
      readonly cookie: string;
      getElementById(id: string): Readonly<Record<string, Fiber>> | null;
      querySelector(selector: string): object | null;
    };
    readonly location: { readonly href: string };
    readonly localStorage: object;
    readonly sessionStorage: object;
  };
  const root = document.getElementById("app");
  const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
  const client = root && key ? clientIn(root[key] ?? null) : undefined;
  const isAsking = document.querySelector("[role=dialog], input[type=password]") !== null;
  const queries = client?.getQueryCache().getAll() ?? [];
  const mutations = isAsking ? [] : (client?.getMutationCache().getAll() ?? []);
  return {
    address: location.href,
    storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    cache: JSON.stringify([
      queries.map(({ queryKey, state }) => [queryKey, state.data]),
      mutations.map(({ state }) => [state.variables, state.data]),
    ]),
  };
}
