import type { Policy, SmtpTransport, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";

/** A policy as `--json` writes it: what `policy put` reads, without the password. */
export function policyJson({ name, default: isDefault, transports }: Policy) {
  return { name, default: isDefault, transports: transports.map(transportJson) };
}

function transportJson({ kind }: Transport) {
  switch (kind.case) {
    case "sandbox":
      return { sandbox: {} };
    case "direct":
      return { direct: { tls: kind.value.tls, max_connections: kind.value.maxConnections } };
    case "smtp": {
      const { tls, username, maxConnections } = kind.value;
      return { smtp: { servers: serversOf(kind.value), tls, username, max_connections: maxConnections } };
    }
    default:
      return {};
  }
}

/** One line for people: `smtp relay.example.com:587 (TLS required, user ada)`. */
export function describeTransport({ kind }: Transport): string {
  if (kind.case !== "smtp") return kind.case ?? "unknown";
  const servers = serversOf(kind.value).map(
    ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
  );
  const { tls, username } = kind.value;
  const facts = [`TLS ${tls || "required"}`, ...(username === "" ? [] : [`user ${username}`])];
  return `smtp ${servers.join(", ")} (${facts.join(", ")})`;
}

/** The ports that are used: 0 stands for the one of the TLS mode. */
function serversOf({ servers, tls }: SmtpTransport) {
  return servers.map(({ host, port }) => ({ host, port: port || (tls === "implicit" ? 465 : 587) }));
}
