// A missing password keeps the stored one only for the same user name and servers, under TLS that is not weaker.
// Otherwise a changed policy could send the password elsewhere.

import type { Policy, SmtpTransport, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { PolicyDocument, SmtpTransportSettings, TlsMode } from "../../store/policy-document.ts";
import { DEFAULT_TLS, portOf } from "./read-transports.ts";

/** With `required` and `implicit`, the server proves its identity. */
const tlsStrength: Readonly<Record<TlsMode, number>> = {
  none: 0,
  opportunistic: 1,
  required: 2,
  implicit: 2,
};

/**
 * Gives transports with a user name and without a password the stored password. Passwords are never returned, so that
 * a policy that was read and is stored again has none. A stored password stays with its user name and with servers
 * that already had it, under TLS that is not weaker.
 * @param former policy that is replaced; read only if it is needed
 */
export function keepPasswords(policy: Policy, former: () => PolicyDocument | undefined): Policy {
  return withPasswords(
    policy,
    (smtp) => storedTransports(former()).find((stored) => mayKeep(smtp, stored))?.password ?? "",
  );
}

/** Gives transports with a user name and without a password a password. */
export function withPasswords(policy: Policy, passwordOf: (smtp: SmtpTransport) => string): Policy {
  const keep = (transport: Transport): Transport => {
    if (transport.kind.case !== "smtp") return transport;
    const smtp = transport.kind.value;
    if (smtp.username === "" || smtp.password !== "") return transport;
    return { ...transport, kind: { case: "smtp", value: { ...smtp, password: passwordOf(smtp) } } };
  };
  return {
    ...policy,
    transports: policy.transports.map(keep),
    rules: policy.rules.map((rule) => ({ ...rule, transports: rule.transports.map(keep) })),
  };
}

function storedTransports({
  transports = [],
  rules = [],
}: Partial<PolicyDocument> = {}): SmtpTransportSettings[] {
  const all = [...transports, ...rules.flatMap((rule) => rule.transports)];
  return all.filter((transport) => transport.kind === "smtp");
}

function mayKeep({ username, servers, tls }: SmtpTransport, stored: SmtpTransportSettings): boolean {
  const mode = tls || DEFAULT_TLS;
  const known = new Set(stored.servers.map(({ host, port }) => endpoint(host, port)));
  return (
    stored.username === username &&
    servers.every(({ host, port }) => known.has(endpoint(host, portOf(port, mode)))) &&
    mode in tlsStrength &&
    tlsStrength[mode as TlsMode] >= tlsStrength[stored.tls]
  );
}

function endpoint(host: string, port: number): string {
  return `${host.toLowerCase()} ${port}`;
}
