import type { Command } from "commander";
import { PolicySchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { decodeMessage } from "../input/decode-message.ts";
import { parseJsonObject } from "../input/parse-json.ts";
import { readText, shownName } from "../input/read-text.ts";
import { printable } from "../output/printable.ts";
import { isoTime } from "../output/time.ts";
import { describeTransports, policyJson } from "../resources/policy.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod policy put`: creates or replaces the policy that a JSON file describes. */
export function policyPut(parent: Command, surroundings: Surroundings): void {
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
