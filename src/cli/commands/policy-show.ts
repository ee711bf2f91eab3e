import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describePolicy } from "../output/describe-policy.ts";
import { isoTime } from "../output/time.ts";
import { policyJson } from "../resources/policy.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod policy show`: everything that a policy says, but for passwords. */
export function policyShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<name>", "the policy's name")
    .description("Show a routing policy, without its passwords.");
  coreCommand(surroundings, command, async ({ core, account, paint, args: [name = ""] }) => {
    const { policy, updatedAt } = await core.policies.getPolicy({ accountId: account, name });
    if (!policy) throw fault("internal.error", { internal: "the core answered without the policy" });
    return {
      json: { ...policyJson(policy), updated_at: isoTime(updatedAt) },
      text: () => describePolicy(paint, policy, updatedAt),
    };
  });
}
