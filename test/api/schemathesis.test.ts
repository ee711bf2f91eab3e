import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const schemathesis = tool("schemathesis");
const PASSWORD = "four uncommon words of Hermod";

/** Operations that end or renew the session that all others use. */
const OF_THE_SESSION = [
  "signIn",
  "signOut",
  "reauthenticate",
  "changePassword",
  "switchAccount",
  "leaveAccount",
  "endSession",
  "removeTotp",
  "signOutMember",
];

/** Sign-up is closed in an installation with default settings. */
const CLOSED = ["POST /api/sign-up", "POST /api/sign-up/complete", "POST /api/user/accounts"];

interface Findings {
  /** Report of failed checks; empty if all pass. */
  readonly broken: string;
  /** Operations that answered only 401 or 403, so that they were not tested. */
  readonly locked: readonly string[];
}

/**
 * Checks an OpenAPI document against the answers to requests of all kinds: statuses, schemas, media types, headers, no 500,
 * nothing without a key or session, nothing for input that the schemas refuse. It does not check that all input that matches
 * the schemas is accepted: schemas cannot describe verified addresses, or keys that were rotated before.
 */
async function findingsOf(
  source: string,
  config: string,
  { excluded = [], baseUrl }: { readonly excluded?: readonly string[]; readonly baseUrl?: string } = {},
): Promise<Findings> {
  const directory = await mkdtemp(path.join(tmpdir(), "hermod-schemathesis-"));
  const file = path.join(directory, "schemathesis.toml");
  await writeFile(file, config);
  const options = [
    ...["--config-file", file, "run", source, ...(baseUrl === undefined ? [] : ["--url", baseUrl])],
    ...["--checks", "all", "--exclude-checks", "positive_data_acceptance"],
    ...["--continue-on-failure", "--max-examples", "5", "--seed", "1", "--no-color"],
    ...excluded.flatMap((id) => ["--exclude-operation-id", id]),
  ];
  try {
    const { stdout } = await run("schemathesis", options, { cwd: directory });
    return { broken: "", locked: lockedIn(stdout) };
  } catch (error) {
    return { broken: (error as { readonly stdout?: string }).stdout || String(error), locked: [] };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Operations that the report lists under `401 Unauthorized` and `403 Forbidden`. */
function lockedIn(report: string): string[] {
  const lists = report.matchAll(/^40[13] \w+ \(\d+ operations?\):\n((?: {2}- .*\n)+)/gm);
  return [...lists].flatMap(([, lines = ""]) => lines.match(/[A-Z]+ \/\S+/g) ?? []);
}

describe.skipIf(schemathesis.missing)(`the OpenAPI documents${schemathesis.note}`, () => {
  let hermod: Hermod;

  beforeAll(async () => {
    hermod = await startHermod();
  });
  afterAll(() => hermod?.dispose());

  /** Signs in as the user of the first run, after a change of the password. */
  async function signIn(): Promise<string> {
    const { base_url: baseUrl, dashboard } = hermod.firstRun;
    let token = "";
    const post = async (route: string, body: object) => {
      const answer = await fetch(baseUrl + route, {
        method: "POST",
        headers: { "content-type": "application/json", origin: baseUrl, cookie: `hermod=${token}` },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      token = /hermod=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
    };
    const { email, password } = dashboard;
    await post("/api/session", { email, password });
    await post("/api/session/password", { current_password: password, new_password: PASSWORD });
    return token;
  }

  it("are correct for the public API with a key", { timeout: 300_000 }, async () => {
    const { base_url: baseUrl, api_key: key, deliverability_api_key: deliverabilityKey } = hermod.firstRun;
    const { workspaces } = await hermod.core.workspaces.listWorkspaces({});
    const config = [
      `[parameters]\n"query.workspace_id" = "${workspaces[0]?.id}"`,
      `[auth.openapi.apiKeyHeader]\napi_key = "${key}"`,
      `[auth.openapi.deliverabilityKey]\napi_key = "${deliverabilityKey}"\n`,
    ].join("\n");
    expect(await findingsOf(`${baseUrl}/openapi.json`, config)).toEqual({ broken: "", locked: [] });
    // The request was done, not refused.
    const { core } = hermod;
    expect((await core.messages.listMessages({ pageSize: 1 })).messages).toHaveLength(1);
    expect((await core.alerts.listAlerts({ pageSize: 1 })).alerts).toHaveLength(1);
    expect((await core.workspaces.listClients({ pageSize: 1 })).clients).toHaveLength(1);
  });

  it("are correct for the dashboard API with a session", { timeout: 600_000 }, async () => {
    const { base_url: baseUrl } = hermod.firstRun;
    const token = await signIn();
    const config = [
      'headers = { "Sec-Fetch-Site" = "same-origin" }',
      `[auth.openapi.plainSession]\napi_key = "${token}"\n`,
    ].join("\n");
    const document = await fetch(`${baseUrl}/api/openapi.json`, { headers: { cookie: `hermod=${token}` } });
    const directory = await mkdtemp(path.join(tmpdir(), "hermod-schemathesis-"));
    try {
      const file = path.join(directory, "dashboard-openapi.json");
      await writeFile(file, await document.text());
      const found = await findingsOf(file, config, { excluded: OF_THE_SESSION, baseUrl });
      expect(found.broken).toBe("");
      expect(found.locked.filter((operation) => !CLOSED.includes(operation))).toEqual([]);
      // A call that ended the session would have left the later calls untested.
      const session = await fetch(`${baseUrl}/api/session`, { headers: { cookie: `hermod=${token}` } });
      expect(session.status).toBe(200);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
