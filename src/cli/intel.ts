import { WatchChangeSchema, WatchOfferSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { clients } from "./clients.ts";
import { commandGroup } from "./core-command.ts";
import { findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { insights } from "./insights.ts";
import { labels } from "./labels.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { paintSeverity } from "./output/watch-text.ts";
import { reports } from "./reports.ts";
import { schedules } from "./schedules.ts";
import { intelImport } from "./watch-import.ts";
import { watches } from "./watches.ts";
import { workspaces } from "./workspaces.ts";

/** `hermod intel` */
export const intel = commandGroup("intel", "Deliverability Intel: watched domains and their reports.", () => [
  workspaces,
  clients,
  watches,
  intelImport,
  intelOffers,
  reports,
  labels,
  schedules,
  ...insights,
  intelChanges,
]);

/** `hermod intel offers` */
const intelOffers = listCommand({
  name: "offers",
  description: "List sending domains of the account that the workspace does not watch.",
  options: [WORKSPACE],
  call: ({ core, account, page }, { workspace }: InWorkspace) =>
    core.watches.listWatchOffers({ accountId: account, workspaceId: workspace, ...page }),
  of: "offers",
  schema: WatchOfferSchema,
  columns: [
    ["DOMAIN", ({ nameUnicode }) => printable(nameUnicode)],
    ["STATUS", ({ status }) => status],
  ],
  none: "Every sending domain is watched.",
  note: (offers) =>
    offers.length > 0 ? "To watch one: hermod intel domain add <domain> --client <client>" : undefined,
});

interface ChangesOptions extends InWorkspace {
  readonly domain?: string;
}

/** `hermod intel changes` */
const intelChanges = listCommand({
  name: "changes",
  description: "List changes of watched domains, newest first.",
  options: [WORKSPACE, ["--domain <domain>", "only changes of this domain: a name or id"]],
  limit: 50,
  call: async (context, { workspace, domain }: ChangesOptions) => {
    const { core, account, page } = context;
    const found = domain === undefined ? undefined : await findWatchedDomain(context, domain, workspace);
    return core.watches.listWatchChanges({
      accountId: account,
      domainId: found?.id ?? "",
      workspaceId: found?.workspaceId ?? workspace,
      ...page,
    });
  },
  of: "changes",
  schema: WatchChangeSchema,
  columns: [
    ["AT", ({ at }) => plainTime(at)],
    ["SEVERITY", ({ severity = "" }, paint) => paintSeverity(paint, severity)],
    ["CHANGE", ({ kind }) => kind],
    ["DETAIL", ({ text }) => printable(text)],
  ],
  none: "There are no changes yet.",
});
