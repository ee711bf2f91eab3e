import type { Policy, SmtpTransport, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";

/** A policy as `--json` writes it: what `policy put` reads, with null for passwords. */
export function policyJson(policy: Policy) {
  const { limits, source } = policy;
  return {
    name: policy.name,
    default: policy.default,
    transports: policy.transports.map(transportJson),
    rules: policy.rules.map(({ domains, transports }) => ({
      domains,
      transports: transports.map(transportJson),
    })),
    retry: policy.retry ? { waits_seconds: policy.retry.waitsSeconds } : null,
    max_age_seconds: policy.maxAgeSeconds ?? null,
    priority: policy.priority,
    limits: limits
      ? { concurrency: limits.concurrency ?? null, messages_per_minute: limits.messagesPerMinute ?? null }
      : null,
    source: source
      ? { address: source.address, address6: source.address6, helo_name: source.heloName }
      : null,
    list_unsubscribe: policy.listUnsubscribe,
    tracking: policy.tracking,
  };
}

function transportJson({ kind }: Transport) {
  switch (kind.case) {
    case "sandbox":
      return { sandbox: {} };
    case "direct":
      return { direct: { tls: kind.value.tls, max_connections: kind.value.maxConnections } };
    case "smtp": {
      const { tls, username, maxConnections } = kind.value;
      // A password is never shown: put again with null, the policy keeps the one that is stored.
      const credentials = { username, ...(username !== "" && { password: null }) };
      return {
        smtp: { servers: serversOf(kind.value), tls, ...credentials, max_connections: maxConnections },
      };
    }
    default:
      return {};
  }
}

/** One line for people: `smtp relay.example.com:587 (TLS required, user ada)`. */
function describeTransport({ kind }: Transport): string {
  if (kind.case !== "smtp") return kind.case ?? "unknown";
  const servers = serversOf(kind.value).map(
    ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
  );
  const { tls, username } = kind.value;
  const facts = [`TLS ${tls || "required"}`, ...(username === "" ? [] : [`user ${username}`])];
  return `smtp ${servers.join(", ")} (${facts.join(", ")})`;
}

/** The transports of a list, in the order in which they are tried. */
export function describeTransports(transports: readonly Transport[]): string {
  return transports.map(describeTransport).join(", then ");
}

/** The ports that are used: 0 stands for the one of the TLS mode. */
function serversOf({ servers, tls }: SmtpTransport) {
  return servers.map(({ host, port }) => ({ host, port: port || (tls === "implicit" ? 465 : 587) }));
}
