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
  "Sending domains, their DKIM keys and their DNS records.",
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
const NAME = ["<domain>", "name of the domain, for example example.com"] as const;

/** A command on one domain that then shows the domain. */
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
    description: "Add a domain: create its DKIM keys and show the DNS records that verify it.",
  },
  ({ core }, named) => core.domains.addDomain(named),
);

/** `hermod domain list` */
const domainList = listCommand({
  description: "List the domains of an account and their status.",
  options: [
    ["--search <text>", "only domains with this text in the name"],
    new Option("--status <status>", "only domains with this status").choices(STATUSES),
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
    ["CHECKED", ({ checkedAt }) => plainTime(checkedAt) || "not yet"],
  ],
  none: "There are no domains. Add one with `hermod domain add`.",
});

/** `hermod domain show` */
const domainShow = showCommand({
  name: "show",
  description: "Show a domain, its keys, its DNS records with the last check, and its status changes.",
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
    description: "Check the DNS records of a domain now, at its own name servers and at the resolver.",
  },
  ({ core }, named) => core.domains.checkDomain(named),
);

/** `hermod domain zone-file` */
const domainZoneFile = coreCommand(
  {
    name: "zone-file",
    description: "Write the DNS records of a domain as a zone file for its DNS provider.",
    arguments: [NAME],
  },
  async ({ core, account, args: [name = ""] }) => {
    const { zoneFile } = await core.domains.getZoneFile({ accountId: account, domain: name });
    return { json: { zone_file: zoneFile }, text: () => zoneFile.trimEnd() };
  },
);

const MAX_HOURS = 24 * 365;

/** `hermod domain rotate`: creates the next keys, which sign after their records had time to propagate. */
const domainRotate = domainCommand(
  {
    name: "rotate",
    description: "Create the next keys of a domain. The present keys sign until the new keys take over.",
    options: [["--after <hours>", "hours until the new keys take over", readHours, 48]],
  },
  ({ core }, named, { after }: { after: number }) =>
    core.domains.rotateDomain({ ...named, signAfterHours: after }),
);

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours <= MAX_HOURS) return hours;
  throw new InvalidArgumentError(`It must be a whole number of hours, at most ${MAX_HOURS}.`);
}

const MAX_DAYS = 30;

/** `hermod domain link`: for the person who edits the DNS and has no session. */
const domainLink = showCommand({
  name: "link",
  description: "Create a link that shows the DNS records of a domain. The former link stops working.",
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
  throw new InvalidArgumentError(`It must be a whole number of days, 1 to ${MAX_DAYS}.`);
}

/** `hermod domain unlink` */
const domainUnlink = removeCommand(
  {
    name: "unlink",
    description: "Revoke the link to the DNS records of a domain.",
    arguments: [NAME],
  },
  async ({ core, account, args: [name = ""] }) => {
    await core.domains.removeDomainLink({ accountId: account, domain: name });
    return { text: `Revoked the link to the DNS records of ${printable(name)}.` };
  },
);

/** `hermod domain remove` */
const domainRemove = removeCommand(
  {
    description:
      "Remove a domain and its keys. Mail from it is not signed, and is refused without a sender for it.",
    arguments: [NAME],
    options: [FORCE],
  },
  async ({ core, account, args: [name = ""] }, { force = false }: { force?: boolean }) => {
    const { use } = await core.domains.removeDomain({ accountId: account, domain: name, force });
    return { use, text: `Removed ${printable(name)} and its keys.` };
  },
);
