import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { architectureSection } from "./harness/architecture-section.ts";

const run = promisify(execFile);

/** The files of a small resource, by the path that each has in a copy of the project. */
const EXAMPLE = "test/fixtures/notes";

/** Lines that go into lists, each behind a line that is there. */
type Lines = Readonly<Record<string, readonly (readonly [behind: string, line: string])[]>>;

const lists: Lines = {
  "contracts/index.ts": [
    ['import { messages } from "./dashboard/messages.ts";', 'import { notes } from "./dashboard/notes.ts";'],
    ["  sandbox,", "  notes,"],
  ],
  "contracts/common/permissions.ts": [
    [
      '  "audit.read": "Search and export the audit log",',
      '  "notes.read": "See notes",\n  "notes.write": "Create and remove notes",',
    ],
  ],
  "contracts/common/fault-codes.ts": [
    [
      "export const faultCodes = {",
      `  "note.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.1.0",
    title: "There is no such note",
    doc: "The account has no note with this id. Nothing was changed.",
  },`,
    ],
  ],
  "contracts/common/dashboard-texts.ts": [
    ["  tagOfRouter: {", '    notes: { name: "Notes", description: "Notes of the account." },'],
  ],
  "src/shared/ids.ts": [["export type IdPrefix =", '  | "note"']],
  "src/rpc/client.ts": [
    [
      'import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";',
      'import { NoteService } from "../../gen/hermod/note/v1/note_service_pb.ts";',
    ],
    ["const services = {", "  notes: NoteService,"],
  ],
  "src/roles/areas.ts": [
    ['import { messages } from "../core/messages.ts";', 'import { notes } from "../core/notes.ts";'],
    ["export const areas: readonly Area<Dependencies>[] = [", "  notes,"],
  ],
  "src/edge/dashboard/dashboard.ts": [
    ['import { messages } from "./messages.ts";', 'import { notes } from "./notes.ts";'],
    ["    messages: messages(parts),", "    notes: notes(parts),"],
  ],
  "src/store/store.ts": [
    [
      'import { createMtaStsStore } from "./mta-sts-store.ts";',
      'import { createNoteStore } from "./note-store.ts";',
    ],
    ["  const collections = {", "    notes: createNoteStore(db, writes),"],
  ],
  "src/store/collections/collections.ts": [
    [
      'import { type MessageDocuments, messageManifest } from "./messages.ts";',
      'import { type NoteDocuments, noteManifest } from "./notes.ts";',
    ],
    ["  ...messageManifest,", "  ...noteManifest,"],
    ["    MessageDocuments,", "    NoteDocuments,"],
  ],
  "src/cli/program.ts": [
    ['import { messages } from "./messages.ts";', 'import { notes } from "./notes.ts";'],
    ["const commands: readonly AddCommand[] = [", "  notes,"],
  ],
  "src/core/account-export/exported.ts": [
    [
      'import { SuppressionSchema } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";',
      'import { NoteSchema } from "../../../gen/hermod/note/v1/note_service_pb.ts";',
    ],
    ['import { toMember } from "../members/member-to-proto.ts";', 'import { toNote } from "../notes.ts";'],
    ["  quarantine: quarantinedLine,", '  notes: (note) => line("note", shown(NoteSchema, toNote(note))),'],
  ],
};

/** Rows of the tables that call every operation. */
const rows: Lines = {
  "test/harness/store-calls.ts": [
    ['  suppressions: [undefined, ["sup_1"]],', '  notes: [undefined, ["note_1"]],'],
    [
      '  "contents.load": ({ contents }) => contents.load("cnt_1"),',
      `  "notes.add": ({ notes }) => notes.add({ _id: "note_1", text: "Friday", createdAt: now }, testAudit),
  "notes.find": ({ notes }) => notes.find("note_1"),
  "notes.list": async ({ notes }) => {
    await notes.list(page);
    await notes.list({ ...page, after: "note_9" });
  },
  "notes.remove": ({ notes }) => notes.remove("note_1", testAudit),`,
    ],
  ],
  "test/store/account-isolation.test.ts": [
    [
      "  await owner.alertRules.addSilence(silence, testAudit);",
      '  await owner.notes.add({ _id: "note_own", text: "Friday", createdAt: now }, testAudit);',
    ],
    [
      '  "members.find": ({ members }) => members.find(user._id),',
      `  "notes.add": ({ notes }) => notes.add({ _id: "note_new", text: "Monday", createdAt: now }, testAudit),
  "notes.find": ({ notes }) => notes.find("note_own"),
  "notes.list": ({ notes }) => notes.list(page),
  "notes.remove": ({ notes }) => notes.remove("note_own", testAudit),`,
    ],
  ],
  "test/harness/dashboard-targets.ts": [
    [
      "  getAccount: () => ({}),",
      `  listNotes: () => ({}),
  createNote: () => ({ body: { text: "Friday" }, status: 201 }),
  getNote: async (environment) => ({ params: await note(environment) }),
  removeNote: async (environment) => ({ params: await note(environment), status: 204 }),`,
    ],
    [
      "/** By route name. */",
      `async function note({ world, accountId }: Environment) {
  const { note: created } = await world.identity.operator.notes.createNote({ accountId, text: "Monday" });
  return { note_id: created?.id ?? "" };
}
`,
    ],
  ],
  "contracts/common/audit-actions.ts": [
    [
      '  "message.send": "Sent a message from the dashboard.",',
      '  "note.create": "Created a note.",\n  "note.remove": "Removed a note.",',
    ],
  ],
  "test/api/dashboard-access.test.ts": [
    ['  "is the daily work with messages, reports and alerts": [', '    "createNote",\n    "removeNote",'],
  ],
  "test/core/audited-operations.test.ts": [
    [
      "const operations: Readonly<Record<string, () => Promise<unknown>>> = {",
      `  "note.create": () => owner.notes.createNote({ text: "Friday" }),
  "note.remove": async () => {
    const { note } = await owner.notes.createNote({ text: "Monday" });
    await owner.notes.removeNote({ id: note?.id ?? "" });
  },`,
    ],
  ],
  "test/core/account-export.test.ts": [
    [
      "  await own.alertRules.putInhibition(inhibitionToPut, testAudit);",
      '  await operator.notes.createNote({ accountId, text: "Friday" });',
    ],
    ["      silence: 1,", "      note: 1,"],
  ],
};

/** Tests with a list of every method, route, function, collection or action. */
const TABLES = [
  "test/area-names.test.ts",
  "test/core/account-export.test.ts",
  "test/core/audit-actions.test.ts",
  "test/core/audited-operations.test.ts",
  "test/core/callers.test.ts",
  "test/store/account-isolation.test.ts",
  "test/store/collections.test.ts",
  "test/store/store-functions.test.ts",
];

/** A test for each route, role and state of a session. */
const DASHBOARD = "test/api/dashboard-access.test.ts";

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), "hermod-area-"));
  const leftOut = new Set(["node_modules", "dist", "data", ".git", ".ci"]);
  for (const name of readdirSync(".")) {
    if (leftOut.has(name)) continue;
    cpSync(name, path.join(copy, name), {
      recursive: true,
      filter: (source) => !/^test\/fixtures\/(?:clients|databases)/.test(source),
    });
  }
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  for (const file of exampleFiles()) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(EXAMPLE, `${file}.txt`), path.join(copy, file));
  }
  addLines(lists);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function exampleFiles(): string[] {
  const files = readdirSync(EXAMPLE, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".txt")).map((file) => file.slice(0, -".txt".length));
}

function addLines(lines: Lines): void {
  for (const [file, additions] of Object.entries(lines)) {
    const place = path.join(copy, file);
    let text = readFileSync(place, "utf8");
    for (const [behind, line] of additions) {
      expect(text.split(`${behind}\n`), `${file} has this line once: ${behind}`).toHaveLength(2);
      text = text.replace(`${behind}\n`, () => `${behind}\n${line}\n`);
    }
    writeFileSync(place, text);
  }
}

/** Runs a program in the copy, and returns its output. The program may fail. */
async function inCopy(
  ...words: readonly string[]
): Promise<{ readonly failed: boolean; readonly output: string }> {
  const ofTests = /^(?:VITEST|MONGODB_URL|HERMOD_TEST_LONG)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTests.test(name)));
  const options = { cwd: copy, env: { ...env, NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 };
  const outcome = await run(process.execPath, [...words], options).catch((error) => error);
  return { failed: outcome instanceof Error, output: `${outcome.stdout}\n${outcome.stderr}` };
}

const testsInCopy = (...words: readonly string[]) =>
  inCopy("node_modules/vitest/vitest.mjs", "run", "--maxWorkers", "1", ...words);

const typesInCopy = () =>
  inCopy("node_modules/typescript7/bin/tsc", "-p", "tsconfig.json", "--noEmit", "--pretty", "false");

/** Each test starts compilers or other tests, which take long on a busy machine. */
const TIMEOUT_MS = 900_000;

describe("a resource that is added as documented", { timeout: TIMEOUT_MS }, () => {
  it("is in files and lists that the documentation names", () => {
    const section = architectureSection("Adding an area");
    const named = new Set([...section.matchAll(/`([\w./<>-]+)`/g)].map(([, name = ""]) => name));
    const generic = (file: string) =>
      file.replace(/\bnotes\b(?=\.|$)/, "<areas>").replace(/\bnote(?=[_-]|\/v1)/g, "<area>");
    const used = [...exampleFiles(), ...Object.keys(lists), ...Object.keys(rows)].map(generic);
    expect(used.filter((file) => !named.has(file))).toEqual([]);
  });

  it("generates its code, and lacks no line but rows of tables", async () => {
    const generated = await inCopy("scripts/generate.js");
    expect(generated, generated.output).toMatchObject({ failed: false });
    const { output } = await typesInCopy();
    const errors = output.split("\n").filter((line) => line.includes("error TS"));
    expect(errors).toEqual([expect.stringMatching(/^test\/harness\/store-calls\.ts.*'notes' is missing/)]);
  });

  it("is reported as missing by each table without a row for it", async () => {
    const complete =
      /has a call for every function|covers every function|every (?:named )?action|re-entry or named|every account collection/;
    const { failed, output } = await testsInCopy("--testNamePattern", complete.source, DASHBOARD, ...TABLES);
    expect(failed).toBe(true);
    const failures = [...output.matchAll(/^ FAIL {2}(\S+) > /gm)].map(([, file]) => file);
    expect([...new Set(failures)].sort()).toEqual(
      [DASHBOARD, ...TABLES].filter(
        (file) => Object.keys(rows).includes(file) || /functions|audit-actions/.test(file),
      ),
    );
    for (const missing of ["notes.add", "createNote", "note.create"]) expect(output).toContain(missing);
  });

  it("is served over HTTP, gRPC and on the command line, and accepted by every table", async () => {
    addLines(rows);
    const types = await typesInCopy();
    expect(types, types.output).toMatchObject({ failed: false });
    const sessions = await testsInCopy("--testNamePattern", "Note|re-entry or named", DASHBOARD);
    expect(sessions, sessions.output).toMatchObject({ failed: false });
    const served = await testsInCopy("--update", "test/api/notes.test.ts", ...TABLES);
    expect(served, served.output).toMatchObject({ failed: false });
    const audited = readFileSync(path.join(copy, "test/core/expected/audit-entries.txt"), "utf8");
    expect(audited).toMatch(/^note\.create \| changed/m);
  });
});
