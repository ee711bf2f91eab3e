import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { policyExplanation } from "../../../contracts/common/policy-explanation.ts";
import type { policyHold } from "../../../contracts/common/policy-queue.ts";
import type { newPolicy, policy } from "../../../contracts/common/policy-schemas.ts";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type { policies as contract } from "../../../contracts/dashboard/policies.ts";
import {
  ComparePolicyVersionsResponseSchema,
  DeletePolicyResponseSchema,
  ExplainPolicyResponseSchema,
  PolicyHoldSchema,
  type Policy as PolicyMessage,
  PolicySchema,
  SettingVersionSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import {
  bodyOf,
  bodyOfUse,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
} from "./call.ts";
import { policyQueueBody } from "./policy-queue-body.ts";

type Policy = z.output<typeof policy>;
type Explanation = z.output<typeof policyExplanation>;
type Version = z.output<typeof settingVersion>;
type Hold = z.output<typeof policyHold>;
type Transport = Policy["transports"][number];
type NewPolicy = z.output<typeof newPolicy>;
type NewTransport = NewPolicy["transports"][number];

/** Handlers of the routes of `dashboard.policies`. */
export function policies(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listPolicies: async ({ request, query }) => {
      const found = await coreFor(request).policies.listPolicies(pageRequest(query));
      return { status: 200, body: pageBody(found.policies.map(policyBody), found.nextPageToken) };
    },
    getPolicy: async ({ request, params }) => {
      const found = await coreFor(request).policies.getPolicy({ name: params.policy });
      return { status: 200, body: policyBody(found.policy) };
    },
    createPolicy: async ({ request, body }) => {
      const { default: isDefault = false, ...content } = body;
      const put = { ...policyMessage(content), default: isDefault };
      const basedOn = { case: "nothing", value: true } as const;
      const stored = await coreFor(request).policies.putPolicy({ policy: put, basedOn });
      return { status: 201, body: policyBody(stored.policy) };
    },
    replacePolicy: async ({ request, params, body }) => {
      const { revision, ...content } = body;
      const put = policyMessage({ name: params.policy, ...content });
      const basedOn = { case: "revision", value: revision } as const;
      const stored = await coreFor(request).policies.putPolicy({ policy: put, basedOn });
      return { status: 200, body: policyBody(stored.policy) };
    },
    makeDefaultPolicy: async ({ request, params }) => {
      const stored = await coreFor(request).policies.makeDefaultPolicy({ name: params.policy });
      return { status: 200, body: policyBody(stored.policy) };
    },
    deletePolicy: async ({ request, params, query }) => {
      // Empty stands for any revision, which is the command line's to ask for.
      if (query.revision === "") throw noRevision();
      const { revision } = query;
      const asked = { name: params.policy, revision, force: isForced(query) };
      const { use, ...deleted } = await coreFor(request).policies.deletePolicy(asked);
      return {
        status: 200,
        body: {
          ...bodyOf<{ waiting_until: string }>(DeletePolicyResponseSchema, deleted),
          ...bodyOfUse({ use }),
        },
      };
    },
    explainPolicy: async ({ request, body }) => {
      const { recipient = "", policy_name: name, policy: given, look_up: lookUp = false } = body;
      const { message_id: messageId = "" } = body;
      if (name !== undefined && given) {
        const message = say("policy_named_or_given");
        throw validationFault([{ pointer: "/policy_name", code: "field.conflict", message }]);
      }
      const by = given
        ? ({ case: "policy", value: policyMessage(given) } as const)
        : ({ case: "name", value: name ?? "" } as const);
      const explained = await coreFor(request).policies.explainPolicy({ recipient, by, lookUp, messageId });
      return { status: 200, body: bodyOf<Explanation>(ExplainPolicyResponseSchema, explained) };
    },
    listPolicyVersions: async ({ request, params: { policy: name }, query }) => {
      const found = await coreFor(request).policies.listPolicyVersions({ name, ...pageRequest(query) });
      const data = found.versions.map((one) => bodyOf<Version>(SettingVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getPolicyVersion: async ({ request, params: { policy: name, version } }) => {
      const found = await coreFor(request).policies.getPolicyVersion({ name, version });
      const { default: _, ...content } = policyBody(found.policy);
      return { status: 200, body: { ...bodyOf<Version>(SettingVersionSchema, found.version), content } };
    },
    comparePolicyVersions: async ({ request, params: { policy: name }, query }) => {
      const { before = "", after = "" } = query;
      const compared = await coreFor(request).policies.comparePolicyVersions({ name, before, after });
      const body = bodyOf<z.output<typeof settingDifference>>(ComparePolicyVersionsResponseSchema, compared);
      return { status: 200, body };
    },
    restorePolicy: async ({ request, params: { policy: name }, body: { version, revision } }) => {
      // Empty stands for any revision, which is the command line's to ask for.
      if (revision === "") throw noRevision();
      const restored = await coreFor(request).policies.restorePolicy({ name, version, revision });
      return { status: 200, body: policyBody(restored.policy) };
    },
    getPolicyQueue: async ({ request, params: { policy: name } }) => {
      const found = await coreFor(request).policies.getPolicyQueue({ name });
      return { status: 200, body: policyQueueBody(found) };
    },
    holdPolicyQueue: async ({ request, params: { policy: name }, body: { destination = "", reason } }) => {
      const { hold } = await coreFor(request).policies.holdPolicyQueue({ name, destination, reason });
      return { status: 200, body: bodyOf<Hold>(PolicyHoldSchema, hold) };
    },
    releasePolicyQueue: async ({ request, params: { policy: name }, body: { destination = "" } }) => {
      const { hold } = await coreFor(request).policies.releasePolicyQueue({ name, destination });
      return { status: 200, body: bodyOf<Hold>(PolicyHoldSchema, hold) };
    },
  };
}

function noRevision() {
  const message = say("revision_needed");
  return validationFault([{ pointer: "/revision", code: "field.required", message }]);
}

/** A policy as the dashboard shows it: a field for a password is not even empty. */
function policyBody(message: PolicyMessage | undefined): Policy {
  const body = bodyOf<Policy>(PolicySchema, message);
  return {
    ...body,
    transports: body.transports.map(withoutPassword),
    rules: body.rules.map((rule) => ({ ...rule, transports: rule.transports.map(withoutPassword) })),
  };
}

function withoutPassword(transport: Transport): Transport {
  if (!transport.smtp) return transport;
  const { password: _, ...smtp } = transport.smtp as typeof transport.smtp & { password?: string };
  return { smtp };
}

/** The core names what is missing or wrong. */
function policyMessage({ transports, rules = [], ...content }: NewPolicy): PolicyMessage {
  const json = {
    ...content,
    transports: transports.map(oneKind),
    rules: rules.map((rule) => ({ ...rule, transports: rule.transports.map(oneKind) })),
  };
  return fromJson(PolicySchema, json as JsonObject);
}

/** A transport of several kinds, or none, is one of no kind: the core says where it stands. */
function oneKind(transport: NewTransport): NewTransport {
  const kinds = Object.values(transport).filter((kind) => kind !== undefined);
  return kinds.length === 1 ? transport : {};
}
