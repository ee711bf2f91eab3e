import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { askOn } from "./browser.ts";
import type { DashboardWorld, Visit } from "./dashboard-world.ts";

/** A program of the account that receives events. */
export interface WebhookReceiver {
  readonly url: string;
  /** Status of its answers. */
  status: number;
  readonly ids: string[];
  readonly tokens: (string | undefined)[];
  close(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = http.createServer((request, response) => {
    request.resume();
    receiver.ids.push(String(request.headers["webhook-id"]));
    receiver.tokens.push(request.headers.authorization);
    response.writeHead(receiver.status).end(receiver.status < 300 ? "thanks" : "no more");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/mail`,
    status: 204,
    ids: [],
    tokens: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** Steps on the pages of webhooks that several tests take. */
export function onWebhookPages(world: DashboardWorld, visit: Visit) {
  const { page } = visit;
  const dialog = page.getByRole("dialog");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const open = (address: string) => page.goto(`${world.url}/dashboard${address}`);
  const ask = (method: string, address: string, body?: object) => askOn(page, method, `/api${address}`, body);
  return {
    page,
    dialog,
    button,
    open,
    ask,
    expectAccessible: async () => expect(await visit.violations()).toEqual([]),
    endpointOf: async (url: string) => {
      const { data } = (await ask("GET", "/webhooks")).body;
      return data.find((one: { readonly url: string }) => one.url === url);
    },
    /** Returns the secret of the dialog that shows it, and closes the dialog. */
    takeSecret: async (): Promise<string> => {
      const secret = (await dialog.locator("code").first().textContent()) ?? "";
      expect(await dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
      await dialog.getByLabel("I have stored it").check();
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await page.content()).not.toContain(secret);
      expect(await visit.secretsLeft()).toEqual([]);
      return secret;
    },
    /** Opens the form of a new endpoint, with its URL. */
    beginEndpoint: async (url: string): Promise<void> => {
      await open("/webhooks");
      await button("Add an endpoint").click();
      await page.getByLabel("URL").fill(url);
    },
  };
}
