import type { Command } from "commander";
import { WatchChangeSchema, WatchOfferSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { allPages } from "./all-pages.ts";
import { clients } from "./clients.ts";
import { coreCommand } from "./core-command.ts";
import { findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
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
  intelOffers(group, surroundings);
  schedules(group, surroundings);
  intelChanges(group, surroundings);
}

/** `hermod intel offers` */
function intelOffers(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("offers")
    .description("List sending domains of the account that a workspace does not watch.")
    .option(...WORKSPACE);
  coreCommand<InWorkspace>(surroundings, command, async ({ core, account, paint }, { workspace }) => {
    const asked = { accountId: account, workspaceId: workspace, pageSize: 1_000 };
    const offers = await allPages(
      (pageToken) => core.watches.listWatchOffers({ ...asked, pageToken }),
      (page) => page.offers,
    );
    const rows = offers.map(({ nameUnicode, status }) => [printable(nameUnicode), status]);
    return {
      json: listJson(offers.map((one) => messageJson(WatchOfferSchema, one))),
      text: () => table(paint, ["DOMAIN", "STATUS"], rows, "Every sending domain is watched."),
      ...(offers.length > 0 && {
        note: "One is watched by: hermod intel domain add <domain> --client <client>",
      }),
    };
  });
}

interface Options extends InWorkspace {
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
      accountId: account,
      pageSize: limit,
      domainId: found?.id ?? "",
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
