import { toJson } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import {
  ExplainPolicyResponseSchema,
  type Policy,
  PolicySchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { parseJsonObject } from "./input/parse-json.ts";
import { readText, shownName } from "./input/read-text.ts";
import { describeExplanation } from "./output/describe-explanation.ts";
import { describePolicy, describeTransports, policyJson } from "./output/describe-policy.ts";
import { FORCE, withUse } from "./output/describe-removal.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod policy` */
export function policies(program: Command, surroundings: Surroundings): void {
  const group = program.command("policy").description("Routing policies: how messages leave.");
  policyPut(group, surroundings);
  policyList(group, surroundings);
  policyShow(group, surroundings);
  policyDefault(group, surroundings);
  policyDelete(group, surroundings);
  policyExplain(group, surroundings);
}

const REVISION = ["--revision <revision>", "refuse if it was stored again since this revision"] as const;

/** `hermod policy put`: creates or replaces the policy that a JSON file describes. */
function policyPut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument("<file>", "a JSON file, or - for standard input")
    .description("Create or replace a routing policy.")
    .option("--default", "use it for messages that name no policy, whatever the file says");
  command.option(...REVISION);
  coreCommand<{ default?: boolean; revision?: string }>(
    surroundings,
    command,
    async ({ core, account, args: [file = "-"] }, options) => {
      const policy = await readPolicyFile(file, surroundings);
      if (options.default) policy.default = true;
      const { policy: stored, updatedAt } = await core.policies.putPolicy({
        accountId: account,
        policy,
        ...(options.revision !== undefined && {
          basedOn: { case: "revision", value: options.revision } as const,
        }),
      });
      if (!stored) throw fault("internal.error", { internal: "the core answered without the policy" });
      const ways = printable(describeTransports(stored.transports));
      return {
        json: storedJson(stored, updatedAt),
        text: () => `Stored the policy ${stored.name}${stored.default ? " (default)" : ""}: ${ways}.`,
      };
    },
  );
}

/** What a stored policy has besides what it says. */
function storedJson(policy: Policy, updatedAt: Timestamp | undefined) {
  const { revision, storedBy } = policy;
  return { ...policyJson(policy), updated_at: isoTime(updatedAt), revision, stored_by: storedBy };
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
      json: storedJson(policy, updatedAt),
      text: () => describePolicy(paint, policy, updatedAt),
    };
  });
}

/** `hermod policy default` */
function policyDefault(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("default")
    .argument("<name>", "the policy's name")
    .description("Use a policy for messages that name none.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { policy } = await core.policies.makeDefaultPolicy({ accountId: account, name });
    if (!policy) throw fault("internal.error", { internal: "the core answered without the policy" });
    return {
      json: storedJson(policy, policy.updatedAt),
      text: () => `Messages that name no policy leave by ${policy.name} from now on.`,
    };
  });
}

/** `hermod policy delete` */
function policyDelete(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("delete")
    .argument("<name>", "the policy's name")
    .description("Delete a policy; messages that wait go on as it says.")
    .option(...REVISION)
    .option(...FORCE);
  coreCommand<{ revision?: string; force?: boolean }>(
    surroundings,
    command,
    async ({ core, account, args: [name = ""] }, { revision = "", force = false }) => {
      const asked = { accountId: account, name, revision, force };
      const { waitingUntil, use } = await core.policies.deletePolicy(asked);
      return withUse(
        use,
        { name, waiting_until: isoTime(waitingUntil) },
        `Deleted the policy ${name}. Messages that wait go on as it says, until ${plainTime(waitingUntil)} at most.`,
      );
    },
  );
}

interface ExplainOptions {
  readonly policy?: string;
  readonly file?: string;
  readonly lookUp?: boolean;
}

/** `hermod policy explain`: what would become of a message to one recipient, and why. */
function policyExplain(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("explain")
    .argument("<recipient>", "an address")
    .description("Say by which rule, when and how a message would leave, and why. Nothing is sent.")
    .option("--policy <name>", "the policy; left out: the default one")
    .addOption(
      new Option(
        "--file <file>",
        "a policy that need not be stored: a JSON file, or - for standard input",
      ).conflicts("policy"),
    )
    .option("--look-up", "ask the DNS where `direct` leads");
  coreCommand<ExplainOptions>(
    surroundings,
    command,
    async ({ core, account, paint, args: [recipient = ""] }, { policy, file, lookUp = false }) => {
      const by =
        file === undefined
          ? ({ case: "name", value: policy ?? "" } as const)
          : ({ case: "policy", value: await readPolicyFile(file, surroundings) } as const);
      const request = { accountId: account, recipient, by, lookUp };
      const explained = await core.policies.explainPolicy(request);
      return {
        json: toJson(ExplainPolicyResponseSchema, explained, {
          useProtoFieldName: true,
          alwaysEmitImplicit: true,
        }),
        text: () => describeExplanation(paint, explained),
      };
    },
  );
}

async function readPolicyFile(file: string, { input }: Surroundings): Promise<Policy> {
  const name = shownName(file);
  const { tracking, ...json } = parseJsonObject(await readText(file, input), name);
  // What `show --json` adds is passed over by the core; of tracking an earlier release says false.
  const isNone = tracking === undefined || tracking === false;
  return decodeMessage(PolicySchema, isNone ? json : { ...json, tracking }, name);
}
