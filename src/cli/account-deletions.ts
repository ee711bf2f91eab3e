import { type Deletion, DeletionSchema } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { type CommandContext, coreCommand } from "./core-command.ts";
import { listResult, listUsage, type PageOptions } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { showResult } from "./show-command.ts";

const usage = {
  name: "deletions",
  description: "Show deleted accounts and the number of documents removed of each.",
  arguments: [["[account]", "id of the deleted account (default: all deleted accounts)"]],
} as const;

/** `hermod account deletions`: of one account, or of all. */
export const accountDeletions = coreCommand(listUsage(usage), (context, options: PageOptions) =>
  context.args[0] ? showDeletion(context) : listDeletions(context, options),
);

const showDeletion = (context: CommandContext) =>
  showResult(
    {
      call: ({ core, args: [accountId = ""] }) => core.accounts.getDeletion({ accountId }),
      of: "deletion",
      schema: DeletionSchema,
      text: describe,
    },
    context,
    {},
  );

const listDeletions = (context: CommandContext, options: PageOptions) =>
  listResult(
    {
      ...usage,
      call: ({ core, page }) => core.accounts.listDeletions(page),
      of: "deletions",
      schema: DeletionSchema,
      columns: [
        ["ID", ({ accountId }) => accountId],
        ["NAME", ({ name }) => printable(name)],
        ["STATE", ({ state }) => state],
        ["DELETED", ({ deletedAt }) => plainTime(deletedAt)],
        ["FINISHED", ({ finishedAt }) => plainTime(finishedAt)],
        ["REMOVED", ({ removed }) => Object.values(removed).reduce((sum, count) => sum + count, 0)],
      ],
      none: "No account has been deleted.",
    },
    context,
    options,
  );

function describe({ accountId, name, state, deletedAt, deletedBy, finishedAt, removed }: Deletion): string {
  const counts = Object.entries(removed).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `Account:   ${accountId} ("${printable(name)}")`,
    `Deleted:   ${plainTime(deletedAt)} by ${printable(deletedBy) || "the operator"}`,
    `Removal:   ${state === "done" ? `complete since ${plainTime(finishedAt)}: nothing is left` : "running"}`,
    ...counts.map(([collection, count]) => `  ${collection.padEnd(20)} ${count}`),
  ].join("\n");
}
