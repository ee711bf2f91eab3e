import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import {
  eventually,
  type FirstRunFile,
  type Hermod,
  newSettings,
  removeData,
  spawnHermod,
  startHermod,
} from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const curl = tool("curl");

let hermod: Hermod | undefined;
afterEach(async () => {
  await hermod?.dispose();
  hermod = undefined;
});

const firstRunFile = ({ dataDir }: Hermod) => path.join(dataDir, "first-run.json");

async function readFirstRun(running: Hermod): Promise<FirstRunFile> {
  return JSON.parse(await readFile(firstRunFile(running), "utf8"));
}

/** Every secret of the first run. */
function secretsOf({ api_key, deliverability_api_key, smtp, dashboard, grpc }: FirstRunFile): string[] {
  return [api_key, deliverability_api_key, smtp.username, smtp.password, dashboard.password, grpc.token];
}

/** The command line as a person copies it from the terminal. */
function curlLine(stdout: string): string {
  return /^ *curl (?:.*\\\n)*.*/m.exec(stdout)?.[0].trim() ?? "";
}

interface Inbox {
  readonly data: readonly { readonly id: string; readonly subject: string }[];
}

async function inbox({ adminUrl }: Hermod): Promise<Inbox["data"]> {
  const response = await fetch(`${adminUrl}/sandbox/messages`);
  return ((await response.json()) as Inbox).data;
}

describe("the first run", () => {
  it("leaves everything that a caller needs in first-run.json, for its owner alone", async () => {
    hermod = await startHermod({ settings: { HERMOD_SMTP_PORT: "2599" } });
    expect(await readFirstRun(hermod)).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
      smtp: {
        host: "127.0.0.1",
        port: 2599,
        username: expect.stringMatching(/^hm_smtp_[A-Za-z0-9]{49}$/),
        password: expect.stringMatching(/^[A-Za-z0-9]{33}$/),
      },
      api_key: expect.stringMatching(/^hm_live_[A-Za-z0-9]{49}$/),
      deliverability_api_key: expect.stringMatching(/^hm_dlv_[A-Za-z0-9]{49}$/),
      sender: "hello@example.com",
      dashboard: {
        url: `${hermod.firstRun.base_url}/dashboard`,
        email: "admin@example.com",
        password: expect.stringMatching(/^[A-Za-z0-9]{17}$/),
      },
      grpc: {
        address: expect.stringMatching(/^127\.0\.0\.1:[1-9]\d*$/),
        token: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      },
    });
    expect(new Set(secretsOf(hermod.firstRun)).size).toBe(6);
  });

  it("keeps every file with a secret from other users, and the log free of secrets", async () => {
    hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: "trace" } });
    expect((await stat(firstRunFile(hermod))).mode & 0o777).toBe(0o600);
    expect((await stat(hermod.dataDir)).mode & 0o077).toBe(0);
    const secrets = secretsOf(hermod.firstRun);
    for (const name of await readdir(hermod.dataDir)) {
      const file = path.join(hermod.dataDir, name);
      const { mode } = await stat(file);
      if (!name.endsWith(".json") && !name.includes("token")) continue;
      expect([name, mode & 0o777]).toEqual([name, 0o600]);
    }
    for (const secret of secrets) expect(hermod.log()).not.toContain(secret);
  });

  it.skipIf(curl.missing)(
    `prints a curl line that a shell runs as it stands, and whose message is in the sandbox${curl.note}`,
    async () => {
      hermod = await startHermod();
      const line = curlLine(hermod.stdout());
      expect(line.split("\n")).toHaveLength(4);
      const { stdout } = await run("sh", [
        "-c",
        `${line} --silent --show-error --write-out '\\n%{http_code}'`,
      ]);
      const [body = "", status] = stdout.split("\n");
      expect(status).toBe("202");
      const { message_id: id } = JSON.parse(body) as { message_id: string };
      const running = hermod;
      const found = await eventually(async () => (await inbox(running)).find((message) => message.id === id));
      expect(found.subject).toBe("Hello from Hermod");
      expect(hermod.stdout()).toContain(`${hermod.adminUrl}/sandbox`);
      expect(hermod.stdout()).toContain(firstRunFile(hermod));
    },
  );
});

describe("a later start", () => {
  it("prints no secret, keeps the account and its keys, and first-run.json tells the new ports", async () => {
    hermod = await startHermod();
    const before = hermod.firstRun;
    await hermod.stop();
    hermod = await hermod.restart();
    const after = hermod.firstRun;
    expect(hermod.stdout()).toContain("Hermod is running.");
    expect(hermod.stdout()).not.toContain("first run");
    for (const secret of secretsOf(before)) expect(hermod.stdout() + hermod.log()).not.toContain(secret);
    expect(after).toEqual({
      ...before,
      base_url: after.base_url,
      smtp: { ...before.smtp, port: after.smtp.port },
      dashboard: { ...before.dashboard, url: `${after.base_url}/dashboard` },
      grpc: { ...before.grpc, address: after.grpc.address },
    });
    expect((await stat(firstRunFile(hermod))).mode & 0o777).toBe(0o600);
    expect((await post(hermod, email())).status).toBe(202);
    expect(await hermod.core.messages.listMessages({})).toMatchObject({ messages: [{ subject: "Hello" }] });
  });
});

describe("a first run that is killed at any moment", () => {
  it.each([1, 2, 3, 4])("is made good by the next start: one account, and its key works (%i)", async () => {
    const env = await newSettings();
    try {
      const first = spawnHermod(env);
      await sleep(randomInt(300, 1500));
      await first.kill();
      hermod = await startHermod({ settings: env as Record<string, string> });
      expect((await post(hermod, email())).status).toBe(202);
      // An empty account id is taken only where there is one account.
      expect((await hermod.core.keys.listKeys({})).keys).toHaveLength(3);
    } finally {
      await hermod?.kill();
      hermod = undefined;
      await removeData(env);
    }
  });
});
