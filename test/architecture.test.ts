import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { architectureSection } from "./harness/architecture-section.ts";
import { documentPages } from "./harness/documents.ts";
import { folderCircles } from "./harness/folder-circles.ts";
import { allowedImports, typesOnly } from "./harness/import-rules.ts";
import {
  breaches,
  fragments,
  packagesOf,
  pollers,
  reachAcrossAccounts,
  type Sources,
} from "./harness/source-rules.ts";

function readSources(isTest = false): Sources {
  const files = ["src", "contracts"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(folder, name.replaceAll(path.sep, "/")),
    ),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file) && /\.test\.ts$/.test(file) === isTest).sort();
  return new Map(sources.map((file) => [file, readFileSync(file, "utf8")]));
}

/**
 * Files that work on data of several accounts, with the reason why `forAccount` is not enough. The list must stay
 * short. A name with a slash at its end is a folder.
 */
const acrossAccounts: Readonly<Record<string, string>> = {
  "src/delivery/": "a worker delivers the mail of all accounts, many messages in one query",
  "src/webhooks/": "a worker sends the events of all accounts to their endpoints",
  "src/roles/": "passes the store to the files in this list, and has no rules of its own",
  "src/core/senders/verify-by-link.ts": "the token of a link identifies the account of the sender",
  "src/domains/check-due.ts": "checks the due domains of all accounts",
  "src/notices/store-notices.ts": "the notices of one batch of attempts, of all accounts, are stored at once",
  "src/core/send/intake.ts": "submissions of all accounts are stored in batches",
  "src/core/submissions/receive-source.ts": "a body in pieces has no account until its message is stored",
  "src/core/access/authenticate-key.ts": "the key identifies the account of the request",
  "src/core/access/key-uses.ts": "the uses of all keys are written together",
  "src/core/requests/record-requests.ts": "requests of all accounts are written in one batch",
  "src/core/policies/policy-holds.ts": "holds of all accounts count against the limit of the installation",
  "src/core/jobs/run-jobs.ts": "jobs of all accounts run in turn",
  "src/core/audits/refusal-record.ts":
    "a refused sign-in is recorded in the account that the user would have entered",
  "src/core/first-run.ts": "checks by their hashes whether the keys that it created are stored",
  "src/core/sessions/needs.ts": "a user may belong to several accounts",
  "src/core/sessions/begin-session.ts": "finds the account that a session begins with",
  "src/core/users/": "a new user begins a session, as above",
  "src/core/invitations/": "the token of a link identifies the account",
  "src/core/sessions/get-session.ts": "lists the accounts of a user",
  "src/core/tracking/record-hits.ts":
    "the token of a link identifies the message, and the message its account",
  "src/core/bounces/report-bounce.ts":
    "the signature identifies the returned message, and the message its account",
  "src/core/bounces/report-aggregates.ts":
    "the signed address identifies the domain of a report, and the domain its account",
  "src/core/status.ts": "counts what waits in the whole installation, for its operator",
  "src/core/operator-scope.ts": "the operator may leave the account of a request empty",
  "src/core/find-message.ts": "finds the message in the account that the operator's request names",
  "src/core/bounces/report-notices.ts": "the signed return path identifies the message of a notice",
  "src/core/events/": "services of the operator follow the events of all accounts",
  "src/events/compose-payloads.ts":
    "composes events of all accounts for endpoints and services, many at once",
  "src/core/live/journal-tail.ts": "reads the events for the open pages of all accounts at once",
  "src/core/messages.ts": "as above",
  "src/core/messages/get-message-source.ts": "as above",
  "src/core/messages/retry-message.ts": "as above",
  "src/core/messages/resend-message.ts": "as above",
  "src/core/quarantine.ts": "as above",
  "src/core/sandbox.ts": "as above",
  "src/core/accounts/apply-retention.ts": "removes data past its retention from all accounts, in turn",
  "src/core/alerts/create-alert-engine.ts": "passes due incidents to send-notices.ts",
  "src/core/alerts/send-notices.ts": "sends the due notices of the incidents of all accounts, in turn",
  "src/core/alerts/notify-undelivered.ts":
    "notifies the owners of every account with failed alert mail, in turn",
  "src/core/webhooks/notify-disabled.ts":
    "notifies the owners of every account with a disabled endpoint, in turn",
  "src/watches/check-due.ts": "checks the due watched domains of all accounts",
  "src/watches/check-watch.ts": "stores the result of a check run, for any account",
  "src/watches/run-blacklists.ts":
    "a list is asked about a subject once for all accounts that watch it, within one budget",
  "src/core/intel/notify-watch-changes.ts": "passes changes of domains to the alert rules of their accounts",
  "src/core/heartbeats/check-heartbeats.ts": "raises alerts about missed pings of all accounts",
  "src/core/heartbeats/ping-heartbeat.ts": "the token of a ping identifies the heartbeat and its account",
  "src/core/intel/run-schedules.ts": "creates the due reports of all accounts",
  "src/core/intel/send-scheduled-report.ts": "records the mail of an attempt at a report, for any account",
  "src/core/erasures/run-erasures.ts": "carries out the erasures of all accounts, in turn",
};

describe("the sources", () => {
  it("keep the import rules", () => {
    const sources = readSources();
    expect(sources.size).toBeGreaterThan(20);
    expect(breaches(sources)).toEqual([]);
  });

  it("have no circle of folders", () => {
    expect(folderCircles(readSources())).toEqual([]);
  });

  it("have 300 lines at most, but for four that are lists", () => {
    const long = [...readSources()].filter(([, text]) => text.split("\n").length - 1 > 300);
    const lists = [
      "contracts/common/fault-codes.ts",
      "src/settings.ts",
      "src/store/documents.ts",
      "src/store/indexes.ts",
    ];
    expect(long.map(([file]) => file).filter((file) => !lists.includes(file))).toEqual([]);
  });

  it("are no fragments of their one user", () => {
    expect(fragments(readSources(), readSources(true))).toEqual([]);
  });

  it("reach across accounts only where there is a reason", () => {
    const names = Object.keys(acrossAccounts);
    const isListed = (file: string, name: string) =>
      name.endsWith("/") ? file.startsWith(name) : file === name;
    const reaching = reachAcrossAccounts(readSources());
    expect(reaching.filter((file) => !names.some((name) => isListed(file, name)))).toEqual([]);
    expect(names.filter((name) => !reaching.some((file) => isListed(file, name)))).toEqual([]);
  });

  it("import only packages that an installation without development tools has", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    // Pages of the dashboard carry their packages with them.
    const started = [...readSources()].filter(([file]) => !file.startsWith("src/dashboard/"));
    expect(packagesOf(new Map(started)).filter((name) => !(name in dependencies))).toEqual([]);
  });
});

describe("the tests", () => {
  it("wait for signals where they could poll their own process", () => {
    const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".test.ts"),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(
      pollers(new Map(files.map((file) => [file, readFileSync(path.join("test", file), "utf8")]))),
    ).toEqual([]);
  });

  it("that poll their own process are found", () => {
    const text = 'import {\n  eventually,\n  type Hermod,\n} from "../harness/start-hermod.ts";\n';
    const other = 'import { eventually, startHermod } from "../harness/start-hermod.ts";\n';
    expect(pollers(new Map(Object.entries({ "a.test.ts": text, "b.test.ts": other })))).toEqual([
      "a.test.ts polls its own process",
    ]);
  });
});

describe("objects", () => {
  /** A literal that is spread into another keeps the formatter from a line for each field. */
  const spread = /^\s*\.\.\.\{ .*\},?$/m;

  it("are written field by field", () => {
    const files = ["src", "contracts", "test", "bench"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.posix.join(folder, name)),
    );
    const sources = files.filter((file) => /\.[jt]s$/.test(file));
    expect(sources.length).toBeGreaterThan(1_000);
    expect(sources.filter((file) => spread.test(readFileSync(file, "utf8")))).toEqual([]);
  });

  it("that are spread are found", () => {
    expect("  ...{ a, b: { c: 1 } },").toMatch(spread);
    expect("  ...(isOpen && { a }),\n  ...{},\n  ...{ a }.b,").not.toMatch(spread);
  });
});

describe("the documents", () => {
  it("name only files that exist", () => {
    const named = documentPages.flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(/`((?:src|contracts|test|proto|scripts)\/[\w./-]*\w)\/?`/g),
      ].map(([, name = ""]) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ name }) => !existsSync(name))).toEqual([]);
  });
});

/** A section of the page about the architecture, without those below it. */
describe("the table of folders", () => {
  it("names every folder, and what the rules let it import", () => {
    const table = architectureSection("A folder for each arrow");
    const rows = [...table.matchAll(/^\| `(contracts|src\/[\w-]+)\/` \| .* \| (.*) \|$/gm)];
    const documented = rows.map(([, area = "", imports = ""]) => [
      area,
      imports.replaceAll("`", "").split(", ").sort(),
    ]);
    const nameOf = (area: string, target: string) => {
      const name = target.replace("src/", "");
      return typesOnly[area]?.includes(target) ? `${name} (types only)` : name;
    };
    const rules = Object.entries(allowedImports).map(([area, targets]) => {
      const names = targets.map((target) => nameOf(area, target)).sort();
      return [area, names.length > 0 ? names : ["nothing"]];
    });
    expect(new Map(rows.map(([, area]) => [area, true])).size).toBe(rows.length);
    expect(Object.fromEntries(documented)).toEqual({
      ...Object.fromEntries(rules),
      "src/roles": ["everything"],
    });
    const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(documented.map(([area]) => area).sort()).toEqual(
      ["contracts", ...folders.map(({ name }) => `src/${name}`)].sort(),
    );
  });
});

describe("the path", () => {
  it.each(["message", "alert", "watched domain"])("of a %s has 25 files at most", (what) => {
    const article = what === "alert" ? "an" : "a";
    const page = architectureSection(`The path of ${article} ${what}`);
    const path = [...page.matchAll(/^\| (\d+) \| `(src\/[^`]+)` \|/gm)];
    expect(path.length).toBeGreaterThan(15);
    expect(path.length).toBeLessThanOrEqual(25);
    expect(path.map(([, step]) => Number(step))).toEqual(path.map((_, index) => index + 1));
    expect(new Set(path.map(([, , file]) => file)).size).toBe(path.length);
  });
});

/** Breaches of the rules in a single invented file, and in files that import each other. */
describe("the import rules", () => {
  const breach: readonly (readonly [string, string, string])[] = [
    ["src/edge/server.ts", "src/store/connect.ts", 'import { x } from "../store/connect.ts";'],
    ["src/edge/server.ts", "src/core/server.ts", 'import type { X } from "../core/server.ts";'],
    ["src/edge/server.ts", "src/config.ts", 'import type { Config } from "../config.ts";'],
    ["src/edge/emails.ts", "deliver.ts", 'type X = import("../delivery/deliver.ts").X;'],
    ["src/smtp/server.ts", "src/events/record.ts", 'const x = await import("../events/record.ts");'],
    ["src/admin/server.ts", "src/store/connect.ts", 'export * from "../store/connect.ts";'],
    ["src/cli/start.ts", "src/roles/all.ts", 'import "../roles/all.ts";'],
    [
      "src/message/content.ts",
      "fault-codes.ts",
      'import { x } from "../../contracts/common/fault-codes.ts";',
    ],
    ["src/tracking/open.ts", "src/store/connect.ts", 'import { x } from "../store/connect.ts";'],
    ["src/rpc/server.ts", "mongodb", 'import { MongoClient } from "mongodb";'],
    ["src/store/connect.ts", "libsql", 'import Database from "libsql";'],
    ["src/store/watch-store.ts", "only types", 'import { grade } from "../intel/score/score.ts";'],
    ["src/store/watch-store.ts", "only types", 'import { type Grade } from "../intel/score/score.ts";'],
    ["src/store/watch-store.ts", "only types", 'const score = await import("../intel/score/score.ts");'],
    ["src/intel/look.ts", "src/store/store.ts", 'import type { Store } from "../store/store.ts";'],
    ["src/smtp-client/dial.ts", "src/store/store.ts", 'import type { Store } from "../store/store.ts";'],
    ["src/engine/bson/decode.ts", "bson", 'import { deserialize } from "bson";'],
    ["src/roles/store.ts", "dispatch.ts", 'import { dispatch } from "../engine/commands/dispatch.ts";'],
    ["src/core/server.ts", "start-embedded-engine.ts", 'import "../engine/start-embedded-engine.ts";'],
    ["src/engine/engine.ts", "src/store/connect.ts", 'import { x } from "../store/connect.ts";'],
    ["src/delivery/deliver.ts", "mingo/query", 'import type { Query } from "mingo/query";'],
    ["contracts/emails.ts", "src/shared/ids.ts", 'import { x } from "../src/shared/ids.ts";'],
    ["src/rpc/server.ts", "process.env", "const port = process.env.PORT;"],
    ["src/rpc/server.ts", "default export", "export default 1;"],
    ["src/rpc/server.ts", "default export", "export default function f() {}"],
    ["src/rpc/server.ts", "default export", "const a = 1; export { a as default };"],
    ["src/core/index.ts", "src/core/index.ts", ""],
    ["src/core/utils.ts", "src/core/utils.ts", ""],
    ["src/core/keys.ts", "find after a return", "const f = () => { return find(); function find() {} };"],
    ["src/core/keys.ts", 'calls something "taken"', "const { ids: taken } = await list();"],
    ["src/core/long.ts", "401 lines", "// line\n".repeat(401)],
  ];

  it.each(breach)("forbid %s to have %s", (file, word, text) => {
    const found = breaches(new Map([[file, text]]));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(word);
  });

  it("find a fragment", () => {
    const user = (name: string) =>
      [`src/core/${name}.ts`, `import "./small.ts";\n${"// line\n".repeat(20)}`] as const;
    const small = ["src/core/small.ts", "// line\n".repeat(19)] as const;
    const none: Sources = new Map();
    expect(fragments(new Map([user("keys"), small]), none)).toEqual([
      "src/core/small.ts has 19 lines and one user",
    ]);
    expect(fragments(new Map([user("keys"), user("senders"), small]), none)).toEqual([]);
    expect(fragments(new Map([user("keys"), small]), new Map([user("small.test")]))).toEqual([]);
  });

  it("find files that reach across accounts, by value, by type and by a text", () => {
    const texts = [
      "await store.acrossAccounts.keys.findByHash(hash);",
      "const { acrossAccounts: all } = store;",
      'type Parts = Pick<Store, "acrossAccounts">;',
      'import type { AcrossAccounts } from "../store/store.ts";',
      'import { operatorScope } from "./operator-scope.ts";',
    ];
    for (const text of texts)
      expect(reachAcrossAccounts(new Map([["src/core/keys.ts", text]]))).toHaveLength(1);
    const others = ["// Not by acrossAccounts.", "await store.forAccount(accountId).keys.list(page);"];
    for (const text of others) expect(reachAcrossAccounts(new Map([["src/core/keys.ts", text]]))).toEqual([]);
  });

  it("find a package in every form of import", () => {
    const text = 'import type { A } from "@x/a/b"; import b from "b/c"; import "node:fs"; import "./d.ts";';
    expect(packagesOf(new Map([["src/rpc/server.ts", text]]))).toEqual(["@x/a", "b"]);
  });

  it("find a cycle, of types too", () => {
    const sources = new Map([
      ["src/core/a.ts", 'import type { B } from "./b.ts";'],
      ["src/core/b.ts", 'import { c } from "./c.ts";'],
      ["src/core/c.ts", 'import { a } from "./a.ts";'],
    ]);
    expect(breaches(sources)).toEqual([
      "import cycle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts",
    ]);
  });

  it("find a circle of folders, of types too, where no files import each other", () => {
    const sources = new Map([
      ["src/store/a.ts", 'import type { B } from "../intel/b.ts";'],
      ["src/intel/b.ts", 'import { log } from "../shared/log.ts";'],
      ["src/intel/monitor/c.ts", 'import { d } from "../../leases/d.ts";'],
      ["src/leases/d.ts", 'const a = await import("../store/a.ts");'],
      ["src/webhooks/e.ts", 'export * from "../store/a.ts";'],
      ["src/main.ts", 'import { start } from "./roles/start.ts";'],
      ["src/roles/start.ts", 'import { config } from "../config.ts";'],
    ]);
    expect(breaches(sources).filter((found) => found.startsWith("import cycle"))).toEqual([]);
    expect(folderCircles(sources)).toEqual([
      "src/intel, src/leases, src/store import each other: src/intel/monitor/c.ts -> src/leases/d.ts, " +
        "src/leases/d.ts -> src/store/a.ts, src/store/a.ts -> src/intel/b.ts",
    ]);
  });

  it("separate groups of folders, and show the shortest circle of each", () => {
    const sources = new Map([
      ["src/a/1.ts", 'import "../b/1.ts";'],
      ["src/b/1.ts", 'import "../c/1.ts"; import "../x/1.ts";'],
      ["src/b/2.ts", 'import "../a/2.ts";'],
      ["src/c/1.ts", 'import "../a/1.ts";'],
      ["src/x/1.ts", 'import "../../contracts/x.ts"; import "../main.ts";'],
      ["src/main.ts", 'import "./x/2.ts"; import "./config.ts";'],
      ["contracts/x.ts", 'import "./y.ts";'],
    ]);
    expect(folderCircles(sources)).toEqual([
      "src/a, src/b, src/c import each other: src/a/1.ts -> src/b/1.ts, src/b/2.ts -> src/a/2.ts",
      "src/main.ts, src/x import each other: src/main.ts -> src/x/2.ts, src/x/1.ts -> src/main.ts",
    ]);
    expect(folderCircles(new Map([...sources].filter(([file]) => !/[bx]\/[12]/.test(file))))).toEqual([]);
  });

  it("accept allowed imports", () => {
    const sources = new Map([
      ["src/edge/server.ts", 'import { x } from "../rpc/client.ts"; import f from "fastify";'],
      ["src/cli/start.ts", 'import { loadConfig } from "../config.ts";'],
      ["src/store/watch-store.ts", 'import type { Grade } from "../intel/score/score.ts";'],
      ["src/store/connect.ts", 'import { MongoClient } from "mongodb"; switch (1) { default: }'],
      ["src/roles/all.ts", 'import { connect } from "../store/connect.ts";'],
      ["src/config.ts", "export const env = process.env;"],
      ["src/core/long.ts", "// line\n".repeat(400)],
    ]);
    expect(breaches(sources)).toEqual([]);
  });
});
