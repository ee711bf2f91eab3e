import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type CoreClient, services } from "../../src/rpc/client.ts";
import { stdin } from "./run-hermod.ts";

/** A call of the core, and its answer. */
export interface Call {
  readonly method: string;
  readonly input: DescMessage;
  readonly request: Record<string, unknown>;
  readonly output: DescMessage;
  readonly answer: Message;
}

const TIME = { seconds: 1_893_456_000n, nanos: 5_000_000 };

/** A secret that no command may show. */
export const HIDDEN = "hidden-from-everybody";

/** Values that commands read: they end loops, and find the argument of a command. */
const values: Readonly<Record<string, unknown>> = {
  next_page_token: "",
  has_more: false,
  "hermod.access.v1.Key.kind": "smtp",
  "hermod.access.v1.Key.id": "name",
  "hermod.policy.v1.SmtpTransport.password": HIDDEN,
  "hermod.template.v1.TemplateVariable.fallback_json": '"Ada"',
  "hermod.webhook.v1.WebhookHeader.value": HIDDEN,
};

/** A message with a value in each field; of a oneof in one. A message within its own kind stays unset. */
function filled(schema: DescMessage, around: readonly string[] = []): Message {
  if (schema.typeName === "google.protobuf.Timestamp") return create(schema, TIME as never);
  if (schema.typeName === "google.protobuf.Value")
    return create(schema, { kind: { case: "numberValue", value: 1 } } as never);
  const init: Record<string, unknown> = {};
  const path = [...around, schema.typeName];
  for (const field of schema.fields) {
    if (field.message && path.includes(field.message.typeName)) continue;
    const value = fieldValue(schema, field, path);
    const { oneof } = field;
    if (!oneof) init[field.localName] = value;
    else if (field === (oneof.fields.find(({ name }) => name === "smtp") ?? oneof.fields[0]))
      init[oneof.localName] = { case: field.localName, value };
  }
  return create(schema, init as never);
}

function fieldValue(schema: DescMessage, field: DescField, path: readonly string[]): unknown {
  const { name, fieldKind, message, scalar } = field;
  const one = message ? messageValue(message, path) : scalarValue(`${schema.typeName}.${name}`, name, scalar);
  if (fieldKind === "list") return [one];
  return fieldKind === "map" ? { key: one } : one;
}

/** A field with a Struct has its JSON. */
const messageValue = (message: DescMessage, path: readonly string[]): unknown =>
  message.typeName === "google.protobuf.Struct" ? { mount: "/var" } : filled(message, path);

/** Numbers of ScalarType: string 9, bool 8, bytes 12, the 64-bit ones 3, 4, 6, 16 and 18. */
function scalarValue(path: string, name: string, scalar: number | undefined): unknown {
  const value = values[path] ?? values[name];
  if (value !== undefined) return value;
  if (scalar === 9) return name;
  if (scalar === 8) return true;
  if (scalar === 12) return new Uint8Array([1]);
  return [3, 4, 6, 16, 18].includes(scalar ?? 0) ? 7n : 7;
}

/** A message with only the fields that the core always sets. */
function unset(schema: DescMessage): Message {
  const init: Record<string, unknown> = {};
  for (const { localName, fieldKind, message, oneof } of schema.fields)
    if (message && fieldKind === "message" && !oneof && !message.typeName.startsWith("google."))
      init[localName] = create(message);
  return create(schema, init as never);
}

/** A core that answers every method, with a value in each field or with none. */
export function answeringCore(answers: "filled" | "unset"): { core: CoreClient; calls: Call[] } {
  const calls: Call[] = [];
  const areas = Object.entries(services).map(([area, service]) => {
    const methods = Object.entries(service.method).map(([method, { input, output }]) => {
      const answer = async (request: Record<string, unknown>) => {
        const told = answers === "filled" ? filled(output) : unset(output);
        calls.push({ method, input, request, output, answer: told });
        return told;
      };
      return [method, answer];
    });
    return [area, Object.fromEntries(methods)];
  });
  return { core: Object.fromEntries(areas) as CoreClient, calls };
}

/** Commands that do not end, write no JSON of their own, or need no core. */
const leftOut = ["start", "compact", "secrets new-key", "message tail", "event list", "event watch"];

/** Arguments and options without which a command does not begin. */
const needed: Readonly<Record<string, readonly string[]>> = {
  "silence add": ["--for", "1h"],
  "on-call override add": ["--for", "1h"],
  "intel schedule add": ["--weekly", "1"],
  "intel domain mute": ["--for", "1h"],
  "incident snooze": ["--for", "1h"],
};

/** Every command with `--json` that writes one JSON document, ready to run. */
export function commandLines(program: Command): { readonly command: Command; readonly argv: string[] }[] {
  const leaves = (command: Command, path: readonly string[]): (readonly [Command, readonly string[]])[] =>
    command.commands.length === 0
      ? [[command, path]]
      : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
  return leaves(program, [])
    .filter(([, path]) => path.at(-1) !== "export" && !leftOut.includes(path.join(" ")))
    .map(([command, path]) => ({ command, argv: argvOf(command, path) }));
}

function argvOf(command: Command, path: readonly string[]): string[] {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name();
    if (argument.argChoices) return argument.argChoices[0] ?? "";
    if (name === "conditions") return "severity eq info";
    if (name === "file" || name === "alert") return "-";
    if (name === "first" || name === "second") return "2030-01-07T08:00:00Z/2030-01-08T08:00:00Z";
    return name === "version" ? "3" : "name";
  });
  const options = command.options.flatMap(({ mandatory, long = "" }) =>
    mandatory || ["--yes", "--detach"].includes(long ?? "")
      ? [long ?? "", ...(mandatory ? ["name"] : [])]
      : [],
  );
  return [...path, ...args, ...options, ...(needed[path.join(" ")] ?? [])];
}

/** Standard input of a command that reads a file: an object without fields is one of every kind. */
export const emptyObject = () => stdin("{}");
