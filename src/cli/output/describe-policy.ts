import type { Policy, SmtpTransport, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Paint } from "./paint.ts";
import { alignRows } from "./table.ts";
import { plainTime, printable } from "./text.ts";

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** A policy for people, without the settings that it leaves at their defaults. */
export function describePolicy(paint: Paint, policy: Policy): string {
  const facts = factsOf(policy)
    .map(([name, value]): [string, string] => [name, printable(value)])
    .filter(([, value]) => value !== "");
  return [
    `${paint("bold", printable(policy.name))}${policy.default ? `  ${paint("green", "default")}` : ""}`,
    ...alignRows(facts.map(([name, value]) => [`  ${paint("dim", name)}`, value])),
  ].join("\n");
}

function factsOf(policy: Policy): [string, string][] {
  const { limits, source, retry, maxAgeSeconds, tracking } = policy;
  return [
    ...policy.rules.map(({ domains, transports }): [string, string] => [
      "Rule",
      `${domains.join(", ")}: ${describeTransports(transports)}`,
    ]),
    ["Transports", describeTransports(policy.transports)],
    ["Retries", describeRetries(retry?.waitsSeconds ?? [])],
    ["Given up after", maxAgeSeconds === undefined ? "" : plainSeconds(maxAgeSeconds)],
    ["Priority", policy.priority],
    ["Concurrency", limits?.concurrency === undefined ? "" : `${limits.concurrency} to each mail provider`],
    [
      "Per minute",
      limits?.messagesPerMinute === undefined ? "" : `${limits.messagesPerMinute} to each mail provider`,
    ],
    ["From address", [source?.address, source?.address6].filter(Boolean).join(", ")],
    ["HELO name", source?.heloName ?? ""],
    ["List-Unsubscribe", policy.listUnsubscribe ? "added, with one click" : ""],
    ["Tracking", [tracking?.opens && "opens", tracking?.clicks && "clicks"].filter(Boolean).join(", ")],
    ["Updated", plainTime(policy.updatedAt)],
  ];
}

function describeRetries(waitsSeconds: readonly number[]): string {
  const waits = waitsSeconds.map(plainSeconds);
  return waits.length === 0 ? "" : `after ${waits.join(", ")}, then every ${waits.at(-1)}`;
}

/** In the largest unit without a fraction: `90 s`, `15 min`, `2 d`. */
function plainSeconds(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ["s", 1];
  return `${seconds / size} ${unit}`;
}

/** One line for people: `smtp relay.example.com:587 (TLS required, user ada)`. */
function describeTransport({ kind }: Transport): string {
  if (kind.case === "direct" && kind.value.dkim !== undefined) return `direct (DKIM ${kind.value.dkim})`;
  if (kind.case !== "smtp") return kind.case ?? "unknown";
  const servers = serversOf(kind.value).map(
    ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
  );
  const { tls, username, dkim } = kind.value;
  const facts = [
    `TLS ${tls || "required"}`,
    ...(username === "" ? [] : [`user ${username}`]),
    ...(dkim === undefined ? [] : [`DKIM ${dkim}`]),
  ];
  return `smtp ${servers.join(", ")} (${facts.join(", ")})`;
}

/** The transports of a list, in the order of attempts. */
export function describeTransports(transports: readonly Transport[]): string {
  return transports.map(describeTransport).join(", then ");
}

/** Servers with their effective ports: 0 means the default port of the TLS mode. */
function serversOf({ servers, tls }: SmtpTransport) {
  return servers.map(({ host, port }) => ({ host, port: port || (tls === "implicit" ? 465 : 587) }));
}
