import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type AddCommand, type CommandContext, coreCommand } from "./core-command.ts";
import { IF_REVISION_OR_NONE, type OnRevision, requireOne } from "./input/if-revision.ts";
import { readMessages } from "./input/read-objects.ts";
import { listJson, messageJson } from "./output/json.ts";
import { printable } from "./output/text.ts";

/** One of several resources failed after others were stored. */
export class PartialFailure extends Error {
  /** Error of the resource that failed. */
  readonly thrown: unknown;
  /** The stored and the skipped resources, for people. */
  readonly note: string;

  constructor(thrown: unknown, note: string) {
    super(note, { cause: thrown });
    this.name = "PartialFailure";
    this.thrown = thrown;
    this.note = note;
  }
}

interface PutDefinition<Input extends DescMessage, Schema extends DescMessage, Name extends string, Answer> {
  readonly description: string;
  /** Help text of the file argument. */
  readonly argument: string;
  readonly input: { readonly schema: Input; readonly noun: string };
  readonly put: (
    context: CommandContext,
    resource: MessageShape<Input>,
    options: OnRevision,
  ) => Promise<Answer>;
  /** Field of the answer with the stored resource. */
  readonly of: Name;
  readonly schema: Schema;
  /** A line for each resource. */
  readonly text: (answer: Answer) => string;
}

/** `put`: stores the resources of a file in order. It ends at the first refused one; the stored ones stay. */
export function putCommand<
  Input extends DescMessage,
  Schema extends DescMessage,
  Name extends string,
  Answer extends { readonly [K in Name]?: MessageShape<Schema> | undefined },
>({
  description,
  argument,
  input,
  put,
  of,
  schema,
  text,
}: PutDefinition<Input, Schema, Name, Answer>): AddCommand {
  const usage = {
    name: "put",
    description,
    arguments: [["<file>", argument]],
    options: [IF_REVISION_OR_NONE],
  } as const;
  return coreCommand(usage, async (context, options: OnRevision) => {
    const { args, environment } = context;
    const resources = await readMessages(args[0] ?? "-", environment.input, input);
    requireOne(resources, options);
    const answers: Answer[] = [];
    await putEach(resources as (MessageShape<Input> & { name: string })[], async (resource) => {
      answers.push(await put(context, resource, options));
    });
    return {
      json: listJson(answers.map((answer) => messageJson<Schema>(schema, answer[of]))),
      text: () => answers.map(text).join("\n"),
    };
  });
}

/**
 * Puts the resources of a file in order. It ends at the first refused one; the stored ones stay.
 * @throws PartialFailure for several resources; otherwise the error of `put`
 */
async function putEach<T extends { readonly name: string }>(
  values: readonly T[],
  put: (value: T) => Promise<void>,
): Promise<void> {
  for (const [index, value] of values.entries()) {
    try {
      await put(value);
    } catch (thrown) {
      if (values.length === 1) throw thrown;
      const at = `Stopped at ${printable(value.name)}, ${index + 1} of ${values.length}.`;
      const before = `Stored: ${namesOf(values.slice(0, index))}.`;
      throw new PartialFailure(thrown, `${at} ${before} Not tried: ${namesOf(values.slice(index + 1))}.`);
    }
  }
}

const MAX_NAMES = 20;

function namesOf(values: readonly { readonly name: string }[]): string {
  if (values.length === 0) return "none";
  const names = values.slice(0, MAX_NAMES).map(({ name }) => printable(name));
  const more = values.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
