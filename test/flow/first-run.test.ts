import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import {
  connectCore,
  eventually,
  type FirstRunFile,
  type Hermod,
  newSettings,
  removeData,
  runToEnd,
  spawnHermod,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const curl = tool("curl");
const script = tool("script");

/** Half the rounds of the crash tests, because each needs a second start. */
const KILLS = Number(process.env.HERMOD_TEST_CRASH_ROUNDS ?? 2) / 2;

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
  let hermod: Hermod;
  beforeAll(async () => {
    hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: "trace" } });
  });
  afterAll(() => hermod.dispose());

  it("writes everything that a caller needs to first-run.json, readable only by its owner", async () => {
    expect(await readFirstRun(hermod)).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
      smtp: {
        host: "127.0.0.1",
        port: expect.any(Number),
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
      admin: { url: hermod.adminUrl, sandbox_url: `${hermod.adminUrl}/sandbox` },
      grpc: {
        address: expect.stringMatching(/^127\.0\.0\.1:[1-9]\d*$/),
        token: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      },
    });
    expect(new Set(secretsOf(hermod.firstRun)).size).toBe(6);
    const { smtp, admin, base_url: baseUrl } = hermod.firstRun;
    const { installation } = await hermod.core.installation.getInstallation({});
    const endpoints = [{ host: smtp.host, port: smtp.port, tls: "starttls" }];
    expect(installation).toMatchObject({ baseUrl, smtp: { endpoints, selfSigned: true } });
    const socket = net.connect(smtp.port, smtp.host);
    expect(String(await once(socket, "data").then(([greeting]) => greeting))).toMatch(/^220 /);
    socket.destroy();
    expect((await fetch(admin.sandbox_url)).status).toBe(200);
  });

  it("hides every file with a secret from other users, and logs and redirected output contain no secrets", async () => {
    expect((await stat(firstRunFile(hermod))).mode & 0o777).toBe(0o600);
    expect((await stat(hermod.dataDir)).mode & 0o077).toBe(0);
    const secrets = secretsOf(hermod.firstRun);
    for (const name of await readdir(hermod.dataDir)) {
      const file = path.join(hermod.dataDir, name);
      const { mode } = await stat(file);
      if (!name.endsWith(".json") && !name.includes("token")) continue;
      expect([name, mode & 0o777]).toEqual([name, 0o600]);
    }
    for (const secret of secrets) expect(hermod.log() + hermod.stdout()).not.toContain(secret);
  });

  it.skipIf(curl.missing)(
    `prints a working curl command that sends a message to the sandbox${curl.note}`,
    async () => {
      const line = curlLine(hermod.stdout());
      expect(line.split("\n")).toHaveLength(4);
      const { stdout } = await run("sh", [
        "-c",
        `${line} --silent --show-error --write-out '\\n%{http_code}'`,
      ]);
      const [body = "", status] = stdout.split("\n");
      expect(status).toBe("202");
      const { message_id: id } = JSON.parse(body) as { message_id: string };
      const found = await eventually(async () => (await inbox(hermod)).find((message) => message.id === id));
      expect(found.subject).toBe("Hello from Hermod");
      expect(hermod.stdout()).toContain(`${hermod.adminUrl}/sandbox`);
      expect(hermod.stdout()).toContain(firstRunFile(hermod));
    },
  );

  it("prints a command that creates a rule for critical alerts, and the rule sends a mail", async () => {
    const printed = /^ *hermod (alert-rule .*)$/m.exec(hermod.stdout())?.[1] ?? "";
    const args = ["bin/hermod.js", ...printed.split(" ")];
    const { stdout } = await run(process.execPath, args, { env: hermod.env });
    expect(stdout).toBe("The rule other-criticals is created.\n");
    const alert = { event_type: "disk.full", severity: "critical", source: "node", message: "/var is full" };
    const response = await fetch(`${hermod.firstRun.base_url}/v1/alerts/ingest`, {
      method: "POST",
      headers: { "X-API-Key": hermod.firstRun.api_key, "Content-Type": "application/json" },
      body: JSON.stringify(alert),
    });
    expect(await response.json()).toMatchObject({ status: "routed", matched_rules: ["other-criticals"] });
    const found = await eventually(async () =>
      (await inbox(hermod)).find(({ subject }) => subject.includes("critical")),
    );
    expect(found.subject).toContain("/var is full");
  });
});

describe.skipIf(script.missing)(`a first run on a terminal${script.note}`, () => {
  it("prints the API key, also in a curl command, and no other secret", async () => {
    const env = await newSettings();
    const command = `'${process.execPath}' bin/hermod.js start`;
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], { env });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    try {
      await eventually(async () => (output.includes("and see it at") ? true : undefined));
      const file = path.join(env.HERMOD_DATA_DIR ?? "", "first-run.json");
      const firstRun = JSON.parse(await readFile(file, "utf8")) as FirstRunFile;
      expect(output).toContain(`API key    ${firstRun.api_key}`);
      expect(curlLine(output.replaceAll("\r\n", "\n"))).toContain(`'X-API-Key: ${firstRun.api_key}'`);
      for (const secret of secretsOf(firstRun))
        if (secret !== firstRun.api_key) expect(output).not.toContain(secret);
    } finally {
      child.kill();
      await once(child, "exit");
      await removeData(env);
    }
  });
});

describe("a first run of the core alone", () => {
  it("names only open ports, and stores the secrets of services in other processes", async () => {
    hermod = await startHermod({ roles: "core" });
    const { base_url, smtp, dashboard, grpc, admin } = hermod.firstRun;
    expect(base_url).toBeUndefined();
    expect(smtp).toEqual({ username: expect.stringMatching(/^hm_smtp_/), password: expect.any(String) });
    expect(dashboard).toEqual({ email: "admin@example.com", password: expect.any(String) });
    expect(grpc.address).toMatch(/^127\.0\.0\.1:[1-9]/);
    expect((await fetch(`${admin.url}/healthz`)).status).toBe(200);
    // The public address is no port of this process.
    await hermod.stop();
    hermod = await hermod.restart({ HERMOD_BASE_URL: "https://mail.example.com" });
    expect(hermod.firstRun.base_url).toBe("https://mail.example.com");
    expect(hermod.firstRun.dashboard).toEqual({ url: "https://mail.example.com/dashboard", ...dashboard });
    expect(hermod.firstRun.smtp).toEqual(smtp);
  });

  it("prints the text for people in one block after the log of the start, if both go to one place", async () => {
    const env = await newSettings();
    const command = `exec "${process.execPath}" bin/hermod.js start --role core 2>&1`;
    const child = spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "ignore"] });
    try {
      let output = "";
      for await (const chunk of child.stdout) {
        output += chunk;
        // The end of the output: the last command and an empty line.
        if (/\n {2}hermod alert-rule .*\n\n$/.test(output)) child.kill();
      }
      const isLog = output
        .split("\n")
        .slice(0, -1)
        .map((line) => line.startsWith("{"));
      const [first, last] = [isLog.indexOf(false), isLog.lastIndexOf(false)];
      expect(isLog.slice(first, last + 1)).not.toContain(true);
      const before = output
        .split("\n")
        .slice(0, first)
        .map((line) => JSON.parse(line).msg);
      expect(before.at(-1)).toBe("started");
    } finally {
      child.kill("SIGKILL");
      await removeData(env);
    }
  });
});

describe("a later start", () => {
  it("names the file of the key while the key is unused, and updates the ports in first-run.json", async () => {
    hermod = await startHermod();
    const line = curlLine(hermod.stdout());
    expect(line).toContain(firstRunFile(hermod));
    await hermod.stop();
    hermod = await hermod.restart({ HERMOD_HTTP_PORT: new URL(hermod.firstRun.base_url).port });
    expect(curlLine(hermod.stdout())).toBe(line);
    expect(hermod.stdout()).toContain("API key    in that file");
    expect(hermod.stdout()).not.toContain("Hermod created an account");
    expect((await post(hermod, email({ subject: "First" }))).status).toBe(202);
    const before = hermod.firstRun;
    await hermod.stop();
    hermod = await hermod.restart({ HERMOD_HTTP_PORT: "0" });
    const after = hermod.firstRun;
    expect(hermod.stdout()).toContain("Hermod is running.");
    expect(hermod.stdout()).not.toContain("first run");
    for (const secret of secretsOf(before)) expect(hermod.stdout() + hermod.log()).not.toContain(secret);
    expect(after).toEqual({
      ...before,
      base_url: after.base_url,
      dashboard: { ...before.dashboard, url: `${after.base_url}/dashboard` },
      admin: { url: hermod.adminUrl, sandbox_url: `${hermod.adminUrl}/sandbox` },
      smtp: { ...before.smtp, port: after.smtp.port },
      grpc: { ...before.grpc, address: after.grpc.address },
    });
    expect((await stat(firstRunFile(hermod))).mode & 0o777).toBe(0o600);
    expect((await post(hermod, email())).status).toBe(202);
    expect(await hermod.core.messages.listMessages({})).toMatchObject({
      messages: [{ subject: "Hello" }, { subject: "First" }],
    });
  });

  it("names the file of the key after a start that could not open its ports, without new credentials", async () => {
    const env = await newSettings();
    const taken = net.createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    try {
      const ended = await runToEnd({ ...env, HERMOD_ADMIN_PORT: String(port) });
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect((await readdir(env.HERMOD_DATA_DIR ?? "")).filter((name) => name.includes("first-run"))).toEqual(
        [],
      );
      hermod = await startHermod({ settings: env as Record<string, string> });
      expect(hermod.stdout()).toContain("Hermod created an account");
      expect(curlLine(hermod.stdout())).toContain(firstRunFile(hermod));
      expect((await post(hermod, email())).status).toBe(202);
      expect((await hermod.core.keys.listKeys({})).keys).toHaveLength(3);
    } finally {
      taken.close();
    }
  });
});

describe.skipIf(process.env.MONGODB_URL === undefined)("two processes that start on an empty MongoDB", () => {
  it("create one account together, and one of them names the file of its key", async () => {
    const env = await newSettings();
    const folders = [await newSettings(), await newSettings()].map(({ HERMOD_DATA_DIR }) => ({
      ...env,
      HERMOD_DATA_DIR,
    }));
    const both = await Promise.all(folders.map((settings) => startProcess(settings, "all")));
    try {
      const printed = both.filter((running) => running.stdout().includes("Hermod created an account"));
      expect(printed).toHaveLength(1);
      const folder = printed[0]?.env.HERMOD_DATA_DIR ?? "";
      const firstRun = JSON.parse(
        await readFile(path.join(folder, "first-run.json"), "utf8"),
      ) as FirstRunFile;
      const core = connectCore(env, firstRun.grpc);
      expect((await core.keys.listKeys({})).keys).toHaveLength(3);
      core.close();
      for (const running of both) {
        const baseUrl = /API +(http:\S+)/.exec(running.stdout())?.[1];
        const answer = await fetch(`${baseUrl}/v1/email/send`, {
          method: "POST",
          headers: { "x-api-key": firstRun.api_key, "content-type": "application/json" },
          body: JSON.stringify(email()),
        });
        expect(answer.status).toBe(202);
      }
      const left = await Promise.all(folders.map(({ HERMOD_DATA_DIR }) => readdir(HERMOD_DATA_DIR ?? "")));
      expect(left.flat().filter((name) => name.startsWith("first-run"))).toEqual(["first-run.json"]);
    } finally {
      await Promise.all(both.map((running) => running.kill()));
      for (const folder of folders) await removeData(folder);
      await removeData(env);
    }
  });
});

describe("a first run that is killed at any moment", () => {
  const kills = Array.from({ length: KILLS }, (_, n) => n + 1);
  it.each(kills)("is completed by the next start: one account with a working key (%i)", async () => {
    const env = await newSettings();
    try {
      const first = spawnHermod(env);
      await sleep(randomInt(300, 1500));
      await first.kill();
      hermod = await startHermod({ settings: env as Record<string, string> });
      expect((await post(hermod, email())).status).toBe(202);
      // An empty account id is accepted only if there is one account.
      expect((await hermod.core.keys.listKeys({})).keys).toHaveLength(3);
    } finally {
      await hermod?.kill();
      hermod = undefined;
      await removeData(env);
    }
  });
});
