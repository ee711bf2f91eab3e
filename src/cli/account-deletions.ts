import type { Command } from "commander";
import type { Deletion } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod account deletions`: of one, or all. */
export function accountDeletions(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("deletions")
    .argument("[account]", "the account's id; left out: all that were deleted")
    .description("Show what was removed of accounts that were deleted.");
  coreCommand(surroundings, command, async ({ core, args: [accountId = ""], paint }) => {
    if (accountId !== "") {
      const { deletion } = await core.accounts.getDeletion({ accountId });
      if (!deletion) throw fault("internal.error", { internal: "the core answered without the deletion" });
      return { json: deletionJson(deletion), text: () => describe(deletion) };
    }
    const deletions = await allPages(
      (pageToken) => core.accounts.listDeletions({ pageToken }),
      (page) => page.deletions,
    );
    const rows = deletions.map((one) => [
      one.accountId,
      printable(one.name),
      one.state,
      plainTime(one.deletedAt),
      plainTime(one.finishedAt),
      String(Object.values(one.removed).reduce((sum, count) => sum + count, 0)),
    ]);
    const heading = ["ID", "NAME", "STATE", "DELETED", "FINISHED", "REMOVED"];
    return {
      json: listJson(deletions.map(deletionJson)),
      text: () => table(paint, heading, rows, "No account was deleted."),
    };
  });
}

function describe(deletion: Deletion): string {
  const { accountId, name, state, deletedAt, deletedBy, finishedAt, removed } = deletion;
  const counts = Object.entries(removed).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `Account:   ${accountId} ("${printable(name)}")`,
    `Deleted:   ${plainTime(deletedAt)} by ${printable(deletedBy) || "the operator"}`,
    `Removal:   ${state === "done" ? `over since ${plainTime(finishedAt)}: nothing is left` : "running"}`,
    ...counts.map(([collection, count]) => `  ${collection.padEnd(20)} ${count}`),
  ].join("\n");
}

/** As `--json` writes it. */
function deletionJson(deletion: Deletion) {
  const { accountId, name, createdAt, deletedAt, deletedBy, state, removed, finishedAt } = deletion;
  return {
    account_id: accountId,
    name,
    created_at: isoTime(createdAt),
    deleted_at: isoTime(deletedAt),
    deleted_by: deletedBy || null,
    state,
    removed,
    finished_at: isoTime(finishedAt),
  };
}
