import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describeDomain, domainJson } from "../resources/domain.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod domain add` */
export function domainAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<domain>", "as example.com")
    .description("Sign mail from a domain: makes its keys and shows the DNS records to publish.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { domain } = await core.domains.addDomain({ accountId: account, domain: name });
    if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
    return { json: domainJson(domain), text: () => describeDomain(domain) };
  });
}
