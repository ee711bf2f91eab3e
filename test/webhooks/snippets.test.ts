import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transpileModule } from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookSecret, signaturesOf } from "../../src/shared/webhook-signature.ts";
import { fencedBlock } from "../harness/fenced-block.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const python = tool("standardwebhooks");
const guide = await readFile("docs/webhooks.md", "utf8");
const snippet = (language: string) => fencedBlock(guide, "Verifying", language);

const secret = newWebhookSecret();
const body = JSON.stringify({ type: "message.delivered", data: { recipient: "jürgen@example.org" } });
const id = "msg_1.1.delivered";
const seconds = Math.floor(Date.now() / 1_000);
const signature = signaturesOf({ id, seconds, body }, [secret]);
const headers = { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature };

let folder: string;
const file = (name: string) => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-snippets-"));
  await symlink(path.resolve("node_modules"), file("node_modules"));
  await writeFile(file("package.json"), '{"type":"module"}');
  await writeFile(file("body.json"), body);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the snippet of docs/webhooks.md", () => {
  it("in TypeScript compiles under strict, and accepts the Headers of Fetch", async () => {
    await writeFile(file("snippet.ts"), snippet("ts"));
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"];
    const types = ["--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck"];
    const compiler = path.resolve("node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...options, ...types, file("snippet.ts")], { cwd: folder });
    const compiled = transpileModule(snippet("ts"), { compilerOptions: { module: 99, target: 9 } });
    await writeFile(file("snippet.mjs"), compiled.outputText);
    const program = `
      const { readEvent } = await import(${JSON.stringify(pathToFileURL(file("snippet.mjs")).href)});
      const [body, headers] = JSON.parse(process.argv[1]);
      const read = (text) => { try { return readEvent(text, new Headers(headers)); } catch { return null; } };
      console.log(JSON.stringify([read(body), read(body + " ")]));`;
    const args = ["--input-type=module", "-e", program, JSON.stringify([body, headers])];
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    const { stdout } = await run(process.execPath, args, { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual([JSON.parse(body), null]);
  });

  it.skipIf(python.missing)(`in Python runs as it stands${python.note}`, async () => {
    const program = `${snippet("python")}
import json, sys

def read(text):
    try:
        return read_event(text, json.loads(sys.argv[2]))
    except Exception as error:
        return type(error).__name__

print(json.dumps([read(sys.argv[1]), read(sys.argv[1] + " ")]))
`;
    await writeFile(file("snippet.py"), program);
    const args = [file("snippet.py"), body, JSON.stringify(headers)];
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    const { stdout } = await run("/opt/standardwebhooks/bin/python", args, { env });
    expect(JSON.parse(stdout)).toEqual([JSON.parse(body), "WebhookVerificationError"]);
  });

  it("in the shell computes the signature", async () => {
    const env = { ...process.env, WEBHOOK_SECRET: secret, id, timestamp: String(seconds) };
    const { stdout } = await run("sh", ["-euc", snippet("sh")], { cwd: folder, env });
    expect(`v1,${stdout.trim()}`).toBe(signature);
  });
});
