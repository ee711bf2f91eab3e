import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTypes, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");

/** A customer's program with types from the published document alone. */
const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./hermod.d.ts";

const [baseUrl = "", apiKey = "", from = ""] = process.argv.slice(2);
const hermod = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey } });
const mail: components["schemas"]["SendEmailRequest"] = {
  from,
  to: ["Ada <ada@example.org>", "bob@example.org"],
  subject: "Made from the OpenAPI document",
  text: "Hello.",
  attachments: [{ filename: "a.txt", content: "SGVsbG8=" }],
};
const params = { header: { "Idempotency-Key": "generated-client" } };

const sent = await hermod.POST("/v1/email/send", { params, body: mail });
if (sent.error) throw new Error(sent.error.detail);
const accepted: components["schemas"]["SendEmailAccepted"] = sent.data;
const status: "queued" | "scheduled" = accepted.status;

const again = await hermod.POST("/v1/send", { params, body: mail });
const replayed: string | null = again.response.headers.get("idempotent-replayed");

const refused = await hermod.POST("/v1/email/send", { body: { ...mail, to: "nobody" } });
if (refused.data) throw new Error("accepted");
const problem: components["schemas"]["Problem"] = refused.error;
const pointers: string[] = problem.errors.map(({ pointer }) => pointer);

const path = { message_id: accepted.message_id };
const read = await hermod.GET("/v1/emails/{message_id}", { params: { path } });
if (read.error) throw new Error(read.error.detail);
const kinds: string[] = read.data.timeline.map(({ kind }) => kind);
const listed = await hermod.GET("/v1/emails", { params: { query: { recipient: "ada@example.org", limit: 1 } } });
if (listed.error) throw new Error(listed.error.detail);
const listedIds: string[] = listed.data.data.map(({ message_id }) => message_id);
const scheduled = await hermod.POST("/v1/email/send", {
  body: { ...mail, send_at: new Date(Date.now() + 3_600_000).toISOString() },
});
if (scheduled.error) throw new Error(scheduled.error.detail);
const withdrawn = await hermod.POST("/v1/emails/{message_id}/cancel", {
  params: { path: { message_id: scheduled.data.message_id } },
});
if (withdrawn.error) throw new Error(withdrawn.error.detail);

const alert: components["schemas"]["Alert"] = {
  event_type: "disk.full", severity: "critical", source: "node-exporter", message: "/var is 97 % full",
  entity_type: "host", entity_id: "web-1", context: { mount: "/var", used_percent: 97 },
  status: "firing", dedup_key: "web-1/disk/var", occurred_at: "2030-01-01T12:00:00+01:00",
  links: [{ href: "https://grafana.example.com/d/disks", text: "Disks of web-1" }],
};
const ingest = () => hermod.POST("/v1/alerts/ingest", { params, body: alert });
const ingested = await ingest();
if (ingested.error) throw new Error(ingested.error.detail);
const taken: components["schemas"]["AlertAccepted"] = ingested.data;
const alertId: string = taken.alert_id;
const traceId: string = taken.sx_trace_id;
const outcome: "routed" | "suppressed" | "unmatched" = taken.status;
const rules: string[] = taken.matched_rules;
const incidents: string[] = taken.incident_ids;
const mails: string[] = taken.message_ids;
const alertReplayed: string | null = (await ingest()).response.headers.get("idempotent-replayed");
const repeated = await hermod.POST("/v1/alerts/ingest", { body: alert });
if (repeated.error) throw new Error(repeated.error.detail);
const reasons: { rule: string; reason: string; next_notification_at?: string }[] = repeated.data.reasons;
const notTaken = await hermod.POST("/v1/alerts/ingest", { body: { ...alert, message: "" } });
if (notTaken.data) throw new Error("taken");
const alertProblem: components["schemas"]["Problem"] = notTaken.error;

// @ts-expect-error: there is no such path
void (() => hermod.POST("/v1/email/sent", { body: mail }));
// @ts-expect-error: there is no such method
void (() => hermod.GET("/v1/email/send"));
// @ts-expect-error: a recipient is needed
void (() => hermod.POST("/v1/email/send", { body: { from, subject: "x", text: "x" } }));
// @ts-expect-error: the subject is a string
void (() => hermod.POST("/v1/email/send", { body: { ...mail, subject: 1 } }));
// @ts-expect-error: a problem has no message id
void refused.error.message_id;
// @ts-expect-error: an alert says who sends it
void (() => hermod.POST("/v1/alerts/ingest", { body: { event_type: "x", severity: "info", message: "x" } }));
// @ts-expect-error: there is no such severity
void (() => hermod.POST("/v1/alerts/ingest", { body: { ...alert, severity: "fatal" } }));
// @ts-expect-error: what is taken has no such field
void taken.message_id;

console.log(
  JSON.stringify({
    accepted, status, again: again.data, replayed, code: problem.code, pointers,
    kinds, listedIds, withdrawn: withdrawn.data.status,
    alerts: {
      alertId, traceId, outcome, rules, incidents, mails, alertReplayed, reasons,
      problem: { status: alertProblem.status, code: alertProblem.code, errors: alertProblem.errors },
    },
  }),
);
`;

let hermod: Hermod;
let folder: string;

beforeAll(async () => {
  hermod = await startHermod();
  folder = await mkdtemp(path.join(tmpdir(), "hermod-client-"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const types = await openapiTypes(pathToFileURL(path.join(root, "gen/openapi.json")));
  await writeFile(path.join(folder, "hermod.d.ts"), astToString(types));
  await writeFile(path.join(folder, "program.ts"), program);
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(async () => {
  await hermod.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Compiles a file of the folder; rejects with the output of the compiler. */
async function compile(file: string, ...more: string[]): Promise<void> {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const target = ["--target", "es2022", "--module", "nodenext"];
  const options = [...strict, ...target, "--rewriteRelativeImportExtensions", ...more];
  await run(process.execPath, [compiler, ...options, file], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(`It does not compile:\n${stdout}`);
  });
}

it("a client generated from gen/openapi.json compiles strictly, sends, replays, reads, cancels, ingests alerts and reads problems", async () => {
  await compile("program.ts", "--types", "node", "--skipLibCheck");
  const { base_url: baseUrl, api_key: apiKey, sender } = hermod.firstRun;
  // Two rules: one of them sends no mail, and the answer says so.
  const { rules } = hermod.core;
  await rules.putRule({ settings: { name: "log", order: 1 } });
  await rules.putRule({
    settings: { name: "pager", notify: { recipients: ["ops@example.org"], from: sender } },
  });
  const { stdout } = await run(process.execPath, [path.join(folder, "program.js"), baseUrl, apiKey, sender]);
  const { accepted, status, again, replayed, code, pointers, kinds, listedIds, withdrawn, alerts } =
    JSON.parse(stdout);
  expect(accepted).toMatchObject({ recipient: "ada@example.org", not_delivered: ["bob@example.org"] });
  expect([status, again, replayed]).toEqual(["queued", accepted, "true"]);
  expect([code, pointers]).toEqual(["request.validation_failed", ["/to"]]);
  expect([kinds[0], listedIds, withdrawn]).toEqual(["accepted", [accepted.message_id], "cancelled"]);
  expect(alerts).toEqual({
    alertId: expect.stringMatching(/^alr_/),
    traceId: expect.stringMatching(/^sx_/),
    outcome: "routed",
    rules: ["log", "pager"],
    mails: [expect.stringMatching(/^msg_/)],
    alertReplayed: "true",
    incidents: [expect.stringMatching(/^inc_/), expect.stringMatching(/^inc_/)],
    reasons: [
      { rule: "log", reason: "not_mailed" },
      { rule: "pager", reason: "deduplicated", next_notification_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ],
    problem: {
      status: 422,
      code: "request.validation_failed",
      errors: [
        {
          pointer: "/message",
          code: "field.required",
          message: "The value must not be empty.",
          params: { reason: "not_empty" },
        },
      ],
    },
  });
  const captured = await eventually(async () => {
    const { messages } = await hermod.core.sandbox.listSandboxMessages({});
    return messages.length > 1 ? messages : undefined;
  });
  const subjects = new Map(captured.map(({ id, subject }) => [id, subject]));
  expect(subjects).toEqual(
    new Map([
      [accepted.message_id, "Made from the OpenAPI document"],
      [alerts.mails[0], "[critical] node-exporter: /var is 97 % full (host web-1)"],
    ]),
  );
}, 60_000);

// A schema that refers to itself would become a type that TypeScript refuses (TS2502). Other types are left out: TypeScript's
// own library, and other type packages.
it(
  "its types compile without skipLibCheck",
  () => compile("hermod.d.ts", "--noEmit", "--skipDefaultLibCheck", "--typeRoots", "none"),
  60_000,
);
