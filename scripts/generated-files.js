// The output of `npm run generate`, as functions of the program's own tables.
import { faultCodes } from "../dist/contracts/common/fault-codes.js";
import { faultParams } from "../dist/contracts/common/fault-texts/fault-params.js";
import { faultTexts, paramNamesIn } from "../dist/contracts/common/fault-texts/fault-texts.js";
import { fieldFaultCodes } from "../dist/contracts/common/field-fault-codes.js";
import { dashboardDocument, openApi30Document, openApiDocument } from "../dist/contracts/openapi.js";
import { settings } from "../dist/src/settings.js";

export function openApiJson() {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

export function openApi30Json() {
  return `${JSON.stringify(openApi30Document(), null, 2)}\n`;
}

export function dashboardOpenApiJson() {
  return `${JSON.stringify(dashboardDocument(), null, 2)}\n`;
}

export function envExample() {
  const entries = Object.entries(settings).map(([name, schema]) => {
    if (!schema.description) throw new Error(`src/settings.ts: ${name} has no description`);
    const { data } = schema.safeParse(undefined);
    const value = Array.isArray(data) ? data.join(",") : (data ?? "");
    return `# ${schema.description}\n#${name}=${value}\n`;
  });
  const head =
    "# Hermod's settings, each with its default. Written by `npm run generate` from src/settings.ts.\n";
  return [head, ...entries].join("\n");
}

export function errorsPage() {
  const rows = Object.entries(faultCodes).map(([code, { http, grpc, smtp, title, doc }]) =>
    row([`<a id="${code}"></a>\`${code}\``, http, `\`${grpc}\``, `\`${smtp}\``, `**${title}.** ${doc}`]),
  );
  const fieldRows = Object.entries(fieldFaultCodes).map(([code, doc]) => row([`\`${code}\``, doc]));
  const types = { string: "string", number: "number", strings: "array of strings" };
  const paramRows = Object.entries(faultParams).map(([name, { type, doc }]) =>
    row([`\`${name}\``, types[type], doc]),
  );
  const textRows = Object.entries(faultTexts).flatMap(([code, texts]) =>
    Object.entries(texts).map(([reason, text]) => {
      const params = ["reason", ...paramNamesIn(text)].map((name) => `\`${name}\``).join(", ");
      return row([`\`${code}\``, `\`${reason}\``, inCode(text), params]);
    }),
  );
  return `<!-- Written by \`npm run generate\` from contracts/common/fault-codes.ts, field-fault-codes.ts and fault-texts: edit those instead. -->

# Errors

Every fault that a caller can see has one code, whatever way the caller came. Programs should look at the code:
titles and sentences may be reworded, codes are not.

- **HTTP** answers with a problem document (RFC 9457, \`application/problem+json\`) whose \`code\` is the code and whose
  \`sx_trace_id\` finds the request in the log. \`Retry-After\` says when to try again where that can help.
- **gRPC** answers with the status named here; the details (\`google.rpc.Status\`) carry an \`ErrorInfo\` whose \`reason\` is
  the code.
- **SMTP** answers with the reply code and the enhanced status code (RFC 3463) named here.

| Code | HTTP | gRPC | SMTP | What it means |
|---|---|---|---|---|
${rows.join("\n")}

## Codes of single fields

Entries of \`errors\` in a problem document name a field by JSON pointer (RFC 6901) and carry one of these codes, or a
code of the table above where that says more (\`policy.unknown\` for instance).

| Code | What it means |
|---|---|
${fieldRows.join("\n")}

## Params

A problem document and each entry of \`errors\` can have \`params\`: the values in the English text, for clients that say
it in another language. \`code\` and \`params.reason\` name the text, the other params fill it. Use the English text for
a code or reason that the client does not know, and where \`params\` is missing: a fault without a text of its own has
the sentence of its code, and params over 1,500 octets are left out. Strings are cut to 200 characters, and control
characters in them are U+FFFD. Over gRPC the \`ErrorInfo\` carries them in \`metadata\`: \`params\` as a JSON object, and
\`fieldParams\` as a JSON array with an object or null for each field violation. Later versions may know more reasons
and params.

| Param | Type | Meaning |
|---|---|---|
${paramRows.join("\n")}

## Texts by code and reason

\`{name}\` is a param. \`{name:format}\` is a param in English words or with digits in groups.

| Code | Reason | Text | Params |
|---|---|---|---|
${textRows.join("\n")}
`;
}

/** Code that contains backticks is enclosed in double backticks (CommonMark 6.1). */
const inCode = (text) => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
