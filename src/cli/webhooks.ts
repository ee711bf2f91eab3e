import { type Command, Option } from "commander";
import type { Webhook } from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { FORCE, withUse } from "./output/describe-removal.ts";
import { table } from "./output/table.ts";
import { listJson, printable } from "./output/text.ts";
import { webhookJson, webhookText } from "./output/webhook-text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod webhook` */
export function webhooks(program: Command, surroundings: Surroundings): void {
  const group = program.command("webhook").description("Endpoints to which events are posted.");
  webhookList(group, surroundings);
  webhookShow(group, surroundings);
  webhookAdd(group, surroundings);
  webhookChange(group, surroundings);
  webhookSwitch(group, surroundings, "disable");
  webhookSwitch(group, surroundings, "enable");
  webhookRotate(group, surroundings);
  webhookTest(group, surroundings);
  webhookRemove(group, surroundings);
}

/** `hermod webhook list` */
function webhookList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the webhook endpoints of an account.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const found = await allPages(
      (pageToken) => core.webhooks.listWebhooks({ accountId: account, pageToken }),
      (page) => page.webhooks,
    );
    const rows = found.map((webhook) => [
      webhook.id,
      printable(webhook.settings?.url ?? ""),
      webhook.settings?.types.join(", ") || "everything",
      webhook.disabled ? `disabled (${webhook.disabled.reason})` : "enabled",
    ]);
    const nothing = "There are no webhook endpoints. Add one with `hermod webhook add`.";
    return {
      json: listJson(found.map(webhookJson)),
      text: () => table(paint, ["ENDPOINT", "URL", "EVENTS", "STATE"], rows, nothing),
    };
  });
}

/** `hermod webhook show` */
function webhookShow(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("show").argument("<endpoint>", "its id").description("Show an endpoint.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""], paint }) => {
    const webhook = found((await core.webhooks.getWebhook({ accountId: account, id })).webhook);
    return { json: webhookJson(webhook), text: () => webhookText(paint, webhook) };
  });
}

interface AddOptions {
  readonly description?: string;
  readonly type?: string[];
  readonly tag?: string[];
  readonly policy?: string[];
  readonly algorithm: string;
  readonly ordered?: true;
  readonly header?: string[];
}

/** `hermod webhook add`: prints the secret, once. */
function webhookAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<url>", "as https://shop.example.com/hooks/mail")
    .description("Add an endpoint; it hears of what happens from then on.")
    .option("--description <text>", "for people")
    .option("--type <types...>", "only these events, as message.bounced")
    .option("--tag <tags...>", "only messages with one of these tags")
    .option("--policy <policies...>", "only messages of one of these routing policies")
    .option("--algorithm <name>", "how requests are signed: hmac-sha256 or ed25519", "hmac-sha256")
    .option("--ordered", "the events of a message one after the other, in their order")
    .option("--header <headers...>", "sent with every request, as 'X-Key: secret'");
  coreCommand<AddOptions>(surroundings, command, async ({ core, account, args: [url = ""] }, options) => {
    const {
      description = "",
      type: types = [],
      tag: tags = [],
      policy: policies = [],
      ordered = false,
      header = [],
    } = options;
    const headers = header.map(headerOf);
    const settings = { url, description, types, tags, policies, ordered, headers };
    const { webhook, secret } = await core.webhooks.createWebhook({
      accountId: account,
      settings,
      algorithm: options.algorithm,
    });
    return withSecret(webhook, secret, "The endpoint is");
  });
}

/** What `change` can take away from an endpoint. */
const CLEARED = ["description", "type", "tag", "policy", "header"] as const;

interface ChangeOptions extends Partial<Omit<AddOptions, "algorithm" | "ordered">> {
  readonly url?: string;
  readonly ordered?: boolean;
  readonly clear?: readonly string[];
}

/** `hermod webhook change`: what is not named stays. */
function webhookChange(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("change")
    .argument("<endpoint>", "its id")
    .description("Change the settings of an endpoint; what is not named stays, and so does its secret.")
    .option("--url <url>", "where it is; headers are then to be given anew")
    .option("--description <text>", "for people")
    .option("--type <types...>", "only these events from now on")
    .option("--tag <tags...>", "only messages with one of these tags")
    .option("--policy <policies...>", "only messages of one of these routing policies")
    .option("--header <headers...>", "besides those that it has, or in the place of one")
    .option("--ordered", "the events of a message one after the other, in their order")
    .option("--no-ordered", "as they come")
    .addOption(new Option("--clear <what...>", "take these away, or what chooses by them").choices(CLEARED));
  coreCommand<ChangeOptions>(
    surroundings,
    command,
    async ({ core, account, args: [id = ""] }, { clear = [], ...options }) => {
      const former = found((await core.webhooks.getWebhook({ accountId: account, id })).webhook);
      const { settings } = former;
      const kept = <T>(
        what: (typeof CLEARED)[number],
        given: T | undefined,
        present: T | undefined,
        none: T,
      ) => given ?? (clear.includes(what) ? none : (present ?? none));
      const changed = {
        url: options.url ?? settings?.url ?? "",
        description: kept("description", options.description, settings?.description, ""),
        types: kept("type", options.type, settings?.types, []),
        tags: kept("tag", options.tag, settings?.tags, []),
        policies: kept("policy", options.policy, settings?.policies, []),
        ordered: options.ordered ?? settings?.ordered ?? false,
        headers: headersOf(clear.includes("header") ? [] : (settings?.headers ?? []), options.header ?? []),
      };
      const { revision } = former;
      const { webhook } = await core.webhooks.replaceWebhook({
        accountId: account,
        id,
        revision,
        settings: changed,
      });
      return { json: webhookJson(found(webhook)), text: () => `${printable(id)} is changed.` };
    },
  );
}

/** What an endpoint has keeps its value, which is not shown, where none is given. */
function headersOf(present: readonly { readonly name: string }[], given: readonly string[]) {
  const fresh = given.map(headerOf);
  const names = new Set(fresh.map(({ name }) => name.toLowerCase()));
  const rest = present.filter(({ name }) => !names.has(name.toLowerCase()));
  return [...rest.map(({ name }) => ({ name, value: "" })), ...fresh];
}

/** As `X-Key: secret`. */
function headerOf(line: string) {
  const [name = "", ...value] = line.split(":");
  return { name: name.trim(), value: value.join(":").trim() };
}

/** `hermod webhook enable` and `disable` */
function webhookSwitch(parent: Command, surroundings: Surroundings, verb: "enable" | "disable"): void {
  const command = parent
    .command(verb)
    .argument("<endpoint>", "its id")
    .description(
      verb === "enable"
        ? "Have an endpoint hear of what happens from now on."
        : "Send an endpoint nothing more; what waits for it has failed.",
    );
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const asked = { accountId: account, id };
    const { webhook } =
      verb === "enable"
        ? await core.webhooks.enableWebhook(asked)
        : await core.webhooks.disableWebhook(asked);
    return { json: webhookJson(found(webhook)), text: () => `${printable(id)} is ${verb}d.` };
  });
}

/** `hermod webhook rotate`: prints the new secret, once. */
function webhookRotate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rotate")
    .argument("<endpoint>", "its id")
    .description("Make a new secret; the former one signs besides for a while.")
    .option("--overlap <seconds>", "for how long, 0 to 604800", Number, 86_400);
  coreCommand<{ readonly overlap: number }>(
    surroundings,
    command,
    async ({ core, account, args: [id = ""] }, { overlap: overlapSeconds }) => {
      const asked = { accountId: account, id, overlapSeconds };
      const { webhook, secret } = await core.webhooks.rotateWebhookSecret(asked);
      return withSecret(webhook, secret, "The secret is changed of");
    },
  );
}

/** `hermod webhook test` */
function webhookTest(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("test")
    .argument("<endpoint>", "its id")
    .description("Send a test event to an endpoint.")
    .option("--type <type>", "which, made of examples", "webhook.test");
  coreCommand<{ readonly type: string }>(
    surroundings,
    command,
    async ({ core, account, args: [id = ""] }, { type }) => {
      const { deliveryId } = await core.webhooks.sendTestEvent({ accountId: account, id, type });
      return {
        json: { delivery_id: deliveryId },
        text: () => `A test event is on its way: its delivery is ${deliveryId}.`,
      };
    },
  );
}

/** `hermod webhook remove` */
function webhookRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<endpoint>", "its id")
    .description("Remove an endpoint; what waits for it is never sent.")
    .option(...FORCE)
    .option(...IF_REVISION);
  coreCommand<OnRevision & { force?: boolean }>(
    surroundings,
    command,
    async ({ core, account, args: [id = ""] }, options) => {
      const { use } = await core.webhooks.deleteWebhook({ accountId: account, id, ...options });
      return withUse(use, { removed: id }, `${printable(id)} is not an endpoint any more.`);
    },
  );
}

function withSecret(answered: Webhook | undefined, secret: string, what: string) {
  const webhook = found(answered);
  return {
    json: { ...webhookJson(webhook), secret },
    text: () =>
      webhook.secrets[0]?.algorithm === "ed25519"
        ? `${what} ${webhook.id}. Its requests are verified with this public key:\n\n    ${secret}\n`
        : `${what} ${webhook.id}. Its requests are signed with this secret, which is not shown again:\n\n    ${secret}\n`,
  };
}

function found(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw fault("internal.error", { internal: "the core answered without the endpoint" });
  return webhook;
}
