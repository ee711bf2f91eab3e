import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PolicySchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { runHermod, stdin } from "../cli/run-hermod.ts";
import { commandBlocks, isForm, jsonBlocks } from "../harness/doc-examples.ts";
import { documentPages } from "../harness/documents.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const curl = tool("curl");
const ROOT = path.resolve(import.meta.dirname, "../..");
/** Maximum number of skipped blocks on all pages. Improve a new example instead of increasing it. */
const MOST_NOT_RUN = 14;

const pages = await Promise.all(
  documentPages.map(async (name) => {
    const text = await readFile(path.join(ROOT, name), "utf8");
    return { name, blocks: commandBlocks(text), json: jsonBlocks(text) };
  }),
);
const json = pages.flatMap(({ name, json: blocks }) => blocks.map((text) => ({ name, text })));
const runnable = pages.flatMap(({ name, blocks }) => {
  // test/flow/recipes.test.ts and test/helm.test.ts run them.
  if (name.startsWith("docs/how-to/recipes/") || name === "docs/how-to/kubernetes.md") return [];
  const commands = blocks
    .filter(({ notRun }) => notRun === undefined)
    .flatMap(({ line, commands: all }) =>
      all.filter((one) => !isForm(one)).map((command) => ({ line, command })),
    );
  return commands.length === 0 ? [] : [{ name, commands }];
});

/** Runs commands in one shell, in order, like a reader of the page. */
async function follow(
  { firstRun, dataDir, env }: Hermod,
  commands: readonly { readonly line: number; readonly command: string }[],
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-docs-"));
  try {
    const script = commands.map(({ line, command }) => `AT=${line}\n${command}`).join("\n");
    const here = script
      .replaceAll("npm run --silent hermod --", "hermod")
      .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):8080|https:\/\/hermod\.example\.com/g, firstRun.base_url)
      .replaceAll("./data/", `${dataDir}/`);
    const shell = [
      "trap 'echo \"line $AT: $BASH_COMMAND\" >&2' ERR",
      `hermod() { "${process.execPath}" "${ROOT}/bin/hermod.js" "$@"; }`,
      'curl() { if [[ " $* " == *" --fail "* ]]; then command curl --silent --show-error "$@"; else command curl --silent --show-error --fail-with-body "$@"; fi; }',
      here,
    ].join("\n");
    const options = { env: { ...env, API_KEY: firstRun.api_key, ALERT_KEY: firstRun.api_key }, cwd: folder };
    const { stdout } = await run("bash", ["--norc", "-eE", "-o", "pipefail", "-c", shell], options);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the examples of the documentation", () => {
  it("give a reason if they are not run, and only a few are not", () => {
    const reasons = pages.flatMap(({ name, blocks }) =>
      blocks.flatMap(({ line, notRun }) => (notRun === undefined ? [] : [{ at: `${name}:${line}`, notRun }])),
    );
    expect(reasons.filter(({ notRun }) => notRun.trim().length < 10)).toEqual([]);
    expect(reasons.length).toBeLessThanOrEqual(MOST_NOT_RUN);
  });

  it.each(pages.filter(({ blocks }) => blocks.length > 0))(
    "on $name use existing commands and options",
    async ({ blocks }) => {
      const commands = blocks.flatMap(({ commands: all }) => all);
      for (const argv of await argumentsIn(commands)) {
        const start = () => Promise.resolve();
        const ran = await runHermod(argv, { start, input: stdin("{}") });
        expect(ran.code, `hermod ${argv.join(" ")}: ${ran.err}`).not.toBe(2);
      }
    },
  );
});

/** The arguments of each `hermod` in these commands, as a shell parses them. Nothing is run. */
async function argumentsIn(commands: readonly string[]): Promise<string[][]> {
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-docs-"));
  try {
    const shell = [
      "hermod() { { printf '%s\\0' \"$@\"; printf '\\n\\0'; } >> arguments; }",
      "command_not_found_handle() { return 0; }",
      "PATH=/nowhere",
      ...commands.map((command) => command.replaceAll("npm run --silent hermod --", "hermod")),
      ":",
    ].join("\n");
    await run("/bin/bash", ["--norc", "-c", shell], { cwd: folder });
    const text = await readFile(path.join(folder, "arguments"), "utf8").catch(() => "");
    return text
      .split("\n\0")
      .filter((one) => one !== "")
      .map((one) => one.split("\0").slice(0, -1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the JSON of the documentation", () => {
  it.each(json)("on $name is valid (%#)", ({ text }) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
  });

  it("is accepted if it is a policy or a message", { timeout: 120_000 }, async () => {
    const port = await freePort();
    // List-Unsubscribe requires a base URL with https.
    const settings = { HERMOD_HTTP_PORT: String(port), HERMOD_BASE_URL: "https://mail.example.com" };
    const hermod = await startHermod({ settings });
    try {
      for (const { name, text } of json) {
        const given = JSON.parse(text) as Readonly<Record<string, unknown>>;
        if ("transports" in given) {
          const policy = fromJson(PolicySchema, given as JsonValue, { ignoreUnknownFields: false });
          const asked = { recipient: "ada@example.org", by: { case: "policy", value: policy } } as const;
          expect((await hermod.core.policies.explainPolicy(asked)).stored, name).toBe(false);
        }
        if (!("from" in given && "to" in given && "subject" in given)) continue;
        const answer = await fetch(`http://127.0.0.1:${port}/v1/email/send`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": hermod.firstRun.api_key },
          body: text,
        });
        expect([name, answer.status]).toEqual([name, 202]);
      }
    } finally {
      await hermod.dispose();
    }
  });
});

/** A start takes longer than most pages, so they share an installation. `.ci/run --all` runs each on a new one. */
const installations = process.env.HERMOD_TEST_LONG === "all" ? runnable.map((page) => [page]) : [runnable];

describe.skipIf(curl.missing).each(installations)(`on a new installation${curl.note} (%#)`, (...followed) => {
  let hermod: Hermod;
  beforeAll(async () => {
    const port = await freePort();
    hermod = await startHermod({
      settings: {
        HERMOD_HTTP_PORT: String(port),
        HERMOD_BASE_URL: `http://127.0.0.1:${port}`,
        // Links for senders are mailed, and Hermod captures them.
        HERMOD_MAIL_FROM: "hermod@example.com",
      },
    });
  });
  afterAll(() => hermod.dispose());

  it.each(followed)(
    "the commands of $name run in order",
    { timeout: 300_000 },
    async ({ name, commands }) => {
      const out = await follow(hermod, commands);
      if (name === "docs/reference/alerts.md")
        expect(out).toContain('"status":"routed","matched_rules":["pager"]');
    },
  );
});
