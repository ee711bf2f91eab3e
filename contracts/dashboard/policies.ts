import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { policyExplanation } from "../common/policy-explanation.ts";
import { count, newTransport, transport, wanted } from "../common/policy-transport.ts";
import { removalQuery, resourceUse } from "../common/resource-use.ts";
import { changing, reading } from "../common/session-access.ts";
import { policyTracking } from "../common/tracking.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const policyName = z.string().meta({
  description: "1 to 100 characters of `a-z`, `0-9`, `.`, `_` and `-`, with a letter or digit at both ends.",
  examples: ["newsletter"],
});
const domains = z.array(z.string()).meta({
  description:
    "Domains of recipients. `*.example.com` matches every subdomain of `example.com`, but not `example.com` itself.",
  examples: [["example.org", "*.example.org"]],
});
const priority = z.string().meta({
  description: "`transactional` or `bulk`. Transactional messages are sent before bulk messages.",
  examples: ["transactional"],
});
const waits = z.array(count("Seconds.")).meta({
  description: "Seconds to wait after the first, second… failed attempt. The last value repeats.",
  examples: [[60, 300, 1800]],
});
const maxAge = wanted(
  "Seconds after which delivery is given up, from the time when the message was due. Missing: the setting of the installation.",
);
const listUnsubscribe = z
  .boolean()
  .meta({ description: "Whether messages have a List-Unsubscribe header with one-click unsubscribe." });
const limitFields = {
  concurrency: wanted("Maximum number of concurrent deliveries to one mail provider."),
  messages_per_minute: wanted("Maximum number of messages per minute to one mail provider."),
};
const sourceFields = {
  address: z.string().optional().meta({ description: "IPv4 address to connect from." }),
  address6: z.string().optional().meta({ description: "IPv6 address to connect from." }),
  helo_name: z.string().optional().meta({ description: "Host name for EHLO." }),
};

export const policy = z
  .object({
    name: policyName,
    default: z.boolean().meta({ description: "Whether messages without a policy name use this policy." }),
    revision: z.string().meta({
      description:
        "Revision of the policy. It changes each time the policy is stored, but not when the policy becomes the default.",
      examples: ["rev_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    updated_at: moment("Time when the policy was last stored."),
    stored_by: z.string().meta({
      description:
        "`operator`: stored by the operator. Its servers can have any address, and members cannot change it. `account`: stored by a member. Its servers have public addresses.",
      examples: ["account"],
    }),
    transports: z
      .array(transport)
      .meta({ description: "Transports for recipients that match no rule, in the order of the attempts." }),
    rules: z
      .array(z.object({ domains, transports: z.array(transport) }))
      .meta({ description: "Rules. The first rule that matches the recipient's domain applies." }),
    retry: z
      .object({ waits_seconds: waits })
      .optional()
      .meta({ description: "Retry schedule. Missing: Hermod's own schedule." }),
    max_age_seconds: maxAge,
    priority,
    limits: z.object(limitFields).optional().meta({ description: "Limits. Missing: none." }),
    source: z
      .object(sourceFields)
      .optional()
      .meta({ description: "Source addresses. Missing: the operating system chooses them." }),
    list_unsubscribe: listUnsubscribe,
    tracking: policyTracking.optional(),
  })
  .meta({
    id: "Policy",
    description: "A routing policy: rules for the delivery of messages. Passwords are never shown.",
  });

const content = {
  transports: z.array(newTransport).meta({
    description:
      "1 to 10 transports, tried in order. Hermod uses the next one if the previous one cannot be reached.",
  }),
  rules: z
    .array(z.strictObject({ domains, transports: z.array(newTransport) }))
    .optional()
    .meta({ description: "Other transports for some domains: up to 100, with up to 1,000 domains." }),
  retry: z.strictObject({ waits_seconds: waits }).optional().meta({
    description: "Retry schedule: 1 to 50 waits of 1 second to 7 days. Missing: Hermod's own schedule.",
  }),
  max_age_seconds: maxAge,
  priority: priority.optional(),
  limits: z.strictObject(limitFields).optional().meta({ description: "Limits. Missing: none." }),
  source: z
    .strictObject(sourceFields)
    .optional()
    .meta({ description: "Source addresses. Missing: the operating system chooses them." }),
  list_unsubscribe: listUnsubscribe.optional(),
  tracking: policyTracking.optional(),
};

export const newPolicy = z
  .strictObject({ name: policyName, ...content })
  .meta({ id: "NewPolicy", description: "A routing policy to evaluate. It does not have to be stored." });

const revision = z.string().meta({ description: "Revision that the change is based on." });

const pathParams = z.object({
  policy: z.string().meta({ description: "Name of the policy." }),
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
        ...content,
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
    body: z.strictObject({ revision, ...content }).meta({ id: "ReplacePolicyRequest" }),
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
      "Explains which rule applies to a recipient, which servers the message would use, when it would be retried, and why. Uses the same rules as deliveries, for a stored policy or one in the request. Connects to no server and stores nothing.",
    body: z
      .strictObject({
        recipient: z.string().meta({ description: "Recipient address.", examples: ["ada@example.org"] }),
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
      faults: ["policy.not_found"],
      success: { 200: policyExplanation },
    }),
  },
});
