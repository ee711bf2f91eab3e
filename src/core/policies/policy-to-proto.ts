import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PolicySchema, TransportSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  authorOf,
  type PolicyDocument,
  revisionOf,
  type TransportSettings,
} from "../../store/policy-document.ts";

/** A stored policy in answers, without passwords. */
export function toPolicy(policy: PolicyDocument): MessageInitShape<typeof PolicySchema> {
  const { rules = [], retryWaitsMs, maxAgeMs, limits, source, tracking } = policy;
  return {
    name: policy.name,
    default: policy.default,
    transports: policy.transports.map(toTransport),
    rules: rules.map(({ domains, transports }) => ({
      domains: [...domains],
      transports: transports.map(toTransport),
    })),
    priority: policy.priority ?? "transactional",
    ...withoutUndefined({
      retry: retryWaitsMs && { waitsSeconds: retryWaitsMs.map(secondsOf) },
      maxAgeSeconds: maxAgeMs === undefined ? undefined : secondsOf(maxAgeMs),
      limits: limits && { ...limits },
      source: source && { ...source },
      tracking: tracking && { ...tracking },
    }),
    listUnsubscribe: policy.listUnsubscribe ?? false,
    revision: revisionOf(policy),
    updatedAt: timestampFromDate(policy.updatedAt),
    storedBy: authorOf(policy),
  };
}

function toTransport(transport: TransportSettings): MessageInitShape<typeof TransportSchema> {
  if (transport.kind === "sandbox") return { kind: { case: "sandbox", value: {} } };
  if (transport.kind === "direct") {
    const { tls, maxConnections, dkim } = transport;
    return { kind: { case: "direct", value: { tls, maxConnections, dkim } } };
  }
  const { servers, tls, username = "", maxConnections, dkim } = transport;
  return {
    kind: {
      case: "smtp",
      value: { servers: servers.map((server) => ({ ...server })), tls, username, maxConnections, dkim },
    },
  };
}

function secondsOf(ms: number): number {
  return ms / 1000;
}
