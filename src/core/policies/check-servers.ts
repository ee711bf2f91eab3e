import type { Policy, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { privateHostReason } from "../../shared/destination-address.ts";
import { say } from "../../shared/fault-text.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";

/**
 * Adds a fault for each server that is an address outside the public Internet, in any notation, or a name of this
 * machine: an account's policy must not use them. Other names are checked by their addresses when a worker connects.
 */
export function checkServers(
  { transports, rules }: Pick<Policy, "transports" | "rules">,
  faults: FieldFaults,
): void {
  const check = (list: readonly Transport[], position: readonly (string | number)[]) => {
    for (const [index, { kind }] of list.entries()) {
      const servers = kind.case === "smtp" ? kind.value.servers : [];
      for (const [n, { host }] of servers.entries()) {
        const reason = privateHostReason(host);
        if (reason === undefined) continue;
        const message = say("servers_private", { detail: reason });
        faults.add(pointer(...position, index, "smtp", "servers", n, "host"), "field.invalid", message);
      }
    }
  };
  check(transports, ["transports"]);
  for (const [index, rule] of rules.entries()) check(rule.transports, ["rules", index, "transports"]);
}
