import { type Command, InvalidArgumentError } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describeDomain, domainJson } from "../resources/domain.ts";
import type { Surroundings } from "../surroundings.ts";

const MAX_HOURS = 24 * 365;

/** `hermod domain rotate`: the next keys, which take over once their records had time to spread. */
export function domainRotate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rotate")
    .argument("<domain>", "as example.com")
    .description("Make the next keys of a domain; those that sign now go on until then.")
    .option("--after <hours>", "when the new keys take over", readHours, 48);
  coreCommand<{ after: number }>(
    surroundings,
    command,
    async ({ core, account, args: [name = ""] }, { after }) => {
      const request = { accountId: account, domain: name, signAfterHours: after };
      const { domain } = await core.domains.rotateDomain(request);
      if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
      return { json: domainJson(domain), text: () => describeDomain(domain) };
    },
  );
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours <= MAX_HOURS) return hours;
  throw new InvalidArgumentError(`Give whole hours, at most ${MAX_HOURS}.`);
}
