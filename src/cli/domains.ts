import { InvalidArgumentError, Option } from "commander";
import {
  DomainEventSchema,
  DomainLinkSchema,
  DomainSchema,
  type GetDomainResponse,
} from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type CommandContext, type CommandUsage, commandGroup, coreCommand } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { describeDomain, paintStatus, permissionText } from "./output/domain-text.ts";
import { messageJson } from "./output/json.ts";
import { plainTime, printable } from "./output/text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod domain` */
export const domains = commandGroup(
  "domain",
  "Sending domains: who owns them, their DKIM keys, and their DNS records.",
  () => [
    domainAdd,
    domainList,
    domainShow,
    domainCheck,
    domainZoneFile,
    domainRotate,
    domainLink,
    domainUnlink,
    domainRemove,
  ],
);

const STATUSES = ["unverified", "verifying", "verified", "degraded", "failed"];
const NAME = ["<domain>", "as example.com"] as const;

/** A command about one domain that shows it afterwards. */
function domainCommand<Options = object>(
  usage: Omit<CommandUsage, "arguments">,
  call: (
    context: CommandContext,
    named: { readonly accountId: string; readonly domain: string },
    options: Options,
  ) => Promise<Pick<GetDomainResponse, "domain">>,
) {
  return showCommand({
    ...usage,
    arguments: [NAME],
    call: (context, options: Options) =>
      call(context, { accountId: context.account, domain: context.args[0] ?? "" }, options),
    of: "domain",
    schema: DomainSchema,
    text: (domain, { paint }) => describeDomain(paint, domain),
  });
}

/** `hermod domain add` */
const domainAdd = domainCommand(
  {
    name: "add",
    description: "Add a domain: makes its DKIM keys, and shows the DNS records that verify it.",
  },
  ({ core }, named) => core.domains.addDomain(named),
);

/** `hermod domain list` */
const domainList = listCommand({
  description: "List the domains of an account, and how they stand.",
  options: [
    ["--search <text>", "only domains whose name contains it"],
    new Option("--status <status>", "only domains of this status").choices(STATUSES),
  ],
  call: ({ core, account, page }, { search = "", status = "" }: { search?: string; status?: string }) =>
    core.domains.listDomains({ accountId: account, search, status, ...page }),
  of: "domains",
  schema: DomainSchema,
  without: ["keys", "records"],
  columns: [
    ["DOMAIN", ({ name }) => printable(name)],
    ["STATUS", ({ status }, paint) => paintStatus(paint, status)],
    ["MAY SEND", permissionText],
    ["DNS AT", ({ dnsProvider }) => printable(dnsProvider)],
    ["LOOKED AT", ({ checkedAt }) => plainTime(checkedAt) || "not yet"],
  ],
  none: "There are no domains. Add one with `hermod domain add`.",
});

/** `hermod domain show` */
const domainShow = showCommand({
  name: "show",
  description:
    "Show a domain, its keys and DNS records, what was found of them, and how its status has changed.",
  arguments: [NAME],
  call: async ({ core, account, args: [name = ""] }) => {
    const request = { accountId: account, domain: name };
    const [{ domain }, { events }] = await Promise.all([
      core.domains.getDomain(request),
      core.domains.listDomainEvents(request),
    ]);
    return { domain, events };
  },
  of: "domain",
  schema: DomainSchema,
  also: ({ events }) => ({ events: events.map((event) => messageJson(DomainEventSchema, event)) }),
  text: (domain, { paint, answer: { events } }) => describeDomain(paint, domain, events),
});

/** `hermod domain check` */
const domainCheck = domainCommand(
  {
    name: "check",
    description: "Look at the DNS records of a domain now, at its own name servers and at the resolver.",
  },
  ({ core }, named) => core.domains.checkDomain(named),
);

/** `hermod domain zone-file` */
const domainZoneFile = coreCommand(
  {
    name: "zone-file",
    description: "Write the DNS records of a domain as a zone file, to be read by its DNS provider.",
    arguments: [NAME],
  },
  async ({ core, account, args: [name = ""] }) => {
    const { zoneFile } = await core.domains.getZoneFile({ accountId: account, domain: name });
    return { json: { zone_file: zoneFile }, text: () => zoneFile.trimEnd() };
  },
);

const MAX_HOURS = 24 * 365;

/** `hermod domain rotate`: the next keys, which take over once their records had time to spread. */
const domainRotate = domainCommand(
  {
    name: "rotate",
    description: "Make the next keys of a domain; those that sign now go on until then.",
    options: [["--after <hours>", "when the new keys take over", readHours, 48]],
  },
  ({ core }, named, { after }: { after: number }) =>
    core.domains.rotateDomain({ ...named, signAfterHours: after }),
);

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours <= MAX_HOURS) return hours;
  throw new InvalidArgumentError(`Give whole hours, at most ${MAX_HOURS}.`);
}

const MAX_DAYS = 30;

/** `hermod domain link`: for the one who edits the DNS, and has no session. */
const domainLink = showCommand({
  name: "link",
  description: "Create a link that shows the DNS records of a domain; the former link ends.",
  arguments: [NAME],
  options: [["--days <days>", "days until the link expires", readDays, 7]],
  call: ({ core, account, args: [name = ""] }, { days }: { days: number }) =>
    core.domains.createDomainLink({ accountId: account, domain: name, expiresInDays: days }),
  of: "link",
  schema: DomainLinkSchema,
  text: ({ url, token, expiresAt }) =>
    `${url || `/dashboard/dns-records#${token}`}\nIt expires at ${plainTime(expiresAt)}.`,
});

function readDays(text: string): number {
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`Give whole days, 1 to ${MAX_DAYS}.`);
}

/** `hermod domain unlink` */
const domainUnlink = removeCommand(
  {
    name: "unlink",
    description: "Withdraw the link to the DNS records of a domain.",
    arguments: [NAME],
  },
  async ({ core, account, args: [name = ""] }) => {
    await core.domains.removeDomainLink({ accountId: account, domain: name });
    return { text: `No link shows the records of ${printable(name)} any more.` };
  },
);

/** `hermod domain remove` */
const domainRemove = removeCommand(
  {
    description:
      "Remove a domain with its keys; mail from it is neither signed nor, without a sender, taken any more.",
    arguments: [NAME],
    options: [FORCE],
  },
  async ({ core, account, args: [name = ""] }, { force = false }: { force?: boolean }) => {
    const { use } = await core.domains.removeDomain({ accountId: account, domain: name, force });
    return { use, text: `${printable(name)} was removed with its keys.` };
  },
);
