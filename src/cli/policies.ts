import { Option } from "commander";
import {
  DeletePolicyResponseSchema,
  ExplainPolicyResponseSchema,
  type Policy,
  PolicySchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import type { Environment } from "./environment.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { parseJsonObject } from "./input/parse-json.ts";
import { POLICY_NAME, POLICY_REVISION } from "./input/policy-options.ts";
import { readText, shownName } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import { describeExplanation } from "./output/describe-explanation.ts";
import { describePolicy, describeTransports } from "./output/describe-policy.ts";
import { messageJson } from "./output/json.ts";
import { plainTime, printable } from "./output/text.ts";
import { policyHold, policyRelease, policyWaiting } from "./policy-queue.ts";
import { policyDiff, policyRestore, policyVersion, policyVersions } from "./policy-versions.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod policy` */
export const policies = commandGroup(
  "policy",
  "Routing policies, which decide how messages are delivered.",
  () => [
    policyPut,
    policyList,
    policyShow,
    policyDefault,
    policyDelete,
    policyExplain,
    policyVersions,
    policyVersion,
    policyDiff,
    policyRestore,
    policyWaiting,
    policyHold,
    policyRelease,
  ],
);

/** `hermod policy put`: creates or replaces the policy of a JSON file. */
const policyPut = showCommand({
  name: "put",
  description: "Create or replace a routing policy.",
  arguments: [["<file>", "JSON file, or - for standard input"]],
  options: [["--default", "make it the default policy, regardless of the file"], POLICY_REVISION],
  call: async (
    { core, account, args: [file = "-"], environment },
    options: { default?: boolean; revision?: string },
  ) => {
    const policy = await readPolicyFile(file, environment);
    if (options.default) policy.default = true;
    return core.policies.putPolicy({
      accountId: account,
      policy,
      ...(options.revision !== undefined && {
        basedOn: { case: "revision", value: options.revision } as const,
      }),
    });
  },
  of: "policy",
  schema: PolicySchema,
  text: ({ name, default: isDefault, transports }) =>
    `Stored the policy ${name}${isDefault ? " (default)" : ""}: ${printable(describeTransports(transports))}.`,
});

/** `hermod policy list`: without passwords. */
const policyList = listCommand({
  description: "List the routing policies.",
  call: ({ core, account, page }) => core.policies.listPolicies({ accountId: account, ...page }),
  of: "policies",
  schema: PolicySchema,
  columns: [
    ["NAME", ({ name }) => printable(name)],
    ["DEFAULT", (policy, paint) => (policy.default ? paint("green", "yes") : "no")],
    [
      "TRANSPORTS",
      ({ transports, rules }) => printable(describeTransports(transports)) + ruleCount(rules.length),
    ],
  ],
  none: "There are no policies. Add one with `hermod policy put`.",
});

function ruleCount(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "; 1 rule" : `; ${count} rules`;
}

/** `hermod policy show`: all settings of a policy except passwords. */
const policyShow = showCommand({
  name: "show",
  description: "Show a routing policy, without its passwords.",
  arguments: [POLICY_NAME],
  call: ({ core, account, args: [name = ""] }) => core.policies.getPolicy({ accountId: account, name }),
  of: "policy",
  schema: PolicySchema,
  text: (policy, { paint }) => describePolicy(paint, policy),
});

/** `hermod policy default` */
const policyDefault = showCommand({
  name: "default",
  description: "Make a policy the default for messages that name no policy.",
  arguments: [POLICY_NAME],
  call: ({ core, account, args: [name = ""] }) =>
    core.policies.makeDefaultPolicy({ accountId: account, name }),
  of: "policy",
  schema: PolicySchema,
  text: ({ name }) => `${name} is now the default policy for messages that name no policy.`,
});

/** `hermod policy delete` */
const policyDelete = removeCommand(
  {
    name: "delete",
    description: "Delete a policy. Waiting messages still follow it.",
    arguments: [POLICY_NAME],
    options: [POLICY_REVISION, FORCE],
  },
  async ({ core, account, args: [name = ""] }, options: { revision?: string; force?: boolean }) => {
    const { revision = "", force = false } = options;
    const asked = { accountId: account, name, revision, force };
    const deleted = await core.policies.deletePolicy(asked);
    const { waitingUntil, use } = deleted;
    return {
      use,
      json: { name, waiting_until: messageJson(DeletePolicyResponseSchema, deleted)?.waiting_until },
      text: `Deleted the policy ${name}. Waiting messages still follow it, until ${plainTime(waitingUntil)} at the latest.`,
    };
  },
);

interface ExplainOptions {
  readonly policy?: string;
  readonly file?: string;
  readonly lookUp?: boolean;
}

/** `hermod policy explain`: simulates the delivery of a message to one recipient. */
const policyExplain = showCommand({
  name: "explain",
  description: "Show by which rule, when and how Hermod would deliver a message, and why. Nothing is sent.",
  arguments: [["<recipient>", "address of the recipient"]],
  options: [
    ["--policy <name>", "name of the policy (default: the default policy)"],
    new Option(
      "--file <file>",
      "use the policy of a JSON file instead of a stored one; - for standard input",
    ).conflicts("policy"),
    ["--look-up", "resolve the mail servers of `direct` in the DNS"],
  ],
  call: async (
    { core, account, args: [recipient = ""], environment },
    { policy = "", file, lookUp = false }: ExplainOptions,
  ) => {
    const by =
      file === undefined
        ? ({ case: "name", value: policy } as const)
        : ({ case: "policy", value: await readPolicyFile(file, environment) } as const);
    return {
      explained: await core.policies.explainPolicy({ accountId: account, recipient, by, lookUp }),
    };
  },
  of: "explained",
  schema: ExplainPolicyResponseSchema,
  text: (explained, { paint }) => describeExplanation(paint, explained),
});

async function readPolicyFile(file: string, { input }: Environment): Promise<Policy> {
  const name = shownName(file);
  const { tracking, ...json } = parseJsonObject(await readText(file, input), name);
  // The core ignores the fields that `show --json` adds. An earlier release writes `tracking: false`.
  const isNone = tracking === undefined || tracking === false;
  return decodeMessage(PolicySchema, isNone ? json : { ...json, tracking }, name);
}
