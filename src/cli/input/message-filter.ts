import { InvalidArgumentError, Option } from "commander";
import { messageSources } from "../../shared/message-source.ts";
import { messageStates } from "../../shared/message-state.ts";
import type { CommandOption } from "../core-command.ts";
import { collect, readMoment } from "./read-options.ts";
import { type TimeRange, timesOf } from "./time-range.ts";

/** Values of the options that choose messages. */
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

/** The options that choose messages. */
export const MESSAGE_FILTER: readonly CommandOption[] = [
  [
    "--query <query>",
    "as in the search box: words, ids, and from:, to:, subject:, tag:, state:, meta:name=value",
  ],
  new Option("--state <state>", "only those in this state").choices(messageStates),
  ["--recipient <text>", "only to this address, @domain, or words that stand in the address"],
  ["--sender <text>", "only from this address, @domain, or words that stand in the address"],
  ["--subject <words>", "only with these words in the subject, in any order"],
  ["--tag <tag>", "only with this tag; may be given several times", collect],
  ["--metadata <name=value>", "only with this entry; may be given several times", collectEntry],
  ["--policy <name>", "only of this routing policy"],
  ["--key <id>", "only what came with the key of this id"],
  new Option("--source <way>", "only what came this way").choices(messageSources),
  ["--template <name>", "only what was made with this template"],
  ["--category <category>", "only those whose last refusal is about this, as mailbox_full"],
  ["--provider <name>", "only to this mail provider, as google, or domain"],
  new Option("--opened <answer>", "only those that a person opened, or did not").choices(["yes", "no"]),
  new Option("--clicked <answer>", "only those with a link that a person followed, or did not").choices([
    "yes",
    "no",
  ]),
  ["--from <moment>", "accepted from then on, as 2030-01-02T09:00:00Z", readMoment],
  ["--until <moment>", "accepted before then", readMoment],
];

function collectEntry(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = value.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is a name and a value, as order=17.");
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
}

/** Whether any message is left out. */
export function choosesMessages(options: MessageFilterOptions): boolean {
  const { states, tags, metadata, ...others } = messageFilterOf(options);
  const lists = [states, tags, Object.keys(metadata)];
  return lists.some((list) => list.length > 0) || Object.values(others).some((value) => value !== "");
}

/** What the core is asked for. */
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
