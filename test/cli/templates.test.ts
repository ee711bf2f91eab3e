import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ListTemplatesResponseSchema,
  PutTemplateResponseSchema,
  StoredTemplateSchema,
  type Template,
  TemplateSchema,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
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
  it("takes bodies from files beside the template's", async () => {
    const { code, out, stored } = await put(welcome);
    expect([code, out]).toEqual([0, "The template welcome is published in version 3.\n"]);
    expect(stored).toMatchObject({
      html: "<p>Hello {{ name }}</p>",
      text: "Hello {{ name }}\n",
      from: "hello@example.com",
    });
  });

  it("writes the template back as it was given", async () => {
    const { html_file, text_file, ...rest } = welcome;
    expect(JSON.parse((await put(welcome, "--json")).out)).toEqual({
      ...rest,
      version: 3,
      published_at: null,
      html: "<p>Hello {{ name }}</p>",
      text: "Hello {{ name }}\n",
    });
  });

  it.each([
    [{ ...welcome, html: "<p>" }, "has both html and html_file: keep one of them."],
    [{ ...welcome, text_file: 1 }, ": text_file must be the name of a file."],
    [{ ...welcome, subject: 1 }, "is no template: Template.subject: expected string, got 1."],
  ])("refuses a file that contradicts itself", async (template, words) => {
    const { code, err, file } = await put(template);
    expect([code, err]).toEqual([1, `hermod: ${file}${words.startsWith(":") ? "" : " "}${words}\n`]);
  });

  it("names the body's file that is missing", async () => {
    const { code, err } = await put({ ...welcome, html_file: "none.html" });
    expect([code, err]).toEqual([
      1,
      `hermod: ${path.join(folder, "none.html")} cannot be read: there is no such file.\n`,
    ]);
  });
});

describe("hermod template list", () => {
  it("shows what is published", async () => {
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
