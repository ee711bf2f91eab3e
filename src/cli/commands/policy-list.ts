import type { Command } from "commander";
import { allPages } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { listJson } from "../output/list-json.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { describeTransports, policyJson } from "../resources/policy.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod policy list`: never any password. */
export function policyList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the routing policies.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const policies = await allPages(
      (pageToken) => core.policies.listPolicies({ accountId: account, pageToken }),
      (page) => page.policies,
    );
    const rows = policies.map((policy) => [
      printable(policy.name),
      policy.default ? paint("green", "yes") : "no",
      printable(describeTransports(policy.transports)) + ruleCount(policy.rules.length),
    ]);
    return {
      json: listJson(policies.map(policyJson)),
      text: () =>
        table(
          paint,
          ["NAME", "DEFAULT", "TRANSPORTS"],
          rows,
          "There are no policies. Add one with `hermod policy put`.",
        ),
    };
  });
}

function ruleCount(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "; 1 rule" : `; ${count} rules`;
}
