import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { faultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import { faultTexts } from "../../contracts/common/fault-texts/fault-texts.ts";
import { fieldFaultCodes } from "../../contracts/common/field-fault-codes.ts";

/** The error catalogue as a page: where the `type` of every problem document leads. */
export function errorsPage(): string {
  const problems = Object.entries(faultCodes).map(
    ([code, { http, title, doc }]) =>
      `<dt id="${code}"><a href="#${code}"><code>${code}</code></a> <small>HTTP ${http}</small></dt>
      <dd><strong>${marked(title)}.</strong> ${marked(doc)}${textsOf(code)}</dd>`,
  );
  const fields = Object.entries(fieldFaultCodes).map(
    ([code, doc]) => `<dt id="${code}"><code>${code}</code></dt><dd>${marked(doc)}${textsOf(code)}</dd>`,
  );
  const params = Object.entries(faultParams).map(
    ([name, { type, doc }]) =>
      `<dt><code>${name}</code> <small>${type === "strings" ? "array of strings" : type}</small></dt><dd>${marked(doc)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hermod errors</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
      dt { margin-top: 1.25rem; } dd { margin: 0; } dt:target { outline: 2px solid; outline-offset: 4px; }
      a { color: inherit; }
    </style>
  </head>
  <body>
    <p><a href="../docs">API reference</a></p>
    <h1>Errors</h1>
    <p>Every error is a problem document (RFC 9457, <code>application/problem+json</code>). Look at its
    <code>code</code>: titles and sentences may be reworded, codes are not.</p>
    <dl>${problems.join("\n")}</dl>
    <h2>Codes of single fields</h2>
    <p>Entries of <code>errors</code> carry one of these codes, or one from above that says more.</p>
    <dl>${fields.join("\n")}</dl>
    <h2>Params</h2>
    <p>A problem document and each entry of <code>errors</code> can have <code>params</code>: the values in the English
    text. <code>code</code> and <code>params.reason</code> name the text.</p>
    <dl>${params.join("\n")}</dl>
  </body>
</html>
`;
}

/** The texts of a code by their reasons, with the names of their params in braces. */
function textsOf(code: string): string {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = faultTexts;
  const items = Object.entries(texts[code] ?? {}).map(
    ([reason, text]) => `<li><code>${reason}</code>: ${marked(text)}</li>`,
  );
  return items.length === 0 ? "" : `<details><summary>Texts</summary><ul>${items.join("\n")}</ul></details>`;
}

/** The catalogue's sentences know one mark: code between backticks. */
function marked(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return escaped.replace(/`([^`]+)`/g, "<code>$1</code>");
}
