import { InvalidArgumentError, Option } from "commander";
import { messageSources } from "../../shared/message-source.ts";
import { messageStates } from "../../shared/message-state.ts";
import type { CommandOption } from "../core-command.ts";
import { collect, readMoment } from "./read-options.ts";
import { type TimeRange, timesOf } from "./time-range.ts";

/** Values of the options that filter messages. */
export interface MessageFilterOptions extends TimeRange {
  readonly state?: string;
  readonly recipient?: string;
  readonly sender?: string;
  readonly subject?: string;
  readonly tag?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly policy?: string;
  readonly key?: string;
  readonly source?: string;
  readonly template?: string;
  readonly category?: string;
  readonly query?: string;
  readonly provider?: string;
  readonly opened?: string;
  readonly clicked?: string;
}

/** Options that filter messages. */
export const MESSAGE_FILTER: readonly CommandOption[] = [
  ["--query <query>", "search query: words, ids, and from:, to:, subject:, tag:, state:, meta:name=value"],
  new Option("--state <state>", "only messages in this state").choices(messageStates),
  ["--recipient <text>", "only to this address, @domain, or words in the address"],
  ["--sender <text>", "only from this address, @domain, or words in the address"],
  ["--subject <words>", "only messages with these words in the subject, in any order"],
  ["--tag <tag>", "only messages with this tag; repeatable", collect],
  ["--metadata <name=value>", "only messages with this metadata entry; repeatable", collectEntry],
  ["--policy <name>", "only messages of this routing policy"],
  ["--key <id>", "only messages sent with the key with this id"],
  new Option("--source <way>", "only messages from this source").choices(messageSources),
  ["--template <name>", "only messages made with this template"],
  ["--category <category>", "only messages whose last refusal has this category, for example mailbox_full"],
  ["--provider <name>", "only to this mail provider, for example google, or to this domain"],
  new Option("--opened <answer>", "only messages that a person opened (yes) or did not open (no)").choices([
    "yes",
    "no",
  ]),
  new Option(
    "--clicked <answer>",
    "only messages with a link that a person followed (yes), or without (no)",
  ).choices(["yes", "no"]),
  ["--from <moment>", "accepted at or after this time, for example 2030-01-02T09:00:00Z", readMoment],
  ["--until <moment>", "accepted before this time", readMoment],
];

function collectEntry(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = value.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be a name and a value, for example order=17.");
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
}

/** True if the options exclude any message. */
export function choosesMessages(options: MessageFilterOptions): boolean {
  const { states, tags, metadata, ...others } = messageFilterOf(options);
  const lists = [states, tags, Object.keys(metadata)];
  return lists.some((list) => list.length > 0) || Object.values(others).some((value) => value !== "");
}

/** The filter of a request to the core. */
export function messageFilterOf(options: MessageFilterOptions) {
  const { state, recipient = "", sender = "", subject = "", tag = [], metadata = {} } = options;
  const { policy = "", key = "", source = "", template = "", category = "", query = "" } = options;
  const { provider = "", opened = "", clicked = "" } = options;
  return {
    recipient,
    sender,
    subject,
    metadata,
    source,
    template,
    category,
    q: query,
    provider,
    opened,
    clicked,
    tags: [...tag],
    routingPolicy: policy,
    keyId: key,
    states: state === undefined ? [] : [state],
    ...timesOf(options),
  };
}
