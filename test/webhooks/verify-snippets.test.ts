import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Language, languages, snippets } from "../../src/dashboard/pages/webhooks/snippets/snippets.ts";
import {
  newWebhookSecret,
  signaturesOf,
  verifierOf,
  type WebhookAlgorithm,
} from "../../src/shared/webhook-signature.ts";
import { QUICK_JVM } from "../harness/maven-copy.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { type ToolName, tool } from "../harness/tools.ts";
import { withServer } from "../harness/with-server.ts";

const needs: Readonly<Record<Language, ToolName | undefined>> = {
  node: undefined,
  python: "python",
  go: "go",
  php: "php-cli",
  ruby: "ruby",
  java: "javac",
};
/** Python's standard library has no Ed25519. checkdmarc brings the package cryptography. */
const PYTHON = "/opt/checkdmarc/bin/python";

const cases = languages.flatMap((language) =>
  (["hmac-sha256", "ed25519"] as const).map((algorithm) => {
    const isPair = language === "python" && algorithm === "ed25519";
    const wanted = isPair ? "checkdmarc" : needs[language];
    return { language, algorithm, needed: wanted && tool(wanted) };
  }),
);

const URL_WITH_SIGNS = "https://shop.example.com/hooks/mail?a=%22&b=$c#{d}\\u000a*/";
const EVENT = JSON.stringify({ id: "evt_1", type: "message.delivered", data: { name: "jürgen" } });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-verify-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Headers of the event. @param ageSeconds negative: the time is in the future */
function signed(secrets: readonly string[], ageSeconds = 0): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000) - ageSeconds;
  return {
    "content-type": "application/json",
    "webhook-id": "evt_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": signaturesOf({ id: "evt_1", seconds, body: EVENT }, secrets),
  };
}

/** The same with another signature. */
function changed(secret: string, change: (signature: string) => string): Record<string, string> {
  const headers = signed([secret]);
  return { ...headers, "webhook-signature": change(headers["webhook-signature"] ?? "") };
}

/** Starts the program of the page on a free port. */
async function withProgram(
  language: Language,
  { algorithm, secret }: { readonly algorithm: WebhookAlgorithm; readonly secret: string },
  use: (port: number) => Promise<void>,
): Promise<void> {
  const { file, command, text } = snippets[language];
  const port = await freePort();
  const own = await mkdtemp(path.join(folder, `${language}-`));
  const publicKey = algorithm === "ed25519" ? verifierOf(secret) : "";
  await writeFile(path.join(own, file), text({ url: URL_WITH_SIGNS, algorithm, publicKey }));
  const here = command.replace("8000", String(port)).replace("python3", publicKey ? PYTHON : "python3");
  const env = {
    ...process.env,
    PORT: String(port),
    GOTOOLCHAIN: "local",
    // A quick start counts, not a quick program.
    GOFLAGS: "-ldflags=-w",
    JAVA_TOOL_OPTIONS: QUICK_JVM.join(" "),
    ...(algorithm === "hmac-sha256" && { WEBHOOK_SECRET: secret }),
  };
  await withServer({ command: here, folder: own, port, env, prints: "evt_1" }, () => use(port));
}

async function post(port: number, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/hooks/mail`, { method: "POST", body, headers });
  return status;
}

describe.concurrent("a program of the page that verifies webhooks", () => {
  it.each(languages)("has the same function as the recipe: %s", async (language) => {
    const recipe = await readFile(`docs/how-to/recipes/${language}.md`, "utf8");
    expect(recipe).toContain(snippets[language].hmac);
  });

  for (const { language, algorithm, needed } of cases)
    it.skipIf(needed?.missing)(
      `accepts signed requests only: ${language}, ${algorithm}${needed?.note ?? ""}`,
      async () => {
        const secret = newWebhookSecret(algorithm);
        const other = newWebhookSecret(algorithm);
        await withProgram(language, { algorithm, secret }, async (port) => {
          const cut = changed(secret, (signature) => signature.slice(0, -8));
          const ofOther = changed(secret, (signature) => signature.replace(/^v1a?,/, "v2,"));
          expect({
            signed: await post(port, EVENT, signed([secret])),
            "signed with two secrets": await post(port, EVENT, signed([other, secret])),
            altered: await post(port, EVENT.replace("ü", "u"), signed([secret])),
            "signed with another secret": await post(port, EVENT, signed([other])),
            "cut signature": await post(port, EVENT, cut),
            "signature of another version": await post(port, EVENT, ofOther),
            old: await post(port, EVENT, signed([secret], 3_600)),
            "from the future": await post(port, EVENT, signed([secret], -3_600)),
            unsigned: await post(port, EVENT, { "content-type": "application/json" }),
          }).toEqual({
            signed: 204,
            "signed with two secrets": 204,
            altered: 400,
            "signed with another secret": 400,
            "cut signature": 400,
            "signature of another version": 400,
            old: 400,
            "from the future": 400,
            unsigned: 400,
          });
        });
      },
    );
});
