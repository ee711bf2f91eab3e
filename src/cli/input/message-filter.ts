import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, InvalidArgumentError, Option } from "commander";
import { messageSources } from "../../shared/message-source.ts";
import { messageStates } from "../../shared/message-state.ts";
import { collect, readMoment } from "./read-options.ts";

/** The options that choose messages. */
export interface MessageFilterOptions {
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
  readonly from?: Date;
  readonly until?: Date;
}

/** Gives a command the options that choose messages. */
export function withMessageFilter(command: Command): Command {
  return command
    .addOption(new Option("--state <state>", "only those in this state").choices(messageStates))
    .option("--recipient <text>", "only to this address, @domain, or words that stand in the address")
    .option("--sender <text>", "only from this address, @domain, or words that stand in the address")
    .option("--subject <words>", "only with these words in the subject, in any order")
    .option("--tag <tag>", "only with this tag; may be given several times", collect)
    .option("--metadata <name=value>", "only with this entry; may be given several times", collectEntry)
    .option("--policy <name>", "only of this routing policy")
    .option("--key <id>", "only what came with the key of this id")
    .addOption(new Option("--source <way>", "only what came this way").choices(messageSources))
    .option("--template <name>", "only what was made with this template")
    .option("--category <category>", "only those whose last refusal is about this, as mailbox_full")
    .option("--from <moment>", "accepted from then on, as 2030-01-02T09:00:00Z", readMoment)
    .option("--until <moment>", "accepted before then", readMoment);
}

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
  const { policy = "", key = "", source = "", template = "", category = "", from, until } = options;
  return {
    recipient,
    sender,
    subject,
    metadata,
    source,
    template,
    category,
    tags: [...tag],
    routingPolicy: policy,
    keyId: key,
    states: state === undefined ? [] : [state],
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}
