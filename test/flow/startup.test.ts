import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { loadConfig } from "../../src/config.ts";
import { start } from "../../src/roles/start.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { TEST_SECRET_KEY } from "../harness/sealing.ts";
import { type Ended, newSettings, removeData, runToEnd, startHermod } from "../harness/start-hermod.ts";

let folder: string;
let taken: net.Server;
let takenPort: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-startup-"));
  taken = net.createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  takenPort = String((taken.address() as AddressInfo).port);
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

interface Attempt {
  readonly settings: Readonly<Record<string, string>>;
  readonly roles?: string;
}

async function attempt({ settings, roles = "all" }: Attempt): Promise<Ended> {
  const own = await newSettings();
  try {
    return await runToEnd({ ...own, ...settings }, roles);
  } finally {
    await removeData(own);
  }
}

/** The same in this process, without loading the program again, for refusals before anything is opened. */
async function attemptHere({ settings, roles = "all" }: Attempt): Promise<Ended> {
  const own = await newSettings();
  const ended = { stdout: "", stderr: "" };
  const unused = () => Promise.reject(new Error("not called"));
  try {
    const code = await runCommandLine(["start", "--role", roles], {
      start: async (options) => {
        const config = loadConfig({ ...own, HERMOD_FRONT_END_THREAD: "never", ...settings });
        const started = await start(config, options.roles, createLogger("silent"));
        await started.stop();
      },
      connect: unused,
      compact: unused,
      out: { write: (text) => (ended.stdout += text) },
      err: { write: (text) => (ended.stderr += text) },
    });
    return { ...ended, code };
  } finally {
    await removeData(own);
  }
}

/** The lines for people, without those of the log. */
function told({ stderr }: Ended): string {
  return stderr
    .split("\n")
    .filter((line) => !line.startsWith("{"))
    .join("\n");
}

function expectRefusal(ended: Ended, named: readonly (string | RegExp)[]): void {
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  const words = told(ended);
  for (const part of named) expect(words).toMatch(part);
  expect(words).toMatch(/^hermod: /);
  expect(ended.stderr).not.toMatch(/\n\s+at .*[:(]/);
  expect(words).not.toContain("internal");
}

describe("a start that cannot succeed ends with status 2 and names the setting", () => {
  it.each([
    "HERMOD_HTTP_PORT",
    "HERMOD_SMTP_PORT",
    "HERMOD_SMTPS_PORT",
    "HERMOD_GRPC_PORT",
    "HERMOD_ADMIN_PORT",
  ])("%s is in use", async (setting) => {
    const ended = await attempt({ settings: { [setting]: takenPort } });
    expectRefusal(ended, [
      `hermod: ${setting}: port ${takenPort} on 127.0.0.1 is in use by another process.`,
    ]);
    expect(told(ended).trim().split("\n")).toHaveLength(1);
  });

  it("HERMOD_BOUNCE_PORT is in use", async () => {
    const settings = {
      HERMOD_BOUNCE_DOMAIN: "bounce.example.com",
      HERMOD_BOUNCE_HOST: "127.0.0.1",
      HERMOD_BOUNCE_PORT: takenPort,
    };
    expectRefusal(await attempt({ settings }), [
      `hermod: HERMOD_BOUNCE_PORT: port ${takenPort} on 127.0.0.1 is in use`,
    ]);
  });

  const cases: [name: string, attempt: Attempt, named: (string | RegExp)[]][] = [
    [
      "an address that this machine does not have",
      { settings: { HERMOD_HTTP_HOST: "203.0.113.9" } },
      ["HERMOD_HTTP_PORT: cannot listen on 203.0.113.9"],
    ],
    [
      "several wrong settings, all at once",
      {
        settings: {
          HERMOD_HTTP_PORT: "70000",
          HERMOD_DRAIN_MS: "-1",
          HERMOD_LOG_LEVEL: "loud",
          HERMOD_HTTP_PROT: "80",
        },
      },
      [/^ +HERMOD_HTTP_PORT: /m, /^ +HERMOD_DRAIN_MS: /m, /^ +HERMOD_LOG_LEVEL: /m, /^ +HERMOD_HTTP_PROT: /m],
    ],
    [
      "a MongoDB that is away",
      { settings: { MONGODB_URL: "mongodb://127.0.0.1:1/", HERMOD_SECRET_KEYS: TEST_SECRET_KEY } },
      ["MONGODB_URL: the database cannot be used: connect ECONNREFUSED 127.0.0.1:1"],
    ],
  ];
  const settingsAlone: typeof cases = [
    [
      "a port that is no number",
      { settings: { HERMOD_HTTP_PORT: "eighty" } },
      [/HERMOD_HTTP_PORT: .*\(it is "eighty"\)/],
    ],
    [
      "an unknown setting, which may be a mistyped one",
      { settings: { HERMOD_HTPP_PORT: "80" } },
      ["HERMOD_HTPP_PORT: unknown setting; the nearest name is HERMOD_HTTP_PORT"],
    ],
    [
      "a MONGODB_URL that is none",
      { settings: { MONGODB_URL: "postgres://127.0.0.1/", HERMOD_SECRET_KEYS: TEST_SECRET_KEY } },
      [/MONGODB_URL: .*Invalid scheme/],
    ],
    [
      "a MongoDB without keys for the secrets in it",
      { settings: { MONGODB_URL: "mongodb://127.0.0.1:1/", HERMOD_SECRET_KEYS: "" } },
      [
        "hermod: HERMOD_SECRET_KEYS: must be set with MONGODB_URL",
        "hermod secrets new-key",
        "openssl rand -hex 32",
      ],
    ],
    [
      "an edge that is not told where the core is, nor its token",
      { settings: {}, roles: "edge" },
      [/^ +HERMOD_GRPC_FRONT_END_TOKEN: must be set/m, /^ +HERMOD_GRPC_ADDRESS: must be set/m],
    ],
    [
      "an edge without the core's token",
      { settings: { HERMOD_GRPC_ADDRESS: "127.0.0.1:50051" }, roles: "edge" },
      ["hermod: HERMOD_GRPC_FRONT_END_TOKEN: must be set"],
    ],
    [
      "an edge without the core's address",
      { settings: { HERMOD_GRPC_TOKEN: "token" }, roles: "edge" },
      ["hermod: HERMOD_GRPC_ADDRESS: must be set"],
    ],
    [
      "a front end with the operator's token in the place of its own",
      {
        settings: { HERMOD_GRPC_TOKEN: "token", HERMOD_GRPC_FRONT_END_TOKEN: "token" },
        roles: "edge",
      },
      ["hermod: These settings", "HERMOD_GRPC_FRONT_END_TOKEN: must differ from HERMOD_GRPC_TOKEN"],
    ],
    [
      "a worker of its own on the embedded engine",
      {
        settings: { MONGODB_URL: "", HERMOD_GRPC_TOKEN: "token", HERMOD_GRPC_ADDRESS: "127.0.0.1:50051" },
        roles: "worker",
      },
      ["hermod: MONGODB_URL: must be set"],
    ],
    [
      "a port for bounces without their domain",
      { settings: { HERMOD_BOUNCE_PORT: "2525" } },
      ["HERMOD_BOUNCE_DOMAIN: must also be set"],
    ],
    [
      "a domain for bounces that is none",
      { settings: { HERMOD_BOUNCE_DOMAIN: "bounce_domain" } },
      [/HERMOD_BOUNCE_DOMAIN: must be a domain name/],
    ],
    [
      "a postmaster whose mail would come back",
      { settings: { HERMOD_BOUNCE_DOMAIN: "b.example.com", HERMOD_POSTMASTER_ADDRESS: "me@B.example.com" } },
      ["HERMOD_POSTMASTER_ADDRESS: must not be in HERMOD_BOUNCE_DOMAIN"],
    ],
    [
      "a postmaster without an address",
      { settings: { HERMOD_POSTMASTER_ADDRESS: "postmaster" } },
      ["HERMOD_POSTMASTER_ADDRESS: must be an e-mail address"],
    ],
    [
      "an SMTP front end that is not told where the core is, nor its token",
      { settings: {}, roles: "smtp" },
      [/^ +HERMOD_GRPC_FRONT_END_TOKEN: must be set/m, /^ +HERMOD_GRPC_ADDRESS: must be set/m],
    ],
    [
      "a certificate of the SMTP listeners that is not there",
      {
        settings: {
          HERMOD_SMTP_TLS_CERT: "/nowhere/smtp.crt",
          HERMOD_SMTP_TLS_KEY: "test/fixtures/tls/relay.key",
        },
      },
      [/^hermod: HERMOD_SMTP_TLS_CERT: .*ENOENT/],
    ],
    [
      "a certificate of the HTTP API that is not there, nor its key",
      { settings: { HERMOD_HTTP_TLS_CERT: "/nowhere/http.crt", HERMOD_HTTP_TLS_KEY: "/nowhere/http.key" } },
      [/^ +HERMOD_HTTP_TLS_CERT: .*ENOENT/m, /^ +HERMOD_HTTP_TLS_KEY: .*ENOENT/m],
    ],
    [
      "a certificate of the HTTP API without its key",
      { settings: { HERMOD_HTTP_TLS_CERT: "test/fixtures/tls/relay.crt" } },
      ["HERMOD_HTTP_TLS_KEY: must also be set"],
    ],
    [
      "files of the HTTP API that are not what they should be",
      {
        settings: {
          HERMOD_HTTP_TLS_CERT: "test/fixtures/tls/relay.key",
          HERMOD_HTTP_TLS_KEY: "test/fixtures/tls/relay.key",
        },
      },
      ["hermod: HERMOD_HTTP_TLS_CERT: cannot be used: "],
    ],
    ["a role that there is not", { settings: {}, roles: "core,postman" }, ["--role", '"postman"']],
    [
      "certificates that are not there",
      {
        settings: {
          HERMOD_GRPC_TLS_CERT: "/nowhere/core.crt",
          HERMOD_GRPC_TLS_KEY: "/nowhere/core.key",
          HERMOD_GRPC_TLS_CA: "/nowhere/ca.crt",
        },
      },
      [
        /^ +HERMOD_GRPC_TLS_CERT: .*ENOENT/m,
        /^ +HERMOD_GRPC_TLS_KEY: .*ENOENT/m,
        /^ +HERMOD_GRPC_TLS_CA: .*ENOENT/m,
      ],
    ],
    [
      "an authority of clients without a certificate of the core, which would protect nothing",
      { settings: { HERMOD_GRPC_TLS_CLIENT_CA: "test/fixtures/tls/relay.crt" } },
      ["HERMOD_GRPC_TLS_CERT: must also be set"],
    ],
    [
      "a core with TLS in a process that would call it without",
      {
        settings: {
          HERMOD_GRPC_TLS_CERT: "test/fixtures/tls/relay.crt",
          HERMOD_GRPC_TLS_KEY: "test/fixtures/tls/relay.key",
        },
      },
      ["HERMOD_GRPC_TLS_CA: must also be set"],
    ],
  ];

  it.each(cases)("%s", async (_name, given, named) => {
    expectRefusal(await attempt(given), named);
  });

  it.each(settingsAlone)("%s", async (_name, given, named) => {
    expectRefusal(await attemptHere(given), named);
  });

  it("a key of the HTTP API for another certificate, or an encrypted one", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const locked = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
    for (const [name, encoding] of Object.entries({
      other: { type: "pkcs8", format: "pem" } as const,
      locked,
    })) {
      const key = path.join(folder, `${name}.key`);
      await writeFile(key, privateKey.export(encoding));
      const settings = { HERMOD_HTTP_TLS_CERT: "test/fixtures/tls/relay.crt", HERMOD_HTTP_TLS_KEY: key };
      expectRefusal(await attemptHere({ settings }), ["hermod: HERMOD_HTTP_TLS_KEY: cannot be used: "]);
    }
  });

  it("a data folder that is a file", async () => {
    const file = path.join(folder, "file");
    await writeFile(file, "");
    for (const directory of [file, path.join(file, "within")]) {
      const ended = await attempt({ settings: { HERMOD_DATA_DIR: directory } });
      expectRefusal(ended, [
        `HERMOD_DATA_DIR: ${directory} cannot be used: a file with the name of the folder exists.`,
      ]);
    }
  });

  it("a data folder with a file that cannot be written", async () => {
    const directory = await mkdtemp(path.join(folder, "blocked-"));
    await mkdir(path.join(directory, "core-access.json"));
    const ended = await attempt({ settings: { HERMOD_DATA_DIR: directory } });
    expectRefusal(ended, [`HERMOD_DATA_DIR: cannot write ${path.join(directory, "core-access.json")}: `]);
  });

  it.skipIf(process.getuid?.() === 0)("a data folder that cannot be written", async () => {
    const readOnly = path.join(folder, "read-only");
    await mkdir(readOnly);
    await chmod(readOnly, 0o500);
    for (const directory of [readOnly, path.join(readOnly, "within")]) {
      expectRefusal(await attempt({ settings: { HERMOD_DATA_DIR: directory } }), [
        /HERMOD_DATA_DIR: .*permission denied/,
      ]);
    }
  });

  it("a data folder in use by another process, which continues undisturbed", async () => {
    const first = await startHermod({ settings: { MONGODB_URL: "" } });
    try {
      const second = await attempt({ settings: { MONGODB_URL: "", HERMOD_DATA_DIR: first.dataDir } });
      expectRefusal(second, ["HERMOD_DATA_DIR: ", first.dataDir, "another process"]);
      expect((await first.core.messages.listMessages({})).messages).toEqual([]);
    } finally {
      await first.dispose();
    }
  });
});
