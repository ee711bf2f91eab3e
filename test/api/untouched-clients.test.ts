import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTypes, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mavenCopy, QUICK_JVM } from "../harness/maven-copy.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const DOCUMENT = path.join(root, "gen/openapi-3.0.json");
const PROGRAMS = path.join(root, "test/fixtures/clients/generated");
const PYTHON = "/opt/openapi-python-client/bin";
const GENERATOR = "openapi-generator-cli";
const VERSION = "7.18.0";
const LANGUAGES = ["csharp", "java", "php", "python", "ruby", "rust", "typescript-fetch"];

const java = tool("java");
const php = tool("guzzle");
const ruby = tool("typhoeus");
const rust = tool("rust");
const go = tool("go");
const oapiCodegen = tool("oapi-codegen");
const python = tool("openapi-python-client");
const heyApi = tool("hey-api");
/** Cargo compiles 150 packages for the Rust client: one minute of CPU time. */
const all = process.env.HERMOD_TEST_CLIENTS === "all";

let hermod: Hermod;
let folder: string;

beforeAll(async () => {
  hermod = await startHermod();
  folder = await mkdtemp(path.join(tmpdir(), "hermod-clients-"));
  if (java.missing) return;
  await mavenCopy(`org.openapitools:${GENERATOR}:${VERSION}`, folder);
  const files = LANGUAGES.map((language) => path.join(folder, `${language}.json`));
  for (const [index, generatorName] of LANGUAGES.entries()) {
    const outputDir = path.join(folder, generatorName);
    await writeFile(files[index] ?? "", JSON.stringify({ generatorName, inputSpec: DOCUMENT, outputDir }));
  }
  const jar = path.join(folder, `${GENERATOR}-${VERSION}.jar`);
  await run("java", [...QUICK_JVM, "-jar", jar, "batch", "--fail-fast", ...files]);
}, 180_000);
afterAll(async () => {
  await hermod?.dispose();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a program in a folder; rejects with all of its output. */
async function build(cwd: string, program: string, ...args: string[]): Promise<void> {
  await run(program, args, { cwd, maxBuffer: 64 << 20 }).catch(({ stdout, stderr }) => {
    throw new Error(`${program} ${args.join(" ")}:\n${stdout}\n${stderr}`);
  });
}

/** Runs a customer's program on a generated client, and checks that it sends, reads, and is refused twice. */
async function expectUse(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { base_url: baseUrl, api_key: apiKey, sender } = hermod.firstRun;
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await run(program, [...args, baseUrl, apiKey, sender], options);
  expect(JSON.parse(stdout)).toEqual({
    recipient: "ada@example.org",
    status: "queued",
    read: ["Generated", "ada@example.org", "accepted"],
    invalid: [422, "request.validation_failed"],
    unauthorized: [401, "auth.key_invalid"],
  });
}

/** Compiles a TypeScript program with its client in strict mode, and runs it. */
async function expectTypeScript(name: string, directory: string): Promise<void> {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  await cp(path.join(PROGRAMS, `${name}.ts`), path.join(directory, `${name}.ts`));
  await symlink(path.join(root, "node_modules"), path.join(directory, "node_modules"));
  const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "commonjs"];
  const strict = ["--strict", "--skipLibCheck", "--types", "node"];
  const output = path.join(directory, "out");
  await build(directory, process.execPath, compiler, ...target, ...strict, "--outDir", output, `${name}.ts`);
  await expectUse(process.execPath, [path.join(output, `${name}.js`)]);
}

describe("a client that is generated from gen/openapi-3.0.json sends, reads, and sees 422 and 401", () => {
  it.skipIf(java.missing)(`openapi-generator java${java.note}`, async () => {
    const client = path.join(folder, "java");
    await cp(path.join(PROGRAMS, "Program.java"), path.join(client, "src/main/java/Program.java"));
    const classpath = path.join(client, "classpath");
    await build(
      ...[client, "mvn", "-q", "-B", "compile", "dependency:build-classpath"],
      ...["-DincludeScope=runtime", `-Dmdep.outputFile=${classpath}`],
    );
    const classes = `${path.join(client, "target/classes")}:${await readFile(classpath, "utf8")}`;
    await expectUse("java", [...QUICK_JVM, "-cp", classes, "Program"]);
  });

  it.skipIf(java.missing)(`openapi-generator typescript-fetch${java.note}`, async () => {
    const directory = path.join(folder, "fetch");
    await cp(path.join(folder, "typescript-fetch"), path.join(directory, "client"), { recursive: true });
    await expectTypeScript("fetch", directory);
  });

  it.skipIf(java.missing || python.missing)(
    `openapi-generator python${java.note}${python.note}`,
    async () => {
      const env = { PYTHONPATH: path.join(folder, "python") };
      await expectUse(path.join(PYTHON, "python"), [path.join(PROGRAMS, "program.py")], env);
    },
  );

  it.skipIf(java.missing || php.missing)(`openapi-generator php${java.note}${php.note}`, async () => {
    await expectUse("php", [path.join(PROGRAMS, "program.php"), path.join(folder, "php/lib")]);
  });

  it.skipIf(java.missing || ruby.missing)(`openapi-generator ruby${java.note}${ruby.note}`, async () => {
    const lib = path.join(folder, "ruby/lib");
    await expectUse("ruby", ["-I", lib, path.join(PROGRAMS, "program.rb")]);
  });

  it.skipIf(!all || java.missing || rust.missing)(
    `openapi-generator rust${all ? "" : " (needs HERMOD_TEST_CLIENTS=all)"}${java.note}${rust.note}`,
    async () => {
      const program = path.join(folder, "rust-program");
      await mkdir(path.join(program, "src"), { recursive: true });
      await cp(path.join(PROGRAMS, "program.rs"), path.join(program, "src/main.rs"));
      const dependencies = [
        `openapi = { path = "../rust" }\nserde_json = "1"`,
        `tokio = { version = "1", features = ["macros", "rt"] }`,
      ];
      const manifest = `[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n`;
      await writeFile(path.join(program, "Cargo.toml"), `${manifest}${dependencies.join("\n")}\n`);
      await build(program, "cargo", "build", "--quiet");
      await expectUse(path.join(program, "target/debug/program"), []);
    },
    600_000,
  );

  it.skipIf(java.missing)(
    `openapi-generator csharp: \`to\` and \`reply_to\` are lists${java.note}`,
    async () => {
      const model = path.join(folder, "csharp/src/Org.OpenAPITools/Model/SendEmailRequest.cs");
      const source = await readFile(model, "utf8");
      expect(source).toContain("public List<string> To {");
      expect(source).toMatch(/public List<string>\?? ReplyTo\b/);
    },
  );

  it.skipIf(go.missing || oapiCodegen.missing)(`oapi-codegen${go.note}${oapiCodegen.note}`, async () => {
    const directory = path.join(folder, "go");
    await mkdir(path.join(directory, "hermod"), { recursive: true });
    const output = path.join(directory, "hermod/hermod.go");
    await build(
      directory,
      "oapi-codegen",
      "-generate",
      "types,client",
      "-package",
      "hermod",
      "-o",
      output,
      DOCUMENT,
    );
    await cp(path.join(PROGRAMS, "program.go"), path.join(directory, "main.go"));
    await build(directory, "go", "mod", "init", "example.com/program");
    await build(directory, "go", "get", "github.com/oapi-codegen/runtime@v1.9.0");
    await build(directory, "go", "build", "-o", "program", ".");
    await expectUse(path.join(directory, "program"), []);
  });

  it.skipIf(python.missing)(`openapi-python-client${python.note}`, async () => {
    const directory = path.join(folder, "python-client");
    const config = path.join(folder, "python-client.json");
    await mkdir(directory);
    // Nothing is formatted: the formatter is another program.
    await writeFile(config, '{ "post_hooks": [] }');
    await build(
      ...[directory, path.join(PYTHON, "openapi-python-client"), "generate", "--fail-on-warning"],
      ...["--path", DOCUMENT, "--output-path", "hermod_client", "--meta", "none", "--config", config],
    );
    const env = { PYTHONPATH: directory };
    await expectUse(path.join(PYTHON, "python"), [path.join(PROGRAMS, "python_client.py")], env);
  });

  it.skipIf(heyApi.missing)(`hey-api${heyApi.note}`, async () => {
    const directory = path.join(folder, "hey-api");
    await mkdir(directory);
    const program = "/opt/hey-api/node_modules/.bin/openapi-ts";
    await build(directory, program, "-i", DOCUMENT, "-o", path.join(directory, "client"));
    await expectTypeScript("hey-api", directory);
  });

  it("openapi-fetch", async () => {
    const directory = path.join(folder, "openapi-fetch");
    await mkdir(path.join(directory, "client"), { recursive: true });
    const types = astToString(await openapiTypes(pathToFileURL(DOCUMENT)));
    await writeFile(path.join(directory, "client/hermod.d.ts"), types);
    await expectTypeScript("openapi-fetch", directory);
  });
});
