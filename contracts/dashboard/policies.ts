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
  description: "1 to 100 of `a-z`, `0-9`, `.`, `_` and `-`, a letter or digit at both ends.",
  examples: ["newsletter"],
});
const domains = z.array(z.string()).meta({
  description: "Domains of recipients; `*.example.com` stands for every domain below it, not for itself.",
  examples: [["example.org", "*.example.org"]],
});
const priority = z.string().meta({
  description: "`transactional`, or `bulk`, which lets the former go first.",
  examples: ["transactional"],
});
const waits = z.array(count("Seconds.")).meta({
  description: "Seconds to wait after the first, second… failed attempt; the last one repeats.",
  examples: [[60, 300, 1800]],
});
const maxAge = wanted(
  "Delivery is given up this long after a message was due; missing: as the installation says.",
);
const listUnsubscribe = z.boolean().meta({ description: "Messages carry List-Unsubscribe with one click." });
const limitFields = {
  concurrency: wanted("Deliveries to one mail provider under way at once."),
  messages_per_minute: wanted("To one mail provider."),
};
const sourceFields = {
  address: z.string().optional().meta({ description: "IPv4 address to connect from." }),
  address6: z.string().optional().meta({ description: "IPv6 address to connect from." }),
  helo_name: z.string().optional().meta({ description: "Name given in EHLO." }),
};

export const policy = z
  .object({
    name: policyName,
    default: z.boolean().meta({ description: "Messages that name no policy leave by it." }),
    revision: z.string().meta({
      description:
        "Another one each time that the policy is stored; whether it is the default is no part of it.",
      examples: ["rev_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    updated_at: moment("When it was stored last."),
    stored_by: z.string().meta({
      description:
        "`operator`: its servers may be anywhere, and members cannot change it. `account`: a member's, whose servers are at public addresses.",
      examples: ["account"],
    }),
    transports: z
      .array(transport)
      .meta({ description: "For recipients of no rule, in the order in which they are tried." }),
    rules: z
      .array(z.object({ domains, transports: z.array(transport) }))
      .meta({ description: "The first that names the recipient's domain decides." }),
    retry: z
      .object({ waits_seconds: waits })
      .optional()
      .meta({ description: "Missing: Hermod's own schedule." }),
    max_age_seconds: maxAge,
    priority,
    limits: z.object(limitFields).optional().meta({ description: "Missing: none." }),
    source: z.object(sourceFields).optional().meta({ description: "Missing: the machine's choice." }),
    list_unsubscribe: listUnsubscribe,
    tracking: policyTracking.optional(),
  })
  .meta({ id: "Policy", description: "A routing policy: how messages leave. Passwords are never shown." });

const content = {
  transports: z.array(newTransport).meta({
    description: "1 to 10, tried in order: the next one when the one before cannot be reached.",
  }),
  rules: z
    .array(z.strictObject({ domains, transports: z.array(newTransport) }))
    .optional()
    .meta({ description: "Other transports for some domains: up to 100, with up to 1,000 domains." }),
  retry: z
    .strictObject({ waits_seconds: waits })
    .optional()
    .meta({ description: "1 to 50 waits of 1 second to 7 days; missing: Hermod's own schedule." }),
  max_age_seconds: maxAge,
  priority: priority.optional(),
  limits: z.strictObject(limitFields).optional().meta({ description: "Missing: none." }),
  source: z.strictObject(sourceFields).optional().meta({ description: "Missing: the machine's choice." }),
  list_unsubscribe: listUnsubscribe.optional(),
  tracking: policyTracking.optional(),
};

export const newPolicy = z
  .strictObject({ name: policyName, ...content })
  .meta({ id: "NewPolicy", description: "A routing policy that need not be stored." });

const revision = z.string().meta({ description: "The revision that the change is based on." });

const pathParams = z.object({
  policy: z.string().meta({ description: "The policy's name." }),
});

export const policies = c.router({
  listPolicies: {
    method: "GET",
    path: "/api/policies",
    summary: "List routing policies",
    description: "By name.",
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
    summary: "See a routing policy",
    description: "Without its passwords.",
    ...reading({ access: "policies.read", faults: ["policy.not_found"], success: { 200: policy } }),
  },
  createPolicy: {
    method: "POST",
    path: "/api/policies",
    summary: "Add a routing policy",
    description:
      "Checked as a whole: everything that is wrong is named, and nothing is stored. Its servers must be at public addresses. A policy of this name that was deleted is replaced for the messages that still wait for it.",
    body: z
      .strictObject({
        name: policyName,
        default: z.boolean().optional().meta({ description: "True: it takes the place of the default one." }),
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
      "Whole: what is left out is gone, but for passwords and for being the default. It holds at once, for messages that wait, too; only their priority stays.",
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
      "Messages that name no policy leave by it, in the place of the former one. Its revision stays.",
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
      "No message can choose it from then on. Messages that wait go on as it says: to send them another way, add a policy of its name. The default one cannot be deleted.",
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
            waiting_until: moment("Until then messages that wait go on as it says; none can wait longer."),
            used_by: resourceUse.used_by.optional(),
            used_by_count: resourceUse.used_by_count.optional(),
          })
          .meta({ id: "DeletedPolicy", description: "What is left of a policy that was deleted." }),
      },
    }),
  },
  explainPolicy: {
    method: "POST",
    path: "/api/policies/explain",
    summary: "Explain what would become of a message",
    description:
      "Which rule decides for a recipient, over which servers the message would go, when it would be tried again, and why: by the rules that deliveries follow, whether the policy is stored or not. No server is connected to, and nothing is stored.",
    body: z
      .strictObject({
        recipient: z.string().meta({ description: "An address.", examples: ["ada@example.org"] }),
        policy_name: z
          .string()
          .optional()
          .meta({ description: "A stored policy; missing, with `policy`: the default one." }),
        policy: newPolicy.optional(),
        look_up: z.boolean().optional().meta({
          description: "Ask the DNS where `direct` leads, for 10 seconds at most (false).",
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
