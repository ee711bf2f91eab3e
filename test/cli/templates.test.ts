import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CompareVersionsResponseSchema,
  GetTemplateResponseSchema,
  GetVersionResponseSchema,
  ListTemplatesResponseSchema,
  ListVersionsResponseSchema,
  PutTemplateResponseSchema,
  RollBackResponseSchema,
  StoredTemplateSchema,
  type Template,
  TemplateSchema,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
import { type AlertShell, openAlertShell } from "./alert-shell.ts";
import { runHermod } from "./run-hermod.ts";

const folder = mkdtempSync(path.join(tmpdir(), "hermod-cli-"));
mkdirSync(path.join(folder, "bodies"));
writeFileSync(path.join(folder, "bodies/welcome.html"), "<p>Hello {{ name }}</p>");
writeFileSync(path.join(folder, "welcome.txt"), "Hello {{ name }}\n");

async function put(template: object, ...options: string[]) {
  const file = path.join(folder, "template.json");
  writeFileSync(file, JSON.stringify(template));
  const stored: Template[] = [];
  const putTemplate = async (request: { template?: unknown }) => {
    const given = create(TemplateSchema, request.template as Template);
    stored.push(given);
    return create(PutTemplateResponseSchema, { template: { template: given, version: 3 } });
  };
  const ran = await runHermod(["template", "put", file, ...options], {
    core: { templates: { putTemplate } },
  });
  return { ...ran, stored: stored[0], file };
}

const welcome = {
  name: "welcome",
  from: "hello@example.com",
  subject: "Welcome, {{ name }}",
  html_file: "bodies/welcome.html",
  text_file: "welcome.txt",
  variables: [
    { name: "name", type: "string" },
    { name: "items", type: "list", fallback: [{ a: 1 }, null, "x"] },
  ],
};

describe("hermod template put", () => {
  it("reads bodies from files next to the template", async () => {
    const { code, out, stored } = await put(welcome);
    expect([code, out]).toEqual([0, "Published version 3 of the template welcome.\n"]);
    expect(stored).toMatchObject({
      html: "<p>Hello {{ name }}</p>",
      text: "Hello {{ name }}\n",
      from: "hello@example.com",
    });
  });

  it("writes the template back unchanged", async () => {
    const { html_file, text_file, ...rest } = welcome;
    expect(JSON.parse((await put(welcome, "--json")).out)).toEqual({
      ...rest,
      version: 3,
      published_at: null,
      published_by: "",
      published: false,
      restored_version: null,
      html: "<p>Hello {{ name }}</p>",
      text: "Hello {{ name }}\n",
    });
  });

  it.each([
    [{ ...welcome, html: "<p>" }, "has both html and html_file. Remove one of them."],
    [{ ...welcome, text_file: 1 }, ": text_file must be the name of a file."],
    [{ ...welcome, subject: 1 }, "is not a valid template: Template.subject: expected string, got 1."],
  ])("refuses a file that contradicts itself", async (template, words) => {
    const { code, err, file } = await put(template);
    expect([code, err]).toEqual([1, `hermod: ${file}${words.startsWith(":") ? "" : " "}${words}\n`]);
  });

  it("names a missing body file", async () => {
    const { code, err } = await put({ ...welcome, html_file: "none.html" });
    expect([code, err]).toEqual([
      1,
      `hermod: ${path.join(folder, "none.html")} cannot be read: the file does not exist.\n`,
    ]);
  });
});

describe("a template in YAML", () => {
  let shell: AlertShell;
  beforeAll(async () => {
    shell = await openAlertShell();
  });
  afterAll(() => shell.close());

  it("is the output of show for a built-in one, which put accepts unchanged", async () => {
    const { code, out } = await shell.hermod("template", "show", "alert", "--built-in");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^name: alert\nsubject: .*\ntext: \|\n {2}\{\{ state_line/),
    ]);
    const own = out.replace(/^name: alert$/m, "name: my-alert");
    expect((await shell.hermodWith(own, "template", "put", "-")).out).toBe(
      "Published version 1 of the template my-alert.\n",
    );
    const builtIn = await shell.json("template", "show", "alert", "--built-in");
    expect(await shell.json("template", "show", "my-alert")).toMatchObject({ ...builtIn, name: "my-alert" });
    const file = shell.file("again.json", JSON.stringify({ ...builtIn, name: "my-alert" }));
    expect((await shell.hermod("template", "put", file)).out).toContain("Published version 1 ");
  });

  it("may also read its bodies from files", async () => {
    shell.file("bye.txt", "Bye {{ name }}\n");
    const file = shell.file(
      "bye.yaml",
      "name: bye\nsubject: Bye\ntext_file: bye.txt\nvariables:\n  - { name: name, type: string, fallback: you }\n",
    );
    expect(JSON.parse((await shell.hermod("template", "put", file, "--json")).out)).toMatchObject({
      name: "bye",
      text: "Bye {{ name }}\n",
      variables: [{ name: "name", type: "string", fallback: "you" }],
    });
  });

  it.each([
    ["name: a\nname: b\n", "is not valid YAML: line 2, column 1: Map keys must be unique."],
    ["- name: a\n- name: b\n", "must hold one template."],
    ["name: a\nbody: b\n", 'is not a valid template: Template: key "body" is unknown.'],
    [
      "name: a\nvariables: [{ kind: b }]\n",
      'is not a valid template, at /variables/0: TemplateVariable: key "kind" is unknown.',
    ],
  ])("is refused if it cannot be parsed: %j", async (text, words) => {
    const { code, err } = await shell.hermodWith(text, "template", "put", "-");
    expect([code, err]).toEqual([1, `hermod: standard input ${words}\n`]);
  });

  it("is shown only of existing built-in ones, which have no versions", async () => {
    const missing = await shell.hermod("template", "show", "alerts", "--built-in");
    expect([missing.code, missing.err]).toEqual([
      1,
      'hermod: The built-in template "alerts" does not exist. Use one of welcome, reset, receipt, invitation, digest, alert.\n',
    ]);
    const numbered = await shell.hermod("template", "show", "alert", "1", "--built-in");
    expect([numbered.code, numbered.err]).toEqual([1, "hermod: A built-in template has no versions.\n"]);
  });
});

describe("hermod template list", () => {
  it("shows the published templates", async () => {
    const stored = create(StoredTemplateSchema, {
      template: { name: "welcome", subject: "Welcome", variables: [{ name: "name", type: "string" }] },
      version: 12,
    });
    const listTemplates = async () => create(ListTemplatesResponseSchema, { templates: [stored] });
    const { out } = await runHermod(["template", "list"], { core: { templates: { listTemplates } } });
    expect(out).toBe(
      "NAME     VERSION  PUBLISHED  SUBJECT  VARIABLES\nwelcome  12                  Welcome  name\n",
    );
  });
});

describe("hermod template history, show, diff and roll-back", () => {
  const at = timestampFromDate(new Date("2026-11-22T09:30:00Z"));
  const facts = { version: 3, published: true, publishedAt: at, publishedBy: "ada@example.com" };

  it("lists the versions", async () => {
    const versions = [
      { ...facts, restoredVersion: 1 },
      { version: 2, publishedAt: at },
    ];
    const listVersions = async () => create(ListVersionsResponseSchema, { versions });
    const core = { templates: { listVersions } };
    const { out } = await runHermod(["template", "history", "welcome"], { core });
    expect(out.split("\n").slice(0, 3)).toEqual([
      "VERSION  PUBLISHED  AT                       BY               RESTORES",
      "3        yes        2026-11-22 09:30:00 UTC  ada@example.com  version 1",
      "2        no         2026-11-22 09:30:00 UTC",
    ]);
    const { data } = JSON.parse(
      (await runHermod(["template", "history", "welcome", "--json"], { core })).out,
    );
    expect(data).toMatchObject([
      { version: 3, restored_version: 1 },
      { published_by: "", restored_version: null },
    ]);
  });

  it("shows a version, safe for a terminal", async () => {
    const text = "Hello\n  \u001b[2Jworld\n";
    const template = { name: "welcome", subject: "Hi", text, variables: [{ name: "name", type: "string" }] };
    const asked: unknown[] = [];
    const getVersion = async (request: unknown) => {
      asked.push(request);
      return create(GetVersionResponseSchema, { template: { ...facts, template } });
    };
    const core = { templates: { getVersion } };
    const { out } = await runHermod(["template", "show", "welcome", "3"], { core });
    expect(out).toBe(
      'welcome, version 3 (published)\n\nsubject\nHi\n\ntext\nHello\n  [2Jworld\n\n\nvariables\n{"name":"name","type":"string"}\n',
    );
    expect(asked).toEqual([{ accountId: "", name: "welcome", version: "3" }]);
    const { out: json } = await runHermod(["template", "show", "welcome", "--json"], { core });
    expect(JSON.parse(json)).toMatchObject({ version: 3, text, published_by: "ada@example.com" });
  });

  it("shows differences", async () => {
    const lines = [
      { kind: "same", text: "<table>" },
      { kind: "removed", text: "  <tr>" },
      { kind: "added", text: "    <tr>" },
    ];
    const fields = [
      { field: "html", hunks: [{ beforeLine: 4, afterLine: 5, lines }] },
      { field: "text", tooDifferent: true },
    ];
    const compareVersions = async () => create(CompareVersionsResponseSchema, { fields });
    const core = { templates: { compareVersions } };
    const { out } = await runHermod(["template", "diff", "welcome", "1", "draft"], { core });
    expect(out).toBe(
      "html\n@ line 4, now 5\n  <table>\n-   <tr>\n+     <tr>\ntext\n  Too many lines differ to list them.\n",
    );
    const { out: json } = await runHermod(["template", "diff", "welcome", "1", "2", "--json"], { core });
    expect(JSON.parse(json).fields[0]).toMatchObject({ field: "html", hunks: [{ before_line: 4 }] });
  });

  it("rolls back on the revision that it has read", async () => {
    const asked: unknown[] = [];
    const getTemplate = async () =>
      create(GetTemplateResponseSchema, { template: { overview: { revision: "4.3" } } });
    const rollBack = async (request: unknown) => {
      asked.push(request);
      return create(RollBackResponseSchema, { template: { overview: { publishedVersion: 4 } } });
    };
    const core = { templates: { getTemplate, rollBack } };
    const { out } = await runHermod(["template", "roll-back", "welcome", "1"], { core });
    expect(out).toBe("Published version 4 of the template welcome with the text of version 1.\n");
    expect(asked).toEqual([{ accountId: "", name: "welcome", revision: "4.3", version: 1 }]);
    expect((await runHermod(["template", "roll-back", "welcome", "first"], { core })).code).toBe(2);
  });
});
