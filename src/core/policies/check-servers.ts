import { isIP } from "node:net";
import type { Policy, Transport } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { isPublicAddress } from "../../shared/destination-address.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";

/**
 * Adds a fault for each server that is given as an address which is not of the public Internet: to what an account's
 * policy may not lead. Names are judged by where they lead when a worker connects.
 */
export function checkServers(
  { transports, rules }: Pick<Policy, "transports" | "rules">,
  faults: FieldFaults,
): void {
  const check = (list: readonly Transport[], place: readonly (string | number)[]) => {
    for (const [index, { kind }] of list.entries()) {
      const servers = kind.case === "smtp" ? kind.value.servers : [];
      for (const [n, { host }] of servers.entries()) {
        if (isIP(host) === 0 || isPublicAddress(host)) continue;
        const message = `${host} is no public address: only the operator's policies may lead there.`;
        faults.add(pointer(...place, index, "smtp", "servers", n, "host"), "field.invalid", message);
      }
    }
  };
  check(transports, ["transports"]);
  for (const [index, rule] of rules.entries()) check(rule.transports, ["rules", index, "transports"]);
}
