import type { Command } from "commander";
import { WatchChangeSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { clients } from "./clients.ts";
import { coreCommand } from "./core-command.ts";
import { findWatchedDomain, WORKSPACE } from "./input/find-watched.ts";
import { readLimit } from "./input/read-options.ts";
import { messageJson } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import { paintSeverity } from "./output/watch-text.ts";
import { schedules } from "./schedules.ts";
import type { Surroundings } from "./surroundings.ts";
import { watches } from "./watches.ts";
import { workspaces } from "./workspaces.ts";

/** `hermod intel` */
export function intel(program: Command, surroundings: Surroundings): void {
  const group = program.command("intel").description("Deliverability Intel: domains that are watched.");
  workspaces(group, surroundings);
  clients(group, surroundings);
  watches(group, surroundings);
  schedules(group, surroundings);
  intelChanges(group, surroundings);
}

interface Options {
  readonly workspace: string;
  readonly domain?: string;
  readonly limit: number;
}

/** `hermod intel changes` */
function intelChanges(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("changes")
    .description("Show what has changed about watched domains, the latest first.")
    .option(...WORKSPACE)
    .option("--domain <domain>", "only of this one: its name or id")
    .option("--limit <number>", "how many: 1 to 1000", readLimit, 50);
  coreCommand<Options>(surroundings, command, async (context, { workspace, domain, limit }) => {
    const { core, account, paint } = context;
    const found = domain === undefined ? undefined : await findWatchedDomain(context, domain, workspace);
    const { changes, nextPageToken } = await core.watches.listWatchChanges({
      ...{ accountId: account, pageSize: limit, domainId: found?.id ?? "" },
      workspaceId: found?.workspaceId ?? workspace,
    });
    const rows = changes.map(({ at, severity = "", kind, text }) => [
      plainTime(at),
      paintSeverity(paint, severity),
      kind,
      printable(text),
    ]);
    return {
      json: listJson(
        changes.map((one) => messageJson(WatchChangeSchema, one)),
        nextPageToken,
      ),
      text: () => table(paint, ["AT", "SEVERITY", "CHANGE", "WHAT"], rows, "Nothing has changed yet."),
    };
  });
}
