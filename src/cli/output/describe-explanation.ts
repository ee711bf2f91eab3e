import type {
  ExplainPolicyResponse,
  RouteFound,
  TransportExplanation,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Paint } from "./paint.ts";
import { alignRows } from "./table.ts";
import { plainTime, printable } from "./text.ts";

/** The JSON has the later attempts. */
const MAX_ATTEMPTS = 10;

/** The simulated delivery of a message, for people. */
export function describeExplanation(paint: Paint, explained: ExplainPolicyResponse): string {
  const { recipient, policy, stored, rule, transports, suppression, retry } = explained;
  const verdict = suppression?.suppressed ? paint("red", "not sent") : paint("green", "sent");
  const ways = transports.flatMap((transport, index) => transportRows(transport, index + 1));
  const rows: [string, string][] = [
    ["Rule", rule?.reason ?? ""],
    ...ways,
    ["Suppression", suppression?.reason ?? ""],
    ["Limits", explained.limits?.reason ?? ""],
    ["Retries", retry?.reason ?? ""],
    ["Attempts", attemptsOf(explained)],
    ["Priority", explained.priority?.reason ?? ""],
    ["Source", explained.source?.reason ?? ""],
    ["List-Unsubscribe", explained.listUnsubscribe?.reason ?? ""],
    ["Tracking", explained.tracking?.reason ?? ""],
  ];
  const facts = rows.map(([name, value]): [string, string] => [name, printable(value)]);
  const head = `${paint("bold", printable(recipient))}  ${printable(policy)}${stored ? "" : " (not stored)"}  ${verdict}`;
  return [head, ...alignRows(facts.map(([name, value]) => [`  ${paint("dim", name)}`, value]))].join("\n");
}

function transportRows(transport: TransportExplanation, number: number): [string, string][] {
  const servers = transport.servers.map(({ host, port }) => ` ${host}:${port}`).join(",");
  return [
    [`Transport ${number}`, `${transport.kind}${servers}: ${transport.reason}`],
    ...transport.questions.map(({ name, type, reason }): [string, string] => [
      "",
      `queries ${type} of ${name}: ${reason}`,
    ]),
    ...(transport.found ? foundRows(transport.found) : []),
  ];
}

function foundRows({ reason, hosts, unusable }: RouteFound): [string, string][] {
  return [
    ["  Found", reason],
    ...hosts.map((host): [string, string] => [
      "",
      `${host.preference} ${host.exchange} (${host.addresses.join(", ")}): ${host.reason}`,
    ]),
    ...(unusable.length > 0 ? [["", `unusable: ${unusable.join(", ")}`] as [string, string]] : []),
  ];
}

function attemptsOf({ retry }: ExplainPolicyResponse): string {
  const { attempts = [], more = false } = retry ?? {};
  const shown = attempts.slice(0, MAX_ATTEMPTS).map(({ at }) => plainTime(at));
  return [...shown, ...(more || attempts.length > MAX_ATTEMPTS ? ["…"] : [])].join(", ");
}
