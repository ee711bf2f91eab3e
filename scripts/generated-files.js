// What `npm run generate` writes, as functions of the program's own tables.
import { faultCodes } from "../dist/contracts/common/fault-codes.js";
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
  return `<!-- Written by \`npm run generate\` from contracts/common/fault-codes.ts and field-fault-codes.ts: edit those instead. -->

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
`;
}

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
