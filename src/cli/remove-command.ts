import type { ResourceUse } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type AddCommand, type CommandContext, type CommandUsage, coreCommand } from "./core-command.ts";
import { printable } from "./output/text.ts";

/** Option of commands that remove a resource that other resources may use. */
export const FORCE = ["--force", "remove it even if other resources use it; they stop working"] as const;

export interface Removal {
  /** Output of `--json`; missing: `removed` with the first argument. */
  readonly json?: object | null;
  readonly text: string;
  /** Resources that stop working. */
  readonly use?: ResourceUse | undefined;
}

/** A command that removes one resource, and names the resources that stop working after a forced removal. */
export function removeCommand<Options = object>(
  usage: Omit<CommandUsage, "name"> & { readonly name?: string },
  remove: (context: CommandContext, options: Options) => Promise<Removal>,
): AddCommand {
  return coreCommand<Options>({ name: "remove", ...usage }, async (context, options) => {
    const { json = { removed: context.args[0] ?? "" }, text, use } = await remove(context, options);
    return { json: { ...json, ...(use && useJson(use)) }, text: () => `${text}${use ? useText(use) : ""}` };
  });
}

const useJson = ({ users, count }: ResourceUse) => ({
  used_by: users.map(({ kind, id, name }) => ({ kind, id, name })),
  used_by_count: count,
});

function useText({ users, count }: ResourceUse): string {
  const named = users.map(({ kind, id, name }) => `\n  ${kind} ${printable(name)} (${printable(id)})`);
  const more = count > users.length ? `\n  and ${count - users.length} more` : "";
  return `\nThese resources stop working without it:${named.join("")}${more}`;
}
