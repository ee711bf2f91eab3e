import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import {
  BlacklistHealthSchema,
  DmarcSourceSchema,
  FindingDetailsSchema,
  FindingSchema,
  HistoryPointSchema,
  MuteSchema,
} from "../../gen/hermod/insight/v1/insight_service_pb.ts";
import { BlacklistStatusSchema } from "../../gen/hermod/intel/v1/intel_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { CommandContext, CommandOption } from "./core-command.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { readMoment } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { actorText, plainTime, printable } from "./output/text.ts";
import { paintSeverity, percentText, scoreText } from "./output/watch-text.ts";

interface ScopeOptions extends InWorkspace {
  readonly client?: string;
  readonly domain?: string;
}

interface SpanOptions {
  readonly from?: Date;
  readonly until?: Date;
}

const SCOPE: readonly CommandOption[] = [
  WORKSPACE,
  ["--client <client>", "only domains of this client: an id, external reference or name"],
  ["--domain <domain>", "only this domain: a name or id"],
];

const SPAN: readonly CommandOption[] = [
  ["--from <moment>", "beginning, for example 2030-01-02T09:00:00Z", readMoment],
  ["--until <moment>", "end (default: now)", readMoment],
];

/** The scope of a request. */
async function scopeOf(context: CommandContext, { workspace, client, domain }: ScopeOptions) {
  const [found, watched] = [
    client === undefined ? undefined : await findClient(context, client, workspace),
    domain === undefined ? undefined : await findWatchedDomain(context, domain, workspace),
  ];
  return { workspaceId: workspace, clientId: found?.id ?? "", domainId: watched?.id ?? "" };
}

function spanOf({ from, until }: SpanOptions) {
  return withoutUndefined({
    from: from && timestampFromDate(from),
    until: until && timestampFromDate(until),
  });
}

/** `hermod intel findings` */
const intelFindings = listCommand({
  name: "findings",
  description: "List what to repair first: findings by the points that their repair gains over all domains.",
  options: SCOPE,
  limit: "none",
  call: async (context, options: ScopeOptions) => {
    const { core, account } = context;
    return core.insights.listFindings({ accountId: account, scope: await scopeOf(context, options) });
  },
  of: "findings",
  schema: FindingSchema,
  columns: [
    ["CHECK", ({ checkId }) => checkId],
    ["SEVERITY", ({ severity }, paint) => paintSeverity(paint, severity)],
    ["GAIN", ({ gain }) => scoreText(gain)],
    ["DOMAINS", ({ domainCount }) => domainCount],
    ["FIRST", ({ domains: [first] }) => printable(first?.domain ?? "")],
    ["REQUIREMENT", ({ title }) => printable(title)],
  ],
  none: "There are no findings.",
  note: (found) =>
    found.length > 0 ? "To see the records to publish: hermod intel finding <check>" : undefined,
});

/** `hermod intel finding` */
const intelFinding = listCommand({
  name: "finding",
  description: "List the domains with a finding and the records to publish, largest gain first.",
  arguments: [["<check>", "id of the check, for example auth.dmarc.policy"]],
  options: SCOPE,
  limit: 50,
  call: async (context, options: ScopeOptions) => {
    const { core, account, args, page } = context;
    const scope = await scopeOf(context, options);
    const asked = { accountId: account, scope, checkId: args[0] ?? "", ...page };
    return core.insights.listFindingDomains(asked);
  },
  of: "domains",
  schema: FindingDetailsSchema,
  columns: [
    ["DOMAIN", ({ domainUnicode }) => printable(domainUnicode)],
    ["CLIENT", ({ clientName }) => printable(clientName)],
    ["SEVERITY", ({ severity }, paint) => paintSeverity(paint, severity)],
    ["GAIN", ({ gain }) => scoreText(gain)],
    ["OBSERVED", ({ observed }) => printable(observed)],
    ["PUBLISH", ({ fix }) => printable(fix?.record?.zoneFile ?? fix?.text ?? "-")],
  ],
  none: "No domain has this finding.",
});

interface HistoryOptions extends ScopeOptions, SpanOptions {
  readonly step: string;
}

/** `hermod intel history` */
const intelHistory = listCommand({
  name: "history",
  description: "Show the score of a domain, or the mean score of a client or workspace, over time.",
  options: [
    ...SCOPE,
    ...SPAN,
    new Option("--step <step>", "length of a step in UTC").choices(["day", "week", "month"]).default("day"),
  ],
  limit: "none",
  call: async (context, { step, from, until, ...options }: HistoryOptions) => {
    const { core, account } = context;
    const scope = await scopeOf(context, options);
    const span = spanOf(withoutUndefined({ from, until }));
    return core.insights.getScoreHistory({ accountId: account, scope, step, ...span });
  },
  of: "points",
  schema: HistoryPointSchema,
  columns: [
    ["FROM", ({ at }) => plainTime(at)],
    ["SCORE", ({ score }) => scoreText(score)],
    ["COVERAGE", ({ coverage }) => percentText(coverage)],
    ["DOMAINS", ({ domainCount }) => domainCount ?? "-"],
    ["MODEL", ({ scoreModel = "-", modelChanged }) => `${scoreModel}${modelChanged ? " (changed)" : ""}`],
  ],
  none: "The range has no steps.",
});

/** `hermod intel blacklists` */
const intelBlacklists = listCommand({
  name: "blacklists",
  description: "List the blacklists: whether each is used, why not, and how much of its budget is spent.",
  limit: "none",
  call: ({ core, account }) => core.insights.listBlacklists({ accountId: account }),
  of: "lists",
  schema: BlacklistHealthSchema,
  columns: [
    ["LIST", ({ list }) => list?.id ?? ""],
    ["STATE", ({ state }) => state],
    ["TESTED", ({ testedAt }) => plainTime(testedAt) || "-"],
    ["QUERIES TODAY", ({ queriesToday }) => queriesToday ?? "-"],
    ["A DAY", ({ queriesPerDay }) => queriesPerDay ?? "-"],
    ["REASON", ({ reason = "" }) => printable(reason)],
  ],
  none: "There are no blacklists.",
});

interface ListingOptions extends InWorkspace {
  readonly client?: string;
  readonly domain?: string;
  readonly list?: string;
  readonly state?: string;
}

const STATES = ["listed", "clean", "refused", "error", "unreliable", "pending", "not_configured"];

/** `hermod intel listings` */
const intelListings = listCommand({
  name: "listings",
  description: "List addresses and domains at blacklists, as of the last check.",
  options: [
    ...SCOPE,
    ["--list <id>", "only this blacklist, for example spamcop"],
    new Option("--state <state>", "only with this state").choices(STATES),
  ],
  limit: 50,
  call: async (context, { list = "", state = "", ...options }: ListingOptions) => {
    const { core, account, page } = context;
    const { workspaceId, clientId, domainId } = await scopeOf(context, options);
    const filter = { clientId, domainId, list, state };
    return core.insights.listBlacklistStatus({ accountId: account, workspaceId, filter, ...page });
  },
  of: "statuses",
  schema: BlacklistStatusSchema,
  columns: [
    ["SUBJECT", ({ subject }) => printable(subject)],
    ["LIST", ({ list }) => list?.id ?? ""],
    ["STATE", ({ state }, paint) => (state === "listed" ? paint("red", state) : state)],
    ["SINCE", ({ firstSeenAt }) => plainTime(firstSeenAt) || "-"],
    ["CHECKED", ({ checkedAt }) => plainTime(checkedAt) || "-"],
    ["REMOVAL", ({ state, delistUrl }) => (state === "listed" ? printable(delistUrl) : "")],
  ],
  none: "No entries match.",
});

interface SourceOptions extends ScopeOptions, SpanOptions {
  readonly result?: string;
  readonly unknown?: boolean;
}

/** `hermod intel sources` */
const intelSources = listCommand({
  name: "sources",
  description: "List the sources of mail in DMARC reports, most messages first (default: seven days).",
  options: [
    ...SCOPE,
    ...SPAN,
    new Option("--result <result>", "only sources with such messages").choices(["pass", "fail"]),
    ["--unknown", "only sources that Hermod does not know"],
  ],
  limit: 50,
  call: async (context, { result = "", unknown, from, until, ...options }: SourceOptions) => {
    const { core, account, page } = context;
    return core.insights.listDmarcSources({
      accountId: account,
      scope: await scopeOf(context, options),
      ...spanOf(withoutUndefined({ from, until })),
      result,
      ...(unknown && { known: false }),
      ...page,
    });
  },
  of: "sources",
  schema: DmarcSourceSchema,
  columns: [
    ["SOURCE", ({ source }) => printable(source)],
    ["KNOWN", ({ known }) => (known ? "yes" : "no")],
    ["MESSAGES", ({ sums }) => String(sums?.messages ?? 0n)],
    ["FAILED", ({ sums }) => String(sums?.failed ?? 0n)],
    ["ADDRESSES", ({ addressCount }) => addressCount],
    ["DOMAINS", ({ domainCount }) => domainCount],
  ],
  none: "No reports match.",
});

/** `hermod intel mutes` */
const intelMutes = listCommand({
  name: "mutes",
  description: "List muted checks, earliest end first. To end one: hermod intel domain unmute.",
  options: SCOPE,
  call: async (context, options: ScopeOptions) => {
    const { core, account, page } = context;
    return core.insights.listMutes({ accountId: account, scope: await scopeOf(context, options), ...page });
  },
  of: "mutes",
  schema: MuteSchema,
  columns: [
    ["DOMAIN", ({ domain }) => printable(domain)],
    ["CHECK", ({ checkId }) => checkId],
    ["UNTIL", ({ until }) => plainTime(until)],
    ["BY", ({ by }) => actorText(by) || "-"],
    ["REASON", ({ reason = "" }) => printable(reason)],
  ],
  none: "No check is muted.",
});

/** Commands of `hermod intel` that summarize many domains. */
export const insights = [
  intelFindings,
  intelFinding,
  intelHistory,
  intelBlacklists,
  intelListings,
  intelSources,
  intelMutes,
];
