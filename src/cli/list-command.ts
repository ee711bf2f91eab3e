import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import {
  type AddCommand,
  type CommandContext,
  type CommandOption,
  type CommandResult,
  type CommandUsage,
  coreCommand,
} from "./core-command.ts";
import { LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { listJson, messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { table } from "./output/table.ts";

/** Page of a request, as in the list methods of the core. */
export interface Page {
  readonly pageSize: number;
  readonly pageToken: string;
}

export type Column<Element> = readonly [
  heading: string,
  value: (element: Element, paint: Paint) => string | number,
];

/** A command that lists messages of the core: as a table, or as `{ data, has_more, next_cursor }`. */
export interface ListDefinition<
  Schema extends DescMessage,
  Name extends string,
  Answer,
  Options,
  Element = MessageShape<Schema>,
> extends Omit<CommandUsage, "name"> {
  /** Missing: `list`. */
  readonly name?: string;
  /** Default of `--limit`; missing: all elements. `none`: the core answers with all elements and has no pages. */
  readonly limit?: number | "none";
  readonly call: (context: CommandContext & { readonly page: Page }, options: Options) => Promise<Answer>;
  /** Field of the answer with the elements. */
  readonly of: Name;
  readonly schema: Schema;
  /** Fields of an element that the core leaves empty in lists. */
  readonly without?: readonly string[];
  readonly keep?: (element: Element, options: Options) => boolean;
  readonly sort?: (one: Element, other: Element) => number;
  readonly columns: readonly Column<Element>[];
  /** Text instead of an empty table. */
  readonly none: string;
  readonly note?: (elements: readonly Element[]) => string | undefined;
}

export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Limit of pages for one list with `--limit`: a filter may match few elements of each page. */
const MAX_PAGES = 100;

type AnswerWith<Schema extends DescMessage, Name extends string> = {
  readonly [K in Name]: readonly MessageShape<Schema>[];
};

export function listCommand<
  Schema extends DescMessage,
  Name extends string,
  Answer extends AnswerWith<Schema, Name>,
  Options = object,
>(definition: ListDefinition<Schema, Name, Answer, Options>): AddCommand {
  return coreCommand<Options & PageOptions>(listUsage(definition), (context, options) =>
    listResult(definition, context, options),
  );
}

/** Usage of a list, with the paging options. */
export function listUsage({
  limit,
  ...usage
}: Omit<CommandUsage, "name"> & { readonly name?: string; readonly limit?: number | "none" }): CommandUsage {
  const options = [...(usage.options ?? []), ...(limit === "none" ? [] : pageOptions(limit))];
  return { name: "list", ...usage, options };
}

export async function listResult<
  Schema extends DescMessage,
  Name extends string,
  Answer extends AnswerWith<Schema, Name>,
  Options,
>(
  definition: ListDefinition<Schema, Name, Answer, Options>,
  context: CommandContext,
  options: Options & PageOptions,
): Promise<CommandResult> {
  const { schema, columns, none, sort, without = [] } = definition;
  const { elements, cursor } = await read(definition, context, options);
  if (sort) elements.sort(sort);
  const data = elements.map((element) => {
    const json = Object.entries(messageJson(schema, element) ?? {});
    return Object.fromEntries(json.filter(([name]) => !without.includes(name)));
  });
  const heading = columns.map(([title]) => title);
  const rows = () =>
    elements.map((element) => columns.map(([, value]) => String(value(element, context.paint))));
  const more = cursor === "" ? undefined : `There may be more. To continue: --cursor ${cursor}`;
  return {
    json: listJson(data, cursor),
    text: () => table(context.paint, heading, rows(), cursor === "" ? none : "No matches so far."),
    note: more ?? definition.note?.(elements),
  };
}

/** `--limit` and `--cursor` of every paged list. */
function pageOptions(preset: number | undefined): readonly CommandOption[] {
  const missing = preset === undefined ? " (default: all)" : "";
  return [
    ["--limit <count>", `maximum number of entries, 1 to ${LIMIT_MAX}${missing}`, readLimit, preset],
    ["--cursor <cursor>", "continue an earlier list from its next_cursor"],
  ];
}

/** Reads pages up to the limit, or to the end; the cursor is empty at the end. */
async function read<Schema extends DescMessage, Name extends string, Answer, Options>(
  { call, of, keep, limit: preset }: ListDefinition<Schema, Name, Answer, Options>,
  context: CommandContext,
  options: Options & PageOptions,
): Promise<{ elements: MessageShape<Schema>[]; cursor: string }> {
  const { limit, cursor: begin = "" } = options;
  const elements: MessageShape<Schema>[] = [];
  let cursor = begin;
  for (let pages = 1; ; pages++) {
    // 0 selects the page size of the core, which fits elements of any size.
    const page = { pageSize: limit === undefined ? 0 : limit - elements.length, pageToken: cursor };
    const answer = (await call({ ...context, page }, options)) as Record<string, unknown>;
    const found = answer[of] as readonly MessageShape<Schema>[];
    elements.push(...(keep ? found.filter((element) => keep(element, options)) : found));
    cursor = preset === "none" ? "" : (answer.nextPageToken as string);
    if (cursor === "") return { elements, cursor };
    if (limit !== undefined && (elements.length >= limit || pages >= MAX_PAGES)) return { elements, cursor };
  }
}
