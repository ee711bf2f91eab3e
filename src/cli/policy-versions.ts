import { Argument } from "commander";
import type { Change } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import {
  ComparePolicyVersionsResponseSchema,
  type Policy,
  PolicySchema,
  SettingVersionSchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { POLICY_NAME, POLICY_REVISION } from "./input/policy-options.ts";
import { readVersion } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { describeTransports } from "./output/describe-policy.ts";
import { messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { actorText, plainTime, printable } from "./output/text.ts";
import { required, showCommand } from "./show-command.ts";

const versionArgument = (help: string) => new Argument("<version>", help).argParser(readVersion);

/** `hermod policy versions`: newest first. */
export const policyVersions = listCommand({
  name: "versions",
  description: "List the versions of a policy, newest first.",
  arguments: [POLICY_NAME],
  call: ({ core, account, args: [name = ""], page }) =>
    core.policies.listPolicyVersions({ accountId: account, name, ...page }),
  of: "versions",
  schema: SettingVersionSchema,
  columns: [
    ["VERSION", ({ version }) => version],
    ["PRESENT", ({ current }, paint) => (current ? paint("green", "yes") : "no")],
    ["AT", ({ storedAt }) => plainTime(storedAt)],
    ["BY", ({ author }) => actorText(author) || "-"],
    ["RESTORES", ({ restoredVersion }) => (restoredVersion === 0 ? "" : `version ${restoredVersion}`)],
  ],
  none: "The policy has no versions.",
});

/** `hermod policy version`: content in the form of a file for `put`. */
export const policyVersion = showCommand({
  name: "version",
  description: "Write a version of a policy in the form of a file for `put`, without its passwords.",
  arguments: [POLICY_NAME, versionArgument("number of the version")],
  call: ({ core, account, args: [name = "", version = ""] }) =>
    core.policies.getPolicyVersion({ accountId: account, name, version }),
  of: "version",
  schema: SettingVersionSchema,
  also: ({ policy }) => ({ content: contentJson(policy) }),
  text: (_version, { answer: { policy } }) => JSON.stringify(contentJson(policy), null, 2),
  note: ({ version, storedAt, author, current }, { args: [name = ""] }) => {
    const by = author ? ` by ${actorText(author)}` : "";
    const state = current ? " (present)" : "";
    return `Version ${version}${state} of the policy ${printable(name)}, stored at ${plainTime(storedAt)}${by}.`;
  },
});

/** The policy of a version as JSON. A version does not record whether the policy was the default. */
function contentJson(policy: Policy | undefined): object {
  const { default: _, ...content } = messageJson(PolicySchema, required(policy, "policy")) ?? {};
  return content;
}

/** `hermod policy diff`: fields that differ between two versions. */
export const policyDiff = showCommand({
  name: "diff",
  description: "Show the fields that differ between two versions of a policy.",
  arguments: [
    POLICY_NAME,
    ["[before]", "number of the earlier version (default: the one before the later version)"],
    ["[after]", "number of the later version (default: the present version)"],
  ],
  call: async ({ core, account, args: [name = "", before = "", after = ""] }) => ({
    compared: await core.policies.comparePolicyVersions({ accountId: account, name, before, after }),
  }),
  of: "compared",
  schema: ComparePolicyVersionsResponseSchema,
  text: ({ before, after, changes }, { paint }) =>
    changes.length === 0
      ? `There are no differences between version ${before} and version ${after}.`
      : [
          `Changes from version ${before} to version ${after}:`,
          ...changes.flatMap((change) => changeLines(paint, change)),
        ].join("\n"),
});

function changeLines(paint: Paint, { field, before, after, secret }: Change): string[] {
  return [
    paint("bold", printable(field)),
    ...(secret ? ["  A secret value differs."] : []),
    ...(before === undefined ? [] : [paint("red", `- ${printable(before)}`)]),
    ...(after === undefined ? [] : [paint("green", `+ ${printable(after)}`)]),
  ];
}

/** `hermod policy restore`: stores the content of an earlier version as a new version. */
export const policyRestore = showCommand({
  name: "restore",
  description: "Store the content of an earlier version of a policy as a new version.",
  arguments: [POLICY_NAME, versionArgument("number of the version to restore")],
  options: [POLICY_REVISION],
  call: (
    { core, account, args: [name = "", version = ""] },
    { revision = "" }: { readonly revision?: string },
  ) => core.policies.restorePolicy({ accountId: account, name, version: Number(version), revision }),
  of: "policy",
  schema: PolicySchema,
  text: ({ name, transports }, { args: [, version = ""] }) =>
    `Restored version ${version} of the policy ${printable(name)}: ${printable(describeTransports(transports))}.`,
});
