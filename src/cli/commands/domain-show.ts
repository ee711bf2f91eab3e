import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describeDomain, domainJson } from "../resources/domain.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod domain show` */
export function domainShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<domain>", "as example.com")
    .description("Show the keys of a domain and their DNS records.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { domain } = await core.domains.getDomain({ accountId: account, domain: name });
    if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
    return { json: domainJson(domain), text: () => describeDomain(domain) };
  });
}
