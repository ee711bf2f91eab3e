import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookSecret, signaturesOf } from "../../src/shared/webhook-signature.ts";
import { type FailingProxy, RETRY_AFTER_SECONDS, startFailingProxy } from "../harness/failing-proxy.ts";
import { QUICK_JVM } from "../harness/maven-copy.ts";
import { type Recipe, readRecipe } from "../harness/recipes.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { acceptsConnections, freePort } from "../harness/tcp-proxy.ts";
import { type ToolName, tool } from "../harness/tools.ts";

const run = promisify(execFile);
const PAGES = "docs/how-to/recipes";

/** The tools that the programs of each page need. */
const pages: Readonly<Record<string, readonly ToolName[]>> = {
  curl: ["curl", "jq"],
  node: [],
  python: ["python"],
  go: ["go"],
  php: ["php-cli"],
  ruby: ["ruby"],
  java: ["javac"],
  csharp: ["mono"],
};
const languages = Object.entries(pages).map(([name, needs]) => {
  const missing = needs.map((one) => tool(one)).find((one) => one.missing);
  return { name, skipped: missing !== undefined, note: missing?.note ?? "" };
});

/** An account that has just been created, and a folder to follow a page in. */
interface Place {
  readonly apiKey: string;
  readonly proxy: FailingProxy;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where the page's own server listens. */
  readonly port: number;
  readonly secret: string;
  sendTestEvent(): Promise<void>;
}

let hermod: Hermod;
beforeAll(async () => {
  // Endpoints of webhooks are on this machine.
  hermod = await startHermod({ settings: { HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" } });
});
afterAll(() => hermod?.dispose());

async function withPlace(name: string, follow: (place: Place) => Promise<void>): Promise<void> {
  const { core, firstRun } = hermod;
  const { account } = await core.accounts.createAccount({ name });
  const accountId = account?.id ?? "";
  await core.senders.addSender({ accountId, value: "hello@example.com" });
  const { secret: apiKey } = await core.keys.createKey({ accountId, name });
  const port = await freePort();
  const settings = { url: `http://127.0.0.1:${port}/hooks/mail`, types: ["message.bounced"] };
  const { webhook, secret } = await core.webhooks.createWebhook({ accountId, settings });
  const proxy = await startFailingProxy(firstRun.base_url);
  const folder = await mkdtemp(path.join(tmpdir(), `hermod-recipes-${name}-`));
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GOTOOLCHAIN: "local",
    // A quick start counts, not a quick program.
    GOFLAGS: "-ldflags=-w",
    JAVA_TOOL_OPTIONS: QUICK_JVM.join(" "),
    HERMOD_URL: proxy.url,
    HERMOD_API_KEY: apiKey,
    WEBHOOK_SECRET: secret,
    PORT: String(port),
  };
  const sendTestEvent = async () =>
    void (await core.webhooks.sendTestEvent({ accountId, id: webhook?.id ?? "" }));
  try {
    await follow({ apiKey, proxy, folder, env, port, secret, sendTestEvent });
  } finally {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the commands of a page in one shell, and resolves to the lines that they print. */
async function runCommands({ script }: Recipe, { folder, env, proxy }: Place): Promise<string[]> {
  const here = script.replaceAll("http://127.0.0.1:8080", proxy.url);
  const { stdout } = await run("bash", ["-eu", "-o", "pipefail", "-c", here], { cwd: folder, env });
  return stdout.trim().split("\n");
}

/** Sends an event to a receiver, signed or not, and resolves to the status of the answer. */
async function post(port: number, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/hooks/mail`, { method: "POST", body, headers });
  return status;
}

const EVENT = JSON.stringify({
  id: "evt_1",
  type: "message.delivered",
  data: { recipient: "jürgen@example.org" },
});

function signed(secrets: readonly string[], ageSeconds = 0): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000) - ageSeconds;
  return {
    "content-type": "application/json",
    "webhook-id": "evt_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": signaturesOf({ id: "evt_1", seconds, body: EVENT }, secrets),
  };
}

/** Starts the server of a page, has Hermod post an event to it, and forges others. */
async function checkReceiver(
  command: string,
  { folder, env, port, secret, sendTestEvent }: Place,
): Promise<void> {
  const child = spawn("bash", ["-c", `exec ${command}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const exited = once(child, "close");
  try {
    await eventually(async () => (await acceptsConnections(port)) || undefined);
    await sendTestEvent();
    await eventually(async () => output.includes("webhook.test ") || undefined);
    const other = newWebhookSecret();
    expect({
      signed: await post(port, EVENT, signed([secret])),
      "signed with two secrets": await post(port, EVENT, signed([other, secret])),
      altered: await post(port, EVENT.replace("ü", "u"), signed([secret])),
      "signed with another secret": await post(port, EVENT, signed([other])),
      old: await post(port, EVENT, signed([secret], 3_600)),
      unsigned: await post(port, EVENT, { "content-type": "application/json" }),
    }).toEqual({
      signed: 204,
      "signed with two secrets": 204,
      altered: 400,
      "signed with another secret": 400,
      old: 400,
      unsigned: 400,
    });
    expect(output.split("message.delivered evt_1").length - 1).toBe(2);
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

/** Receives an event of Hermod's for a program that is no server, and runs it. */
async function checkVerifier(command: string, { folder, env, port, sendTestEvent }: Place): Promise<void> {
  let received: { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer } | undefined;
  const server = http.createServer(async (request, response) => {
    received = { headers: request.headers, body: Buffer.concat(await request.toArray()) };
    response.writeHead(204).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  try {
    await sendTestEvent();
    const { headers, body } = await eventually(async () => received);
    const verify = async (changes: NodeJS.ProcessEnv, text: string | Buffer) => {
      await writeFile(path.join(folder, "body.json"), text);
      const of = (name: string) => String(headers[`webhook-${name}`]);
      const named = {
        WEBHOOK_ID: of("id"),
        WEBHOOK_TIMESTAMP: of("timestamp"),
        WEBHOOK_SIGNATURE: of("signature"),
      };
      return run("bash", ["-c", command], { cwd: folder, env: { ...env, ...named, ...changes } });
    };
    expect((await verify({}, body)).stdout).toContain("webhook.test ");
    await expect(verify({}, `${body} `)).rejects.toThrow("not signed by Hermod");
    await expect(verify({ WEBHOOK_SECRET: newWebhookSecret() }, body)).rejects.toThrow(
      "not signed by Hermod",
    );
    await expect(verify({ WEBHOOK_TIMESTAMP: "1700000000" }, body)).rejects.toThrow("not signed by Hermod");
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("the recipes", () => {
  it("have a page for each language, and each page is run here", async () => {
    expect((await readdir(PAGES)).toSorted()).toEqual(
      Object.keys(pages)
        .map((name) => `${name}.md`)
        .toSorted(),
    );
  });

  describe.concurrent.each(languages)("of $name", ({ name, skipped, note }) => {
    it.skipIf(skipped)(`run as they stand on a new account${note}`, async () => {
      const page = `${PAGES}/${name}.md`;
      const recipe = readRecipe(page, await readFile(page, "utf8"));
      await withPlace(name, async (place) => {
        const lines = await runCommands(recipe, place);
        const listed = await fetch(`${hermod.firstRun.base_url}/v1/emails`, {
          headers: { "x-api-key": place.apiKey },
        });
        const { data } = (await listed.json()) as { data: { message_id: string }[] };
        // One mail was sent, by four attempts and a second run.
        expect(data).toHaveLength(1);
        expect(lines).toEqual([
          data[0]?.message_id,
          "captured",
          "unmatched",
          "request.validation_failed",
          "/to address.missing_at",
        ]);
        const { posts } = place.proxy;
        expect(posts.slice(0, 5).map(({ idempotencyKey }) => idempotencyKey)).toEqual(
          Array(5).fill("order-1001-confirmation"),
        );
        expect(posts.map(({ url }) => url)).toEqual([
          ...Array(5).fill("/v1/email/send"),
          "/v1/alerts/ingest",
          "/v1/email/send",
        ]);
        // Timers of some languages are a few milliseconds early.
        for (const at of [1, 2]) {
          const waitedMs = (posts[at + 1]?.atMs ?? 0) - (posts[at]?.atMs ?? 0);
          expect(waitedMs).toBeGreaterThan(RETRY_AFTER_SECONDS * 1_000 - 20);
        }
        await (name === "curl" ? checkVerifier : checkReceiver)(recipe.byItself, place);
      });
    });
  });
});
