import { type Command, InvalidArgumentError } from "commander";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { type CommandContext, type CommandResult, coreCommand } from "./core-command.ts";
import { FORCE, withUse } from "./output/describe-removal.ts";
import {
  describeDomain,
  domainEventJson,
  domainJson,
  paintStatus,
  permissionText,
} from "./output/domain-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod domain` */
export function domains(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("domain")
    .description("Sending domains: who owns them, their DKIM keys, and their DNS records.");
  domainAdd(group, surroundings);
  domainList(group, surroundings);
  domainShow(group, surroundings);
  domainCheck(group, surroundings);
  domainZoneFile(group, surroundings);
  domainRotate(group, surroundings);
  domainRemove(group, surroundings);
}

const NAME = ["<domain>", "as example.com"] as const;

/** `hermod domain add` */
function domainAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument(...NAME)
    .description("Add a domain: makes its DKIM keys, and shows the DNS records that verify it.");
  coreCommand(surroundings, command, async (context) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const { domain } = await core.domains.addDomain({ accountId: account, domain: name });
    return shown(context, domain);
  });
}

/** `hermod domain list` */
function domainList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the domains of an account, and how they stand.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const all = await allPages(
      (pageToken) => core.domains.listDomains({ accountId: account, pageToken }),
      (page) => page.domains,
    );
    const rows = all.map((domain) => [
      printable(domain.name),
      paintStatus(paint, domain.status),
      permissionText(domain),
      printable(domain.dnsProvider),
      plainTime(domain.checkedAt) || "not yet",
    ]);
    const heading = ["DOMAIN", "STATUS", "MAY SEND", "DNS AT", "LOOKED AT"];
    return {
      // A list has neither keys nor records.
      json: listJson(all.map(domainJson).map(({ keys: _keys, records: _records, ...listed }) => listed)),
      text: () => table(paint, heading, rows, "There are no domains. Add one with `hermod domain add`."),
    };
  });
}

/** `hermod domain show` */
function domainShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument(...NAME)
    .description(
      "Show a domain, its keys and DNS records, what was found of them, and how its status has changed.",
    );
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""], paint }) => {
    const request = { accountId: account, domain: name };
    const [{ domain }, { events }] = await Promise.all([
      core.domains.getDomain(request),
      core.domains.listDomainEvents(request),
    ]);
    if (!domain) throw withoutDomain();
    return {
      json: { ...domainJson(domain), events: events.map(domainEventJson) },
      text: () => describeDomain(paint, domain, events),
    };
  });
}

/** `hermod domain check` */
function domainCheck(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("check")
    .argument(...NAME)
    .description("Look at the DNS records of a domain now, at its own name servers and at the resolver.");
  coreCommand(surroundings, command, async (context) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const { domain } = await core.domains.checkDomain({ accountId: account, domain: name });
    return shown(context, domain);
  });
}

/** `hermod domain zone-file` */
function domainZoneFile(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("zone-file")
    .argument(...NAME)
    .description("Write the DNS records of a domain as a zone file, to be read by its DNS provider.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { zoneFile } = await core.domains.getZoneFile({ accountId: account, domain: name });
    return { json: { zone_file: zoneFile }, text: () => zoneFile.trimEnd() };
  });
}

const MAX_HOURS = 24 * 365;

/** `hermod domain rotate`: the next keys, which take over once their records had time to spread. */
function domainRotate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rotate")
    .argument(...NAME)
    .description("Make the next keys of a domain; those that sign now go on until then.")
    .option("--after <hours>", "when the new keys take over", readHours, 48);
  coreCommand<{ after: number }>(surroundings, command, async (context, { after }) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const request = { accountId: account, domain: name, signAfterHours: after };
    const { domain } = await core.domains.rotateDomain(request);
    return shown(context, domain);
  });
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours <= MAX_HOURS) return hours;
  throw new InvalidArgumentError(`Give whole hours, at most ${MAX_HOURS}.`);
}

/** `hermod domain remove` */
function domainRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument(...NAME)
    .description(
      "Remove a domain with its keys; mail from it is neither signed nor, without a sender, taken any more.",
    )
    .option(...FORCE);
  coreCommand<{ force?: boolean }>(
    surroundings,
    command,
    async ({ core, account, args: [name = ""] }, { force = false }) => {
      const { use } = await core.domains.removeDomain({ accountId: account, domain: name, force });
      return withUse(use, { removed: name }, `${printable(name)} was removed with its keys.`);
    },
  );
}

function shown({ paint }: Pick<CommandContext, "paint">, domain: Domain | undefined): CommandResult {
  if (!domain) throw withoutDomain();
  return { json: domainJson(domain), text: () => describeDomain(paint, domain) };
}

function withoutDomain() {
  return fault("internal.error", { internal: "the core answered without the domain" });
}
