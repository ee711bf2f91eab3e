import { Option } from "commander";
import { WatchedDomainSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { findClient, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { findingsText, paintSeverity, percentText, scoreText } from "./output/watch-text.ts";

const STATUSES = ["pending", "healthy", "warning", "critical", "error", "paused"];

interface Options extends InWorkspace {
  readonly client?: string;
  readonly status?: string;
  readonly search?: string;
  readonly finding?: string;
  readonly sort: string;
}

/** `hermod intel domain list` */
export const watchList = listCommand({
  description: "List the watched domains of a workspace.",
  options: [
    WORKSPACE,
    ["--client <client>", "only domains of this client: an id, external reference or name"],
    new Option("--status <status>", "only domains with this status").choices(STATUSES),
    ["--search <text>", "only domains with a label that begins with this"],
    ["--finding <check>", "only domains on which this check fails or warns, for example auth.dmarc.policy"],
    new Option("--sort <order>", "-score: highest score first; last_check_at: earliest check first")
      .choices(["name", "-score", "last_check_at"])
      .default("name"),
  ],
  call: async (context, { workspace, client, status, search, finding, sort }: Options) => {
    const { core, account, page } = context;
    const clientId = client === undefined ? undefined : (await findClient(context, client, workspace)).id;
    const filter = withoutUndefined({ clientId, status, search, finding });
    return core.watches.listWatchedDomains({
      accountId: account,
      workspaceId: workspace,
      filter,
      sort,
      ...page,
    });
  },
  of: "domains",
  schema: WatchedDomainSchema,
  without: ["checks", "history"],
  columns: [
    ["DOMAIN", ({ nameUnicode }) => printable(nameUnicode)],
    ["STATUS", ({ status }, paint) => paintSeverity(paint, status)],
    ["SCORE", ({ score }) => scoreText(score)],
    ["GRADE", ({ grade = "-" }) => grade],
    ["COVERAGE", ({ coverage }) => percentText(coverage)],
    ["FINDINGS", findingsText],
    ["BLACKLISTED", ({ listingsOpen }) => listingsOpen],
    ["CHECKED", ({ checkedAt }) => plainTime(checkedAt) || "not yet"],
  ],
  none: "No watched domains match.",
});
