import type { DescMessage, Message } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { messageJson } from "../../src/cli/output/json.ts";
import { createProgram } from "../../src/cli/program.ts";
import { answeringCore, type Call, commandLines, emptyObject, HIDDEN } from "./answering-core.ts";
import { runHermod } from "./run-hermod.ts";

const none = () => Promise.reject(new Error("not called in this test"));
const nowhere = { write: () => true };
const program = createProgram({ start: none, connect: none, compact: none, out: nowhere, err: nowhere });
const lines = commandLines(program).map(({ command, argv }) => ({ name: argv.join(" "), command, argv }));

/** Commands with a short answer of their own instead of a message of the core. */
const ownJson = [
  ...["account delete", "backup", "domain zone-file", "secrets rotate", "template roll-back", "webhook test"],
  ...[
    "domain remove",
    "member remove",
    "member sign-out",
    "policy delete",
    "sender remove",
    "webhook remove",
  ],
  ...[
    "alert-rule remove",
    "alert-target remove",
    "heartbeat remove",
    "inhibition remove",
    "intel domain remove",
    "intel schedule remove",
  ],
  ...["intel report download", "intel report remove", "intel label remove"],
  ...["on-call remove", "on-call override remove"],
  "intel client remove",
];
const isOwn = (name: string) => ownJson.some((own) => name.startsWith(`${own} `) || name === own);

async function run(argv: readonly string[], answers: "filled" | "unset" = "filled") {
  const { core, calls } = answeringCore(answers);
  return { calls, ran: await runHermod(argv, { core: core as never, input: emptyObject() }) };
}

/** The messages in an answer: the answer itself, and those in its fields. */
function messagesIn({ output, answer }: Call): (readonly [DescMessage, Message])[] {
  const fields = answer as unknown as Record<string, unknown>;
  const inFields = output.fields.flatMap(({ localName, message }) => {
    const value = message && fields[localName];
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return message ? values.map((one) => [message, one as Message] as const) : [];
  });
  return [[output, answer], ...inFields];
}

/** An element of a list, or the whole JSON. */
const elementOf = (json: { data?: unknown[] }) =>
  (json.data ? json.data[0] : json) as Record<string, unknown>;

it("finds every command", () => {
  expect(lines.length).toBeGreaterThan(130);
  expect(ownJson.filter((own) => !lines.some(({ name }) => `${name} `.startsWith(`${own} `)))).toEqual([]);
});

it.each(lines.filter(({ name }) => !isOwn(name) && !/^secrets/.test(name)))(
  "hermod $name --json writes a message of the core with all of its fields",
  async ({ argv }) => {
    const { ran, calls } = await run([...argv, "--json"]);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const element = elementOf(JSON.parse(ran.out));
    const given = new Set(Object.keys(element));
    // Lists leave out the fields that the core leaves empty in them.
    const isWhole = ([schema, message]: readonly [DescMessage, Message]) =>
      Object.entries(messageJson(schema, message) ?? {}).every(
        ([name, value]) =>
          JSON.stringify(element[name]) === JSON.stringify(value) ||
          (!given.has(name) && ["keys", "records", "checks", "history"].includes(name)) ||
          name === "queue",
      );
    const whole = calls.flatMap(messagesIn).find(isWhole);
    expect(whole).toBeDefined();
  },
);

it.each(lines)("hermod $name shows no password and no header value", async ({ argv }) => {
  for (const more of [[], ["--json"]]) expect((await run([...argv, ...more])).ran.out).not.toContain(HIDDEN);
});

/** The list method of the core that a command calls, if it has pages. */
const pagedCall = (calls: readonly Call[]) =>
  calls.findLast(({ method, input }) => /^list/.test(method) && "pageToken" in input.field);

const lists = await Promise.all(
  lines.map(async (line) => {
    const { ran, calls } = await run([...line.argv, "--json"]);
    const isList = ran.code === 0 && Array.isArray(JSON.parse(ran.out).data);
    return isList && !/ put /.test(line.name) ? [{ ...line, paged: pagedCall(calls) }] : [];
  }),
).then((all) => all.flat());

it.each(lists)("hermod $name has the paging of its core method", async ({ command, argv, paged }) => {
  const options = command.options.map(({ long }) => long);
  expect(["--limit", "--cursor"].filter((option) => options.includes(option))).toEqual(
    paged ? ["--limit", "--cursor"] : [],
  );
  if (!paged) return;
  const { calls } = await run([...argv, "--limit", "7", "--cursor", "behind"]);
  expect(pagedCall(calls)?.request).toMatchObject({ pageSize: 7, pageToken: "behind" });
});

it.each(lists.filter(({ name }) => !name.startsWith("account deletions")))(
  "hermod $name writes a table, or a sentence instead",
  async ({ argv }) => {
    const { ran: table } = await run(argv);
    expect(table.out.split("\n")[0]).toMatch(/^[A-Z][A-Z ]*$/);
    const { ran: empty } = await run(argv, "unset");
    expect(empty.out).toMatch(/^[A-Z].*[.`]\n$/);
    expect(JSON.parse((await run([...argv, "--json"], "unset")).ran.out)).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  },
);

it("knows every field of an answer that may contain a secret", async () => {
  const seen = new Set<string>();
  const suspicious = new Set<string>();
  const visit = (schema: DescMessage) => {
    if (seen.has(schema.typeName)) return;
    seen.add(schema.typeName);
    for (const { name, message } of schema.fields) {
      if (/password|secret|token|private|hash/.test(name)) suspicious.add(`${schema.typeName}.${name}`);
      if (message) visit(message);
    }
  };
  for (const { argv } of lines.filter(({ name }) => !isOwn(name))) {
    const { calls } = await run([...argv, "--json"]);
    for (const call of calls) for (const [schema] of messagesIn(call).slice(1)) visit(schema);
  }
  const known = {
    "hermod.audit.v1.Change.secret": "says that a value is left out",
    "hermod.delivery.v1.DeliveryHeader.is_secret": "whether a value is left out",
    "hermod.domain.v1.DomainLink.token": "of a link that its creator hands on",
    "hermod.erasure.v1.Erasure.address_hash": "the proof of an erasure, for who knows the address",
    "hermod.heartbeat.v1.Heartbeat.token_created_at": "a time",
    "hermod.heartbeat.v1.Heartbeat.token_prefix": "the beginning, which distinguishes tokens",
    "hermod.installation.v1.SignInWays.password_reset": "whether mail replaces passwords",
    "hermod.policy.v1.SmtpTransport.password": "always null",
    "hermod.target.v1.Target.secrets": "times",
    "hermod.user.v1.User.must_change_password": "a choice",
    "hermod.webhook.v1.Webhook.secrets": "algorithms, public keys and times",
  };
  expect([...suspicious].sort()).toEqual(Object.keys(known));
});

/** Paths of the values in a JSON, as `data[].id`. */
function pathsIn(json: unknown, path: string): string[] {
  if (Array.isArray(json)) return json.length === 0 ? [path] : pathsIn(json[0], `${path}[]`);
  if (typeof json !== "object" || json === null || Object.keys(json).length === 0) return [path];
  return Object.entries(json).flatMap(([name, value]) =>
    pathsIn(value, path === "" ? name : `${path}.${name}`),
  );
}

/** As `path`, or `path?` for a value that is null where the core has none. */
async function fieldsOf(argv: readonly string[]): Promise<string> {
  const { ran } = await run([...argv, "--json"]);
  // These two wait for an end, which such an answer does not have.
  const waits = ["job watch", "backup"].some((name) => argv.join(" ").startsWith(name));
  const unset = waits ? undefined : (await run([...argv, "--json"], "unset")).ran;
  const nothing = unset?.code === 0 ? JSON.parse(unset.out) : {};
  const isNull = (path: string) => path.split(".").reduce((value, name) => value?.[name], nothing) === null;
  return pathsIn(JSON.parse(ran.out), "")
    .map((path) => (isNull(path) ? `${path}?` : path))
    .join("\n  ");
}

it("writes the documented fields: none is renamed, removed or newly null", async () => {
  const commands = new Map<string, string[]>();
  for (const { name, argv } of lines.filter(({ name }) => !name.startsWith("secrets"))) {
    const fields = await fieldsOf(argv);
    commands.set(fields, [...(commands.get(fields) ?? []), name]);
  }
  const text = [...commands].map(([fields, names]) => `${names.join(", ")}\n  ${fields}\n`).join("\n");
  await expect(text).toMatchFileSnapshot("./expected/json-fields.txt");
});
