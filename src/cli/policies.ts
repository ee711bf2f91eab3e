import { Option } from "commander";
import {
  DeletePolicyResponseSchema,
  ExplainPolicyResponseSchema,
  type Policy,
  PolicySchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { parseJsonObject } from "./input/parse-json.ts";
import { readText, shownName } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import { describeExplanation } from "./output/describe-explanation.ts";
import { describePolicy, describeTransports } from "./output/describe-policy.ts";
import { messageJson } from "./output/json.ts";
import { plainTime, printable } from "./output/text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod policy` */
export const policies = commandGroup("policy", "Routing policies: how messages leave.", () => [
  policyPut,
  policyList,
  policyShow,
  policyDefault,
  policyDelete,
  policyExplain,
]);

const REVISION = ["--revision <revision>", "refuse if it was stored again since this revision"] as const;
const NAME = ["<name>", "the policy's name"] as const;

/** `hermod policy put`: creates or replaces the policy that a JSON file describes. */
const policyPut = showCommand({
  name: "put",
  description: "Create or replace a routing policy.",
  arguments: [["<file>", "a JSON file, or - for standard input"]],
  options: [["--default", "use it for messages that name no policy, whatever the file says"], REVISION],
  call: async (
    { core, account, args: [file = "-"], surroundings },
    options: { default?: boolean; revision?: string },
  ) => {
    const policy = await readPolicyFile(file, surroundings);
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

/** `hermod policy list`: never any password. */
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

/** `hermod policy show`: everything that a policy says, but for passwords. */
const policyShow = showCommand({
  name: "show",
  description: "Show a routing policy, without its passwords.",
  arguments: [NAME],
  call: ({ core, account, args: [name = ""] }) => core.policies.getPolicy({ accountId: account, name }),
  of: "policy",
  schema: PolicySchema,
  text: (policy, { paint }) => describePolicy(paint, policy),
});

/** `hermod policy default` */
const policyDefault = showCommand({
  name: "default",
  description: "Use a policy for messages that name none.",
  arguments: [NAME],
  call: ({ core, account, args: [name = ""] }) =>
    core.policies.makeDefaultPolicy({ accountId: account, name }),
  of: "policy",
  schema: PolicySchema,
  text: ({ name }) => `Messages that name no policy leave by ${name} from now on.`,
});

/** `hermod policy delete` */
const policyDelete = removeCommand(
  {
    name: "delete",
    description: "Delete a policy; messages that wait go on as it says.",
    arguments: [NAME],
    options: [REVISION, FORCE],
  },
  async ({ core, account, args: [name = ""] }, options: { revision?: string; force?: boolean }) => {
    const { revision = "", force = false } = options;
    const asked = { accountId: account, name, revision, force };
    const deleted = await core.policies.deletePolicy(asked);
    const { waitingUntil, use } = deleted;
    return {
      use,
      json: { name, waiting_until: messageJson(DeletePolicyResponseSchema, deleted)?.waiting_until },
      text: `Deleted the policy ${name}. Messages that wait go on as it says, until ${plainTime(waitingUntil)} at most.`,
    };
  },
);

interface ExplainOptions {
  readonly policy?: string;
  readonly file?: string;
  readonly lookUp?: boolean;
}

/** `hermod policy explain`: what would become of a message to one recipient, and why. */
const policyExplain = showCommand({
  name: "explain",
  description: "Say by which rule, when and how a message would leave, and why. Nothing is sent.",
  arguments: [["<recipient>", "an address"]],
  options: [
    ["--policy <name>", "the policy; left out: the default one"],
    new Option(
      "--file <file>",
      "a policy that need not be stored: a JSON file, or - for standard input",
    ).conflicts("policy"),
    ["--look-up", "ask the DNS where `direct` leads"],
  ],
  call: async (
    { core, account, args: [recipient = ""], surroundings },
    { policy = "", file, lookUp = false }: ExplainOptions,
  ) => {
    const by =
      file === undefined
        ? ({ case: "name", value: policy } as const)
        : ({ case: "policy", value: await readPolicyFile(file, surroundings) } as const);
    return {
      explained: await core.policies.explainPolicy({ accountId: account, recipient, by, lookUp }),
    };
  },
  of: "explained",
  schema: ExplainPolicyResponseSchema,
  text: (explained, { paint }) => describeExplanation(paint, explained),
});

async function readPolicyFile(file: string, { input }: Surroundings): Promise<Policy> {
  const name = shownName(file);
  const { tracking, ...json } = parseJsonObject(await readText(file, input), name);
  // What `show --json` adds is passed over by the core; of tracking an earlier release says false.
  const isNone = tracking === undefined || tracking === false;
  return decodeMessage(PolicySchema, isNone ? json : { ...json, tracking }, name);
}
