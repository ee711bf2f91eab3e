import { Option } from "commander";
import { type Webhook, WebhookSchema } from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
import { headerOf, headersOf } from "./input/headers.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { listCommand } from "./list-command.ts";
import { printable } from "./output/text.ts";
import { webhookText } from "./output/webhook-text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod webhook` */
export const webhooks = commandGroup("webhook", "Webhook endpoints, which receive events.", () => [
  webhookList,
  webhookShow,
  webhookAdd,
  webhookChange,
  webhookSwitch("disable", "Disable an endpoint. Its waiting deliveries fail."),
  webhookSwitch("enable", "Enable an endpoint. It receives events from now on."),
  webhookRotate,
  webhookTest,
  webhookRemove,
]);

const ENDPOINT = ["<endpoint>", "id of the endpoint"] as const;

/** `hermod webhook list` */
const webhookList = listCommand({
  description: "List the webhook endpoints of an account.",
  call: ({ core, account, page }) => core.webhooks.listWebhooks({ accountId: account, ...page }),
  of: "webhooks",
  schema: WebhookSchema,
  columns: [
    ["ENDPOINT", ({ id }) => id],
    ["URL", ({ settings }) => printable(settings?.url ?? "")],
    ["EVENTS", ({ settings }) => settings?.types.join(", ") || "all"],
    ["STATE", ({ disabled }) => (disabled ? `disabled (${disabled.reason})` : "enabled")],
  ],
  none: "There are no webhook endpoints. Add one with `hermod webhook add`.",
});

/** `hermod webhook show` */
const webhookShow = showCommand({
  name: "show",
  description: "Show an endpoint.",
  arguments: [ENDPOINT],
  call: ({ core, account, args: [id = ""] }) => core.webhooks.getWebhook({ accountId: account, id }),
  of: "webhook",
  schema: WebhookSchema,
  text: (webhook, { paint }) => webhookText(paint, webhook),
});

interface AddOptions {
  readonly description?: string;
  readonly type?: string[];
  readonly tag?: string[];
  readonly policy?: string[];
  readonly algorithm: string;
  readonly ordered?: true;
  readonly rate?: number;
  readonly header?: string[];
}

/** `hermod webhook add`: shows the secret once. */
const webhookAdd = showCommand({
  name: "add",
  description: "Add an endpoint. It receives events from now on.",
  arguments: [["<url>", "URL, for example https://shop.example.com/hooks/mail"]],
  options: [
    ["--description <text>", "description, for people"],
    ["--type <types...>", "only events of these types, for example message.bounced"],
    ["--tag <tags...>", "only events of messages with one of these tags"],
    ["--policy <policies...>", "only events of messages of these routing policies"],
    ["--algorithm <name>", "signature of requests: hmac-sha256 or ed25519", "hmac-sha256"],
    ["--ordered", "send the events of a message in order, one at a time"],
    ["--rate <number>", "largest number of requests per second, 1 to 1000", Number],
    ["--header <headers...>", "headers of every request, for example 'X-Key: secret'"],
  ],
  call: ({ core, account, args: [url = ""] }, options: AddOptions) => {
    const { type = [], tag = [], policy = [], header = [], rate, algorithm, ...settings } = options;
    const chosen = {
      types: type,
      tags: tag,
      policies: policy,
      headers: header.map(headerOf),
      ...(rate !== undefined && { ratePerSecond: rate }),
    };
    return core.webhooks.createWebhook({
      accountId: account,
      settings: { url, ...settings, ...chosen },
      algorithm,
    });
  },
  of: "webhook",
  schema: WebhookSchema,
  also: ({ secret }) => ({ secret }),
  text: (webhook, { answer: { secret } }) => secretText(webhook, secret, "Added the endpoint"),
});

/** Settings that `change` can clear. */
const CLEARED = ["description", "type", "tag", "policy", "rate", "header"] as const;

interface ChangeOptions extends Partial<Omit<AddOptions, "algorithm" | "ordered">> {
  readonly url?: string;
  readonly ordered?: boolean;
  readonly clear?: readonly string[];
}

/** `hermod webhook change`: settings without an option stay. */
const webhookChange = showCommand({
  name: "change",
  description: "Change the settings of an endpoint. Settings without an option and the secret stay.",
  arguments: [ENDPOINT],
  options: [
    ["--url <url>", "new URL; the headers must be given again"],
    ["--description <text>", "description, for people"],
    ["--type <types...>", "only events of these types"],
    ["--tag <tags...>", "only events of messages with one of these tags"],
    ["--policy <policies...>", "only events of messages of these routing policies"],
    ["--header <headers...>", "headers to add or replace"],
    ["--ordered", "send the events of a message in order, one at a time"],
    ["--rate <number>", "largest number of requests per second, 1 to 1000", Number],
    ["--no-ordered", "send the events of a message in any order"],
    new Option("--clear <what...>", "clear these settings or filters").choices(CLEARED),
  ],
  call: async ({ core, account, args: [id = ""] }, { clear = [], ...options }: ChangeOptions) => {
    const former = required((await core.webhooks.getWebhook({ accountId: account, id })).webhook, "webhook");
    const { settings, revision } = former;
    const kept = <T>(what: (typeof CLEARED)[number], given: T | undefined, present: T | undefined, none: T) =>
      given ?? (clear.includes(what) ? none : (present ?? none));
    const rate = kept("rate", options.rate, settings?.ratePerSecond, undefined);
    const changed = {
      url: options.url ?? settings?.url ?? "",
      description: kept("description", options.description, settings?.description, ""),
      types: kept("type", options.type, settings?.types, []),
      tags: kept("tag", options.tag, settings?.tags, []),
      policies: kept("policy", options.policy, settings?.policies, []),
      ordered: options.ordered ?? settings?.ordered ?? false,
      ...(rate !== undefined && { ratePerSecond: rate }),
      headers: headersOf(clear.includes("header") ? [] : (settings?.headers ?? []), options.header ?? []),
    };
    return core.webhooks.replaceWebhook({ accountId: account, id, revision, settings: changed });
  },
  of: "webhook",
  schema: WebhookSchema,
  text: (_webhook, { args: [id = ""] }) => `Changed ${printable(id)}.`,
});

/** `hermod webhook enable` and `disable` */
function webhookSwitch(name: "enable" | "disable", description: string) {
  return showCommand({
    name,
    description,
    arguments: [ENDPOINT],
    call: async ({ core, account, args: [id = ""] }) =>
      core.webhooks[`${name}Webhook`]({ accountId: account, id }),
    of: "webhook",
    schema: WebhookSchema,
    text: (_webhook, { args: [id = ""] }) => `${printable(id)} is ${name}d.`,
  });
}

/** `hermod webhook rotate`: shows the new secret once. */
const webhookRotate = showCommand({
  name: "rotate",
  description: "Create a new secret. During the overlap, the former secret also signs requests.",
  arguments: [ENDPOINT],
  options: [["--overlap <seconds>", "length of the overlap in seconds, 0 to 604800", Number, 86_400]],
  call: ({ core, account, args: [id = ""] }, { overlap }: { overlap: number }) =>
    core.webhooks.rotateWebhookSecret({ accountId: account, id, overlapSeconds: overlap }),
  of: "webhook",
  schema: WebhookSchema,
  also: ({ secret }) => ({ secret }),
  text: (webhook, { answer: { secret } }) => secretText(webhook, secret, "Changed the secret of"),
});

/** `hermod webhook test` */
const webhookTest = coreCommand(
  {
    name: "test",
    description: "Send a test event to an endpoint.",
    arguments: [ENDPOINT],
    options: [["--type <type>", "type of the event, which has example data", "webhook.test"]],
  },
  async ({ core, account, args: [id = ""] }, { type }: { type: string }) => {
    const { deliveryId } = await core.webhooks.sendTestEvent({ accountId: account, id, type });
    return {
      json: { delivery_id: deliveryId },
      text: () => `Sending a test event with the delivery ${deliveryId}.`,
    };
  },
);

/** `hermod webhook remove` */
const webhookRemove = removeCommand(
  {
    description: "Remove an endpoint. Its waiting deliveries are never sent.",
    arguments: [ENDPOINT],
    options: [FORCE, IF_REVISION],
  },
  async ({ core, account, args: [id = ""] }, options: OnRevision & { force?: boolean }) => {
    const { use } = await core.webhooks.deleteWebhook({ accountId: account, id, ...options });
    return { use, text: `Removed the endpoint ${printable(id)}.` };
  },
);

function secretText({ id, secrets }: Webhook, secret: string, words: string): string {
  return secrets[0]?.algorithm === "ed25519"
    ? `${words} ${id}. Its requests are verified with this public key:\n\n    ${secret}\n`
    : `${words} ${id}. Its requests are signed with this secret, which is not shown again:\n\n    ${secret}\n`;
}
