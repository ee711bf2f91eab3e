import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Policy } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { describeTransports } from "../resources/policy.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { alignRows } from "./table.ts";
import { plainTime } from "./time.ts";

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** A policy, for people: what it leaves to Hermod is not repeated. */
export function describePolicy(paint: Paint, policy: Policy, updatedAt: Timestamp | undefined): string {
  const facts = factsOf(policy, updatedAt)
    .map(([name, value]): [string, string] => [name, printable(value)])
    .filter(([, value]) => value !== "");
  return [
    `${paint("bold", printable(policy.name))}${policy.default ? `  ${paint("green", "default")}` : ""}`,
    ...alignRows(facts.map(([name, value]) => [`  ${paint("dim", name)}`, value])),
  ].join("\n");
}

function factsOf(policy: Policy, updatedAt: Timestamp | undefined): [string, string][] {
  const { limits, source, retry, maxAgeSeconds } = policy;
  return [
    ...policy.rules.map(({ domains, transports }): [string, string] => [
      "Rule",
      `${domains.join(", ")}: ${describeTransports(transports)}`,
    ]),
    ["Transports", describeTransports(policy.transports)],
    ["Retries", describeRetries(retry?.waitsSeconds ?? [])],
    ["Given up after", maxAgeSeconds === undefined ? "" : plainSeconds(maxAgeSeconds)],
    ["Priority", policy.priority],
    ["At once", limits?.concurrency === undefined ? "" : `${limits.concurrency} to each mail provider`],
    [
      "Per minute",
      limits?.messagesPerMinute === undefined ? "" : `${limits.messagesPerMinute} to each mail provider`,
    ],
    ["From address", [source?.address, source?.address6].filter(Boolean).join(", ")],
    ["HELO name", source?.heloName ?? ""],
    ["List-Unsubscribe", policy.listUnsubscribe ? "added, with one click" : ""],
    ["Updated", plainTime(updatedAt)],
  ];
}

function describeRetries(waitsSeconds: readonly number[]): string {
  const waits = waitsSeconds.map(plainSeconds);
  return waits.length === 0 ? "" : `after ${waits.join(", ")}, then every ${waits.at(-1)}`;
}

/** In the largest unit that needs no fraction: `90 s`, `15 min`, `2 d`. */
function plainSeconds(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ["s", 1];
  return `${seconds / size} ${unit}`;
}
