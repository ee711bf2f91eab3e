import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { policyExplanation } from "../common/policy-explanation.ts";
import { destinationOfHold, policyHold, policyQueue } from "../common/policy-queue.ts";
import { newPolicy, policy, policyContent, policyName } from "../common/policy-schemas.ts";
import { removalQuery, resourceUse } from "../common/resource-use.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  differenceQuery,
  restoredVersion,
  settingDifference,
  settingVersion,
  versionNumber,
} from "../common/setting-versions.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const revision = z.string().meta({ description: "Revision that the change is based on." });

const pathParams = z.object({
  policy: z.string().meta({ description: "Name of the policy." }),
});
const ofVersion = ["policy.not_found", "policy.version_not_found", "request.validation_failed"] as const;
const policyVersion = settingVersion.extend({ content: policy.omit({ default: true }) }).meta({
  id: "PolicyVersion",
  description:
    "A version of a policy with its content, without passwords. A version does not record whether the policy was the default.",
});

export const policies = c.router({
  listPolicies: {
    method: "GET",
    path: "/api/policies",
    summary: "List routing policies",
    description: "Lists routing policies by name.",
    query: pageQuery,
    ...reading({
      access: "policies.read",
      faults: ["request.validation_failed"],
      success: { 200: page("PolicyList", policy) },
    }),
  },
  getPolicy: {
    method: "GET",
    path: "/api/policies/:policy",
    pathParams,
    summary: "Get a routing policy",
    description: "Returns a routing policy without its passwords.",
    ...reading({ access: "policies.read", faults: ["policy.not_found"], success: { 200: policy } }),
  },
  createPolicy: {
    method: "POST",
    path: "/api/policies",
    summary: "Create a routing policy",
    description:
      "Creates a routing policy. If it has errors, the response lists all of them and nothing is stored. Its servers must have public addresses. The new policy replaces a deleted policy of the same name for messages that still wait.",
    body: z
      .strictObject({
        name: policyName,
        default: z.boolean().optional().meta({ description: "Whether the policy becomes the default." }),
        ...policyContent,
      })
      .meta({ id: "CreatePolicyRequest" }),
    ...changing({
      access: "policies.write",
      faults: ["policy.exists", "policy.too_many", "auth.reauthentication_required"],
      success: { 201: policy },
    }),
  },
  replacePolicy: {
    method: "PUT",
    path: "/api/policies/:policy",
    pathParams,
    summary: "Replace a routing policy",
    description:
      "Replaces the whole policy: fields that are left out are removed. Passwords that are left out stay, and so does the default. The change applies at once, including to messages that wait; only their priority stays.",
    body: z.strictObject({ revision, ...policyContent }).meta({ id: "ReplacePolicyRequest" }),
    ...changing({
      access: "policies.write",
      faults: ["policy.not_found", "policy.stale", "auth.reauthentication_required", "policy.operator_owned"],
      success: { 200: policy },
    }),
  },
  makeDefaultPolicy: {
    method: "POST",
    path: "/api/policies/:policy/default",
    pathParams,
    summary: "Make a routing policy the default",
    description:
      "Makes the policy the default for messages without a policy name, in place of the previous default. The revision of the policy stays.",
    body: c.noBody(),
    ...changing({
      access: "policies.write",
      faults: ["policy.not_found", "auth.reauthentication_required", "policy.operator_owned"],
      success: { 200: policy },
    }),
  },
  deletePolicy: {
    method: "DELETE",
    path: "/api/policies/:policy",
    pathParams,
    query: removalQuery.extend({ revision }),
    summary: "Delete a routing policy",
    description:
      "Deletes a routing policy. New messages cannot use it. Messages that wait still use it: to send them another way, create a policy with the same name. The default policy cannot be deleted.",
    ...changing({
      access: "policies.write",
      faults: [
        "policy.not_found",
        "policy.stale",
        "policy.is_default",
        "resource.in_use",
        "auth.reauthentication_required",
        "policy.operator_owned",
      ],
      success: {
        200: z
          .object({
            waiting_until: moment(
              "Time until which waiting messages use the policy. No message waits longer.",
            ),
            used_by: resourceUse.used_by.optional(),
            used_by_count: resourceUse.used_by_count.optional(),
          })
          .meta({ id: "DeletedPolicy", description: "Remaining effects of a deleted policy." }),
      },
    }),
  },
  explainPolicy: {
    method: "POST",
    path: "/api/policies/explain",
    summary: "Explain the routing of a message",
    description:
      "Explains which rule applies to a recipient, which servers the message would use, when it would be retried, and why. Uses the same rules as deliveries, for a stored policy or one in the request. With `message_id`, it explains the present policy of that message and, in `attempted`, the policy as it was at the last attempt. Connects to no server and stores nothing.",
    body: z
      .strictObject({
        recipient: z
          .string()
          .optional()
          .meta({
            description: "Recipient address. Required without `message_id`.",
            examples: ["ada@example.org"],
          }),
        message_id: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .meta({
            description:
              "Id of a message, in place of `recipient`, `policy_name` and `policy`. Also needs the permission `messages.read`.",
            examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
        policy_name: z.string().optional().meta({
          description:
            "Name of a stored policy. If `policy` is missing and this name is missing or empty: the account's default policy, or 404 `policy.not_found` if there is none.",
        }),
        policy: newPolicy.optional(),
        look_up: z.boolean().optional().meta({
          description:
            "Whether to query the DNS for the servers of `direct`, for at most 10 seconds. Default: `false`.",
        }),
      })
      .meta({ id: "ExplainPolicyRequest" }),
    ...changing({
      access: "policies.read",
      faults: ["policy.not_found", "message.unknown", "message.unreadable"],
      success: { 200: policyExplanation },
    }),
  },
  listPolicyVersions: {
    method: "GET",
    path: "/api/policies/:policy/versions",
    pathParams,
    summary: "List the versions of a routing policy",
    description:
      "Lists the versions of a policy without their content, newest first. Each change stores one, and Hermod keeps the newest 100. The newest one is the present state.",
    query: pageQuery,
    ...reading({
      access: "policies.read",
      faults: ["policy.not_found", "request.validation_failed"],
      success: { 200: page("PolicyVersionList", settingVersion) },
    }),
  },
  getPolicyVersion: {
    method: "GET",
    path: "/api/policies/:policy/versions/:version",
    pathParams: pathParams.extend({ version: versionNumber }),
    summary: "Get a version of a routing policy",
    description: "Returns a version with its content, without passwords.",
    ...reading({
      access: "policies.read",
      faults: ofVersion,
      success: { 200: policyVersion },
    }),
  },
  comparePolicyVersions: {
    method: "GET",
    path: "/api/policies/:policy/diff",
    pathParams,
    summary: "Compare two versions of a routing policy",
    description: "Compares two versions, field by field. A changed password is reported without its values.",
    query: differenceQuery,
    ...reading({
      access: "policies.read",
      faults: ofVersion,
      success: { 200: settingDifference },
    }),
  },
  restorePolicy: {
    method: "POST",
    path: "/api/policies/:policy/restore",
    pathParams,
    summary: "Restore a version of a routing policy",
    description:
      "Stores the content of an earlier version as a new revision, under the rules of a replacement. A relay gets the present password for its servers and user name, or else the password of the version. The default stays. A member cannot restore a version that the operator stored.",
    body: z.strictObject({ revision, version: restoredVersion }).meta({ id: "RestorePolicyRequest" }),
    ...changing({
      access: "policies.write",
      faults: [...ofVersion, "policy.stale", "auth.reauthentication_required", "policy.operator_owned"],
      success: { 200: policy },
    }),
  },
  getPolicyQueue: {
    method: "GET",
    path: "/api/policies/:policy/queue",
    pathParams,
    summary: "Get the queue of a routing policy",
    description:
      "Counts the messages that wait under a policy, by destination, and lists the holds that cover them. Also works for a deleted policy that messages still use.",
    ...reading({
      access: "policies.read",
      faults: ["policy.not_found", "service.busy"],
      success: { 200: policyQueue },
    }),
  },
  holdPolicyQueue: {
    method: "POST",
    path: "/api/policies/:policy/hold",
    pathParams,
    summary: "Hold the queue of a routing policy",
    description:
      "Holds the messages of a policy, or those to one destination. Hermod still accepts messages, but begins no attempt until the hold is released. Workers follow within two seconds, and current attempts finish. A hold does not extend the maximum age: a message that is older when it is released has one more attempt, and is not retried. A hold has no end. An existing hold is returned unchanged.",
    body: z
      .strictObject({
        destination: destinationOfHold.optional(),
        reason: z
          .string()
          .max(200)
          .meta({ description: "Reason for people: 1 to 200 characters.", examples: ["The relay is down"] }),
      })
      .meta({ id: "HoldPolicyQueueRequest" }),
    ...changing({
      access: "policies.write",
      faults: ["policy.not_found", "queue.too_many_holds"],
      success: { 200: policyHold },
    }),
  },
  releasePolicyQueue: {
    method: "POST",
    path: "/api/policies/:policy/release",
    pathParams,
    summary: "Release the queue of a routing policy",
    description:
      "Releases a hold of the account and returns it. Due messages are sent within the limits of their destinations. Holds of the operator stay.",
    body: z
      .strictObject({ destination: destinationOfHold.optional() })
      .meta({ id: "ReleasePolicyQueueRequest" }),
    ...changing({
      access: "policies.write",
      faults: ["queue.hold_unknown"],
      success: { 200: policyHold },
    }),
  },
});
