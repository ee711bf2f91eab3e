import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mavenCopy, QUICK_JVM } from "../harness/maven-copy.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const java = tool("java");
const php = tool("php");

const GENERATOR = "openapi-generator-cli";
const VERSION = "7.18.0";
const LANGUAGES = ["java", "php", "python", "rust", "typescript-fetch"];
/** Generators with a runtime on this machine. Only the models of the others are checked. */
const WITH_MORE_THAN_MODELS = ["php", "typescript-fetch"];

/** A customer's program on the generated TypeScript client, which records the URL of each call. */
const PROGRAM = `
const { AlertsApi, Configuration, EmailApi, ResponseError } = require("./typescript-fetch/dist/index.js");

const [basePath, apiKey, sender] = process.argv.slice(2);
const urls = [];
const fetchApi = (url, init) => (urls.push(String(url)), fetch(url, init));
const configuration = new Configuration({ basePath, apiKey: () => apiKey, fetchApi });
const [emails, alerts] = [new EmailApi(configuration), new AlertsApi(configuration)];
const sendEmailRequest = { from: sender, to: ["ada@example.org"], subject: "Generated", text: "Hello." };
const alert = {
  eventType: "disk.full", severity: "critical", source: "node-exporter", message: "/var is 97 % full",
  entityType: "host", entityId: "web-1", context: { used_percent: 97 }, dedupKey: "web-1/disk/var",
  occurredAt: new Date("2030-01-01T12:00:00Z"), links: [{ href: "https://wiki.example.com" }],
};
/** The problem of a refused call. */
const refusalOf = (call) => call.catch((error) => error instanceof ResponseError && error.response.json());

(async () => {
  const accepted = await emails.sendEmail({ sendEmailRequest, idempotencyKey: "generated" });
  const refused = await refusalOf(emails.sendEmail({ sendEmailRequest: { ...sendEmailRequest, to: ["nobody"] } }));
  const ingested = await alerts.ingestAlert({ alert, idempotencyKey: "generated" });
  const repeated = await alerts.ingestAlert({ alert });
  const isMoment = repeated.reasons.map(({ nextNotificationAt }) => nextNotificationAt instanceof Date);
  const wrong = await refusalOf(alerts.ingestAlert({ alert: { ...alert, message: "" } }));
  console.log(JSON.stringify({ accepted, refused, ingested, repeated, isMoment, wrong, urls }));
})();
`;

/** Prints the body that PHP's generated client would send. */
const PHP_PROGRAM = `
spl_autoload_register(function ($class) {
  require $_SERVER["argv"][1] . "/" . str_replace(["OpenAPI\\\\Client\\\\", "\\\\"], ["", "/"], $class) . ".php";
});
$body = ["from" => "hello@example.com", "to" => ["ada@example.org"], "subject" => "S", "text" => "T"];
$request = new OpenAPI\\Client\\Model\\SendEmailRequest($body);
echo json_encode(OpenAPI\\Client\\ObjectSerializer::sanitizeForSerialization($request));
`;

let folder: string;

beforeAll(async () => {
  if (java.missing) return;
  folder = await mkdtemp(path.join(tmpdir(), "hermod-generators-"));
  const artifact = `org.openapitools:${GENERATOR}:${VERSION}`;
  await mavenCopy(artifact, folder);
  const files = LANGUAGES.map((language) => path.join(folder, `${language}.json`));
  for (const [index, generatorName] of LANGUAGES.entries()) {
    const inputSpec = path.join(root, "gen/openapi.json");
    const globalProperties = WITH_MORE_THAN_MODELS.includes(generatorName) ? {} : { models: "" };
    const outputDir = path.join(folder, generatorName);
    const settings = { generatorName, inputSpec, outputDir, globalProperties };
    await writeFile(files[index] ?? "", JSON.stringify(settings));
  }
  // One JVM for all.
  await run("java", [
    ...QUICK_JVM,
    "-jar",
    path.join(folder, `${GENERATOR}-${VERSION}.jar`),
    "batch",
    "--fail-fast",
    ...files,
  ]);
}, 180_000);
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A generated file with its white space collapsed. */
const generated = async (...names: string[]) =>
  (await readFile(path.join(folder, ...names), "utf8")).replace(/\s+/g, " ");

describe.skipIf(java.missing)(`clients of openapi-generator${java.note}`, () => {
  it("have `to` and `reply_to` as lists of strings, in Rust, PHP, Java and Python", async () => {
    const rust = await generated("rust/src/models/send_email_request.rs");
    expect(rust).toContain('#[serde(rename = "to")] pub to: Vec<String>,');
    expect(rust).toContain("pub reply_to: Option<Vec<String>>,");
    const php = await generated("php/lib/Model/SendEmailRequest.php");
    expect(php).toContain("'to' => 'string[]', 'subject' => 'string'");
    expect(php).toContain("'reply_to' => 'string[]',");
    const javaModel = await generated(
      "java/src/main/java/org/openapitools/client/model/SendEmailRequest.java",
    );
    expect(javaModel).toContain("private List<String> to = new ArrayList<>();");
    expect(javaModel).toContain("private List<String> replyTo = new ArrayList<>();");
    const python = await generated("python/openapi_client/models/send_email_request.py");
    expect(python).toMatch(/ to: Annotated\[List\[StrictStr\], Field\(min_length=1, max_length=50\)\]/);
  });

  it.skipIf(php.missing)(`put \`to\` into the body in PHP${php.note}`, async () => {
    const args = ["-r", PHP_PROGRAM, "--", path.join(folder, "php/lib")];
    const body = { from: "hello@example.com", to: ["ada@example.org"], subject: "S", text: "T" };
    expect(JSON.parse((await run("php", args)).stdout)).toEqual(body);
  });

  it("distinguish the codes of problems", async () => {
    expect(await generated("rust/src/models/problem.rs")).toContain(
      '#[serde(rename = "auth.key_missing")] AuthKeyMissing,',
    );
    expect(await generated("python/openapi_client/models/problem.py")).toContain("'auth.key_missing'");
  });

  it("have types for alerts and their outcomes, in Rust, PHP, Java and Python", async () => {
    const rust = await generated("rust/src/models/alert_accepted.rs");
    expect(rust).toContain('#[serde(rename = "matched_rules")] pub matched_rules: Vec<String>,');
    expect(rust).toContain('#[serde(rename = "reasons")] pub reasons: Vec<models::AlertReason>,');
    const php = await generated("php/lib/Model/Alert.php");
    expect(php).toContain("'event_type' => 'string', 'severity' => 'string', 'source' => 'string'");
    expect(php).toContain("'occurred_at' => '\\DateTime'");
    const javaModel = await generated("java/src/main/java/org/openapitools/client/model/AlertReason.java");
    expect(javaModel).toContain("private OffsetDateTime nextNotificationAt;");
    const python = await generated("python/openapi_client/models/alert.py");
    expect(python).toContain("set(['info', 'warning', 'critical'])");
  });

  it("send mail and ingest alerts in TypeScript, and no URL contains the key", async () => {
    const compiler = path.join(root, "node_modules/typescript/bin/tsc");
    const target = ["--target", "es2022", "--lib", "es2022,dom", "--module", "commonjs"];
    // The client consists of sources: only TypeScript's own library is not checked.
    const strict = ["--strict", "--skipDefaultLibCheck"];
    const client = path.join(folder, "typescript-fetch");
    await run(
      process.execPath,
      [compiler, ...target, ...strict, "--outDir", path.join(client, "dist"), path.join(client, "index.ts")],
      { cwd: client },
    ).catch(({ stdout }) => {
      throw new Error(`It does not compile:\n${stdout}`);
    });
    await writeFile(path.join(folder, "program.cjs"), PROGRAM);
    const hermod: Hermod = await startHermod();
    try {
      const { base_url: baseUrl, api_key: apiKey, sender } = hermod.firstRun;
      const notify = { recipients: ["ops@example.org"], from: sender };
      await hermod.core.rules.putRule({ settings: { name: "pager", notify } });
      const args = [path.join(folder, "program.cjs"), baseUrl, apiKey, sender];
      const { stdout } = await run(process.execPath, args);
      const { accepted, refused, ingested, repeated, isMoment, wrong, urls } = JSON.parse(stdout);
      expect(accepted).toMatchObject({ recipient: "ada@example.org", status: "queued" });
      expect(refused).toMatchObject({ code: "request.validation_failed", errors: [{ pointer: "/to/0" }] });
      expect(ingested).toEqual({
        alertId: expect.stringMatching(/^alr_/),
        sxTraceId: expect.stringMatching(/^sx_/),
        status: "routed",
        matchedRules: ["pager"],
        reasons: [],
        incidentIds: [expect.stringMatching(/^inc_/)],
        messageIds: [expect.stringMatching(/^msg_/)],
      });
      expect(repeated).toMatchObject({
        status: "suppressed",
        incidentIds: ingested.incidentIds,
        messageIds: [],
        reasons: [{ rule: "pager", reason: "deduplicated" }],
      });
      expect(isMoment).toEqual([true]);
      expect(wrong).toMatchObject({
        status: 422,
        code: "request.validation_failed",
        errors: [{ pointer: "/message" }],
      });
      const [send, ingest] = [`${baseUrl}/v1/email/send`, `${baseUrl}/v1/alerts/ingest`];
      expect(urls).toEqual([send, send, ingest, ingest, ingest]);
    } finally {
      await hermod.dispose();
    }
  }, 60_000);
});
