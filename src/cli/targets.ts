import { Argument, Option } from "commander";
import {
  type Target,
  TargetDeliverySchema,
  TargetSchema,
  TestTargetResponseSchema,
} from "../../gen/hermod/target/v1/target_service_pb.ts";
import { type CommandContext, commandGroup } from "./core-command.ts";
import { headerOf, headersOf } from "./input/headers.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { readText } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod alert-target` */
export const targets = commandGroup(
  "alert-target",
  "Alert targets, which rules notify in addition to mail.",
  () => [
    targetList,
    targetShow,
    targetAdd,
    targetChange,
    targetRotate,
    targetTest,
    targetDeliveries,
    targetRemove,
  ],
);

const TARGET = ["<target>", "id of the target"] as const;
const URL_HELP = "URL of the webhook, or - to read it from standard input";

/** `hermod alert-target list` */
const targetList = listCommand({
  description: "List the alert targets of an account.",
  call: ({ core, account, page }) => core.targets.listTargets({ accountId: account, ...page }),
  of: "targets",
  schema: TargetSchema,
  columns: [
    ["TARGET", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["KIND", ({ kind }) => kind],
    ["HOST", ({ host }) => printable(host)],
    ["STATE", ({ state }) => state],
  ],
  none: "There are no alert targets. Add one with `hermod alert-target add`.",
});

/** `hermod alert-target show` */
const targetShow = showCommand({
  name: "show",
  description: "Show an alert target.",
  arguments: [TARGET],
  call: ({ core, account, args: [id = ""] }) => core.targets.getTarget({ accountId: account, id }),
  of: "target",
  schema: TargetSchema,
  text: (target, { paint }) => targetText(paint, target),
});

interface AddOptions {
  readonly description?: string;
  readonly header?: string[];
  readonly rate?: number;
}

/** `hermod alert-target add`: shows the secret of a webhook once. */
const targetAdd = showCommand({
  name: "add",
  description: "Add an alert target. Rules can notify it from now on.",
  arguments: [
    new Argument("<kind>", "kind of the target").choices(["webhook", "slack", "teams"]),
    ["<name>", "name of the target, for example ops-channel"],
    ["<url>", URL_HELP],
  ],
  options: [
    ["--description <text>", "description, for people"],
    ["--header <headers...>", "headers of every request, for example 'X-Key: secret'"],
    ["--rate <number>", "largest number of requests per second", Number],
  ],
  call: async ({ core, account, args, environment }, { header = [], rate, ...options }: AddOptions) => {
    const [kind = "", name = "", url = ""] = args;
    const settings = { name, url: await urlOf(url, environment), headers: header.map(headerOf) };
    return core.targets.createTarget({
      accountId: account,
      kind,
      settings: { ...settings, ...options, ...(rate !== undefined && { ratePerSecond: rate }) },
    });
  },
  of: "target",
  schema: TargetSchema,
  also: ({ secret }) => ({ secret }),
  text: ({ id }, { answer: { secret } }) =>
    secret === "" ? `Added the alert target ${id}.` : secretText(`Added the alert target ${id}.`, secret),
});

interface ChangeOptions extends AddOptions, OnRevision {
  readonly name?: string;
  readonly url?: string;
  readonly clear?: readonly string[];
}

/** `hermod alert-target change`: settings without an option stay. */
const targetChange = showCommand({
  name: "change",
  description: "Change the settings of an alert target. Settings without an option and the secret stay.",
  arguments: [TARGET],
  options: [
    ["--name <name>", "new name"],
    ["--url <url>", `${URL_HELP}; the headers must be given again`],
    ["--description <text>", "description, for people"],
    ["--header <headers...>", "headers to add or replace"],
    ["--rate <number>", "largest number of requests per second", Number],
    new Option("--clear <what...>", "clear these settings").choices(["description", "rate", "header"]),
    IF_REVISION,
  ],
  call: async ({ core, account, args: [id = ""], environment }, options: ChangeOptions) => {
    const { clear = [], header = [] } = options;
    const former = required((await core.targets.getTarget({ accountId: account, id })).target, "target");
    const rate = options.rate ?? (clear.includes("rate") ? undefined : former.ratePerSecond);
    const present = clear.includes("header") ? [] : former.headers.map((name) => ({ name }));
    const description = clear.includes("description") ? "" : former.description;
    const settings = {
      name: options.name ?? former.name,
      description: options.description ?? description,
      headers: headersOf(present, header),
      ...(options.url !== undefined && { url: await urlOf(options.url, environment) }),
      ...(rate !== undefined && { ratePerSecond: rate }),
    };
    const { ifRevision = former.revision } = options;
    return core.targets.replaceTarget({ accountId: account, id, ifRevision, settings });
  },
  of: "target",
  schema: TargetSchema,
  text: (_target, { args: [id = ""] }) => `Changed ${printable(id)}.`,
});

/** `hermod alert-target rotate`: shows the new secret once. */
const targetRotate = showCommand({
  name: "rotate",
  description: "Create a new secret of a webhook. During the overlap, the former secret also signs requests.",
  arguments: [TARGET],
  options: [["--overlap <seconds>", "length of the overlap in seconds, 0 to 604800", Number, 86_400]],
  call: ({ core, account, args: [id = ""] }, { overlap }: { overlap: number }) =>
    core.targets.rotateTargetSecret({ accountId: account, id, overlapSeconds: overlap }),
  of: "target",
  schema: TargetSchema,
  also: ({ secret }) => ({ secret }),
  text: ({ id }, { answer: { secret } }) => secretText(`Changed the secret of ${id}.`, secret),
});

/** `hermod alert-target test` */
const targetTest = showCommand({
  name: "test",
  description: "Send a sample to an alert target, and show its answer.",
  arguments: [TARGET],
  call: async ({ core, account, args: [id = ""] }) => ({
    test: await core.targets.testTarget({ accountId: account, id }),
  }),
  of: "test",
  schema: TestTargetResponseSchema,
  text: ({ accepted, detail, answer }) => {
    const words = printable(answer);
    return `${accepted ? "Accepted" : "Not accepted"}: ${printable(detail)}${words === "" ? "" : ` (${words})`}.`;
  },
  isFailure: ({ accepted }) => !accepted,
});

/** `hermod alert-target deliveries`: newest first. */
const targetDeliveries = listCommand({
  name: "deliveries",
  description: "List the notices to an alert target, newest first.",
  arguments: [TARGET],
  limit: 50,
  call: ({ core, account, args: [id = ""], page }) =>
    core.targets.listTargetDeliveries({ accountId: account, id, ...page }),
  of: "deliveries",
  schema: TargetDeliverySchema,
  columns: [
    ["TIME", ({ at }) => plainTime(at)],
    ["STATE", ({ state }) => state],
    ["ATTEMPTS", ({ attempts }) => attempts],
    ["INCIDENT", ({ incidentId }) => incidentId || "digest"],
    ["RESULT", ({ detail }) => printable(detail)],
  ],
  none: "The target has no notices.",
});

/** `hermod alert-target remove` */
const targetRemove = removeCommand(
  {
    description: "Remove an alert target. Its waiting notices are never sent.",
    arguments: [TARGET],
    options: [FORCE, IF_REVISION],
  },
  async ({ core, account, args: [id = ""] }, options: OnRevision & { force?: boolean }) => {
    const { use } = await core.targets.deleteTarget({ accountId: account, id, ...options });
    return { use, text: `Removed the alert target ${printable(id)}.` };
  },
);

/** The URL is a secret, which standard input keeps out of the list of processes. */
async function urlOf(given: string, { input }: CommandContext["environment"]): Promise<string> {
  return given === "-" ? (await readText("-", input)).trim() : given;
}

const secretText = (done: string, secret: string) =>
  `${done} Its requests are signed with this secret, which is not shown again:\n\n    ${secret}\n`;

function targetText(paint: Paint, target: Target): string {
  const { secrets, lastDeliveredAt, lastFailedAt, lastFailure } = target;
  const lines: readonly (readonly [string, string])[] = [
    ["Target", target.id],
    ["Name", printable(target.name)],
    ["Kind", target.kind],
    ["Host", printable(target.host)],
    ["Description", printable(target.description)],
    ["Rate", `at most ${target.ratePerSecond} requests per second`],
    ["Headers", target.headers.map(printable).join(", ")],
    ["State", target.state],
    ["Last accepted", plainTime(lastDeliveredAt)],
    ["Last failure", lastFailedAt ? `${plainTime(lastFailedAt)}: ${printable(lastFailure)}` : ""],
    ...secrets.map(({ createdAt, expiresAt }): readonly [string, string] => [
      "Secret",
      `of ${plainTime(createdAt)}${expiresAt ? `, until ${plainTime(expiresAt)}` : ""}`,
    ]),
  ];
  const shown = lines.filter(([, value]) => value !== "");
  return alignRows(shown.map(([name, value]) => [paint("bold", name), value])).join("\n");
}
