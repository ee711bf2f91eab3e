import { type Command, Option } from "commander";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { findClient, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import { findingsText, listedJson, paintSeverity, percentText, scoreText } from "./output/watch-text.ts";
import type { Surroundings } from "./surroundings.ts";

const STATUSES = ["pending", "healthy", "warning", "critical", "error", "paused"];

interface Options extends InWorkspace {
  readonly client?: string;
  readonly status?: string;
  readonly search?: string;
  readonly finding?: string;
  readonly sort: string;
}

/** `hermod intel domain list` */
export function watchList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the watched domains of a workspace.")
    .option(...WORKSPACE)
    .option("--client <client>", "only of this one: its id, external reference or name")
    .addOption(new Option("--status <status>", "only these").choices(STATUSES))
    .option("--search <text>", "only with a label in the name that begins so")
    .option("--finding <check>", "only where this check fails or warns, as auth.dmarc.policy")
    .addOption(
      new Option("--sort <order>", "-score: the best first; last_check_at: those first that wait for longest")
        .choices(["name", "-score", "last_check_at"])
        .default("name"),
    );
  coreCommand<Options>(surroundings, command, async (context, options) => {
    const { core, account, paint } = context;
    const { workspace, client, status, search, finding, sort } = options;
    const clientId = client === undefined ? undefined : (await findClient(context, client, workspace)).id;
    const filter = withoutUndefined({ clientId, status, search, finding });
    const asked = { accountId: account, workspaceId: workspace, pageSize: 1_000, filter, sort };
    const all = await allPages(
      (pageToken) => core.watches.listWatchedDomains({ ...asked, pageToken }),
      (page) => page.domains,
    );
    const rows = all.map((domain) => [
      ...[printable(domain.nameUnicode), paintSeverity(paint, domain.status)],
      ...[scoreText(domain.score), domain.grade ?? "-", percentText(domain.coverage), findingsText(domain)],
      ...[String(domain.listingsOpen), plainTime(domain.checkedAt) || "not yet"],
    ]);
    const heading = ["DOMAIN", "STATUS", "SCORE", "GRADE", "COVERAGE", "FINDINGS", "ON LISTS", "CHECKED"];
    return {
      json: listJson(all.map(listedJson)),
      text: () => table(paint, heading, rows, "No such domain is watched."),
    };
  });
}
