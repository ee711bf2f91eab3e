import type { Command } from "commander";
import { PolicySchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { parseJsonObject } from "./input/parse-json.ts";
import { readText, shownName } from "./input/read-text.ts";
import { describePolicy, describeTransports, policyJson } from "./output/describe-policy.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod policy` */
export function policies(program: Command, surroundings: Surroundings): void {
  const group = program.command("policy").description("Routing policies: how messages leave.");
  policyPut(group, surroundings);
  policyList(group, surroundings);
  policyShow(group, surroundings);
}

/** `hermod policy put`: creates or replaces the policy that a JSON file describes. */
function policyPut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument("<file>", "a JSON file, or - for standard input")
    .description("Create or replace a routing policy.")
    .option("--default", "use it for messages that name no policy, whatever the file says");
  coreCommand<{ default?: boolean }>(
    surroundings,
    command,
    async ({ core, account, args: [file = "-"] }, options) => {
      const name = shownName(file);
      const given = parseJsonObject(await readText(file, surroundings.input), name);
      // What `show --json` adds is no part of the policy.
      const { updated_at: _shown, ...content } = given;
      const policy = decodeMessage(PolicySchema, content, name);
      if (options.default) policy.default = true;
      const { policy: stored, updatedAt } = await core.policies.putPolicy({ accountId: account, policy });
      if (!stored) throw fault("internal.error", { internal: "the core answered without the policy" });
      const ways = printable(describeTransports(stored.transports));
      return {
        json: { ...policyJson(stored), updated_at: isoTime(updatedAt) },
        text: () => `Stored the policy ${stored.name}${stored.default ? " (default)" : ""}: ${ways}.`,
      };
    },
  );
}

/** `hermod policy list`: never any password. */
function policyList(parent: Command, surroundings: Surroundings): void {
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

/** `hermod policy show`: everything that a policy says, but for passwords. */
function policyShow(parent: Command, surroundings: Surroundings): void {
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
