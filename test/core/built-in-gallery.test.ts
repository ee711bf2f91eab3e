import { describe, expect, it } from "vitest";
import { builtInTemplates } from "../../src/core/templates/built-in-templates.ts";
import { checkMail } from "../../src/message/checks/check-mail.ts";
import { GMAIL_CLIP_BYTES } from "../../src/message/checks/check-size.ts";
import { scanHtml } from "../../src/message/checks/scan-html.ts";
import { parseMail } from "../../src/message/preview/parse-mail.ts";
import { compileTemplate, inspectTemplate, renderTemplate } from "../../src/message/template/template.ts";
import type { TemplateData } from "../../src/message/template/template-variables.ts";

type BuiltIn = (typeof builtInTemplates)[number];

function rendered({ template }: BuiltIn, data: TemplateData) {
  const compiled = compileTemplate(template);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  const result = renderTemplate(compiled.template, data);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  const { subject, html = "", text = "" } = result.rendered;
  return { subject, html, text };
}

const verified = {
  name: "example.com",
  standing: { maySend: true, records: [] },
};

async function checksOf({ subject, html, text }: ReturnType<typeof rendered>) {
  const part = (type: string, body: string) =>
    `--b\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}\r\n`;
  const source = Buffer.from(
    `From: Acme <hello@example.com>\r\nSubject: ${subject}\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n${part("plain", text)}${part("html", html)}--b--\r\n`,
  );
  return checkMail(source, await parseMail(source), verified);
}

/** Visible words of an HTML body, without the head and the hidden preview line. */
function wordsOf(html: string): string {
  const body = html.slice(html.indexOf("<body")).replace(/<div style="display:none.*?<\/div>/s, "");
  const text = body.replace(/<!--.*?-->/gs, " ").replace(/<[^>]*>/g, " ");
  const decoded = text
    .replaceAll("&#215;", "x")
    .replaceAll(/&#822[01];|&quot;|&#34;/g, '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  return decoded.replace(/\s+/g, " ");
}

/** Strings and numbers in example data, without addresses of links. */
function valuesIn(data: unknown): string[] {
  if (typeof data === "string") return /^(?:https?:|$)/.test(data) ? [] : [data];
  if (typeof data === "number") return [String(data)];
  if (typeof data !== "object" || data === null) return [];
  return Object.values(data).flatMap(valuesIn);
}

/** Mail of the gallery; alert mail has its own layout. */
const mails = builtInTemplates.filter(({ template }) => template.name !== "alert");

describe("the built-in templates", () => {
  it("are listed once each, with a title and a purpose", () => {
    expect(builtInTemplates.map(({ template }) => template.name)).toEqual([
      "welcome",
      "reset",
      "receipt",
      "invitation",
      "digest",
      "alert",
    ]);
    for (const { title, description } of builtInTemplates)
      expect([title.length > 0, /^[A-Z].*\.$/.test(description)]).toEqual([true, true]);
  });

  it.each(builtInTemplates.map((one) => [one.template.name, one] as const))(
    "%s has no errors, and its example has a value for each variable",
    (_, one) => {
      const { faults, undeclared, unused } = inspectTemplate(one.template);
      expect({ faults, undeclared, unused }).toEqual({ faults: [], undeclared: [], unused: [] });
      const { variables } = one.template;
      for (const { name } of variables) expect(Object.keys(one.example)).toContain(name);
      expect(rendered(one, one.example).subject).not.toBe("");
    },
  );

  it.each(builtInTemplates.map((one) => [one.template.name, one] as const))(
    "%s passes the checks of captured mail, and loads nothing",
    async (_, one) => {
      const mail = rendered(one, one.example);
      const checks = await checksOf(mail);
      const found = checks.flatMap(({ findings }) => findings.map(({ code, severity }) => [severity, code]));
      // Rules for dark mode and corners that Outlook ignores; a receipt or a reset needs no List-Unsubscribe.
      const harmless = ["css.media", "css.border_radius", "content.no_unsubscribe"];
      expect(found.filter(([, code = ""]) => !harmless.includes(code))).toEqual([]);
      expect(found.every(([severity]) => severity === "info")).toBe(true);
      expect(Buffer.byteLength(mail.html)).toBeLessThan(GMAIL_CLIP_BYTES / 5);
      const { elements, images } = await scanHtml(mail.html);
      expect(images).toEqual([]);
      for (const name of ["img", "link", "script", "iframe", "object", "svg", "form", "base"])
        expect(elements).not.toContain(name);
      expect(mail.html).not.toMatch(/url\(|@import|\bsrc=|<v:/i);
    },
  );

  it.each(mails.map((one) => [one.template.name, one] as const))(
    "%s is a table of 600 px with inline styles, a preview line and colors for dark mode",
    async (_, one) => {
      const { html } = rendered(one, one.example);
      expect(html).toContain(
        '<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="600"',
      );
      expect(html).toContain("max-width:600px");
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain("@media (prefers-color-scheme: dark)");
      expect(/<div style="display:none[^"]*">(.{10,})&#847;/.exec(html)?.[1]).toBeTruthy();
      expect(html).not.toMatch(/display\s*:\s*(?:flex|grid)|float\s*:|position\s*:/);
      // The color of each element is inline: the head may be ignored.
      for (const [tag] of html.matchAll(/<(?:p|h1|td|a)\b[^>]*class="[^"]*(?:text|dim|link)[^"]*"[^>]*>/g))
        expect(tag).toMatch(/style="[^"]*color:#/);
    },
  );

  it("use each class of the head", async () => {
    const all = mails.map((one) => rendered(one, one.example).html);
    for (const html of all) {
      const { sheets } = await scanHtml(html);
      const classes = [...sheets.matchAll(/\.([a-z]+) \{/g)].map(([, name = ""]) => name);
      expect(classes).toHaveLength(7);
      for (const name of classes) expect(all.join()).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
    }
  });

  it.each(builtInTemplates.map((one) => [one.template.name, one] as const))(
    "%s says the same in text and HTML",
    (_, one) => {
      const { html, text } = rendered(one, one.example);
      const inHtml = wordsOf(html);
      const inText = text.replace(/\s+/g, " ");
      const shown = valuesIn(one.example).filter((value) => inHtml.includes(value) || inText.includes(value));
      expect(shown.length).toBeGreaterThan(4);
      for (const value of shown) {
        expect(inText).toContain(value.replace(/\s+/g, " "));
        expect(inHtml).toContain(value.replace(/\s+/g, " "));
      }
      const hrefs = [...html.matchAll(/href="(https:[^"]*)"/g)].map(([, href = ""]) => href);
      expect(hrefs.length).toBeGreaterThan(0);
      for (const href of hrefs) expect(text).toContain(href);
    },
  );

  it.each(mails.map((one) => [one.template.name, one] as const))(
    "%s needs only its required variables, and escapes them in HTML",
    (_, one) => {
      const { variables } = one.template;
      const required = variables.filter((variable) => !("fallback" in variable));
      const hostile = "<img src=x onerror=alert(1)>";
      const data = Object.fromEntries(
        required.map(({ name, type }) => [
          name,
          type === "list" ? [{ name: hostile, amount: hostile }] : hostile,
        ]),
      );
      const { html, text } = rendered(one, data);
      expect(html).not.toContain("<img");
      expect(text).toContain(hostile);
      expect(text).not.toMatch(/\n{4}|undefined|\[object/);
      expect(html).not.toMatch(/undefined|\[object/);
    },
  );
});
