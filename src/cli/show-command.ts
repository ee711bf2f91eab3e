import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fault } from "../shared/fault.ts";
import {
  type AddCommand,
  type CommandContext,
  type CommandResult,
  type CommandUsage,
  coreCommand,
} from "./core-command.ts";
import { messageJson } from "./output/json.ts";

/** Context of an answer, for its text. */
export interface Shown<Answer, Options> extends CommandContext {
  readonly answer: Answer;
  readonly options: Options;
}

/** A command with one message of the core as its answer: it shows, creates or changes one resource. */
export interface ShowDefinition<
  Schema extends DescMessage,
  Name extends string,
  Answer,
  Options,
  Element = MessageShape<Schema>,
> extends CommandUsage {
  readonly call: (context: CommandContext, options: Options) => Promise<Answer>;
  /** Field of the answer with the message. */
  readonly of: Name;
  readonly schema: Schema;
  /** Further fields of the JSON. */
  readonly also?: (answer: Answer, element: Element) => object;
  readonly text: (element: Element, shown: Shown<Answer, Options>) => string;
  /** A note on standard error; undefined: none. */
  readonly note?: (element: Element, shown: Shown<Answer, Options>) => string | undefined;
  /** Whether the message reports a failure: the exit code is then 1. Missing: it never does. */
  readonly isFailure?: (element: Element) => boolean;
}

type AnswerWith<Schema extends DescMessage, Name extends string> = {
  readonly [K in Name]?: MessageShape<Schema> | undefined;
};

export function showCommand<
  Schema extends DescMessage,
  Name extends string,
  Answer extends AnswerWith<Schema, Name>,
  Options = object,
>(definition: ShowDefinition<Schema, Name, Answer, Options>): AddCommand {
  return coreCommand<Options>(definition, (context, options) => showResult(definition, context, options));
}

export async function showResult<
  Schema extends DescMessage,
  Name extends string,
  Answer extends AnswerWith<Schema, Name>,
  Options,
>(
  {
    call,
    of,
    schema,
    also,
    text,
    note,
    isFailure,
  }: Omit<ShowDefinition<Schema, Name, Answer, Options>, keyof CommandUsage>,
  context: CommandContext,
  options: Options,
): Promise<CommandResult> {
  const answer = await call(context, options);
  const element = required<MessageShape<Schema>>(answer[of], of);
  const shown = { ...context, answer, options };
  return {
    json: { ...messageJson(schema, element), ...also?.(answer, element) },
    text: () => text(element, shown),
    note: note?.(element, shown),
    isFailure: isFailure?.(element),
  };
}

/**
 * Returns a part of an answer that is always present.
 * @throws Fault internal.error
 */
export function required<T>(part: T | undefined, name: string): T {
  if (part !== undefined) return part;
  throw fault("internal.error", { internal: `the core answered without the ${name}` });
}
