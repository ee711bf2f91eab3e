import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { PolicySource } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { SourceSettings } from "../../store/policy-document.ts";
import type { FieldFaults } from "../field-faults.ts";

/** Mail cannot be sent from these addresses. */
const NO_SOURCE = ["unspecified", "multicast", "broadcast"];

/**
 * Source of a policy's connections; undefined: any. Whether a worker's machine has the addresses is unknown here:
 * workers may run elsewhere.
 */
export function readSource(given: PolicySource | undefined, faults: FieldFaults): SourceSettings | undefined {
  const address = readAddress(given?.address ?? "", 4, "/source/address", faults);
  const address6 = readAddress(given?.address6 ?? "", 6, "/source/address6", faults);
  const heloName = readHeloName(given?.heloName ?? "", faults);
  if (address === undefined && address6 === undefined && heloName === undefined) return undefined;
  return withoutUndefined({ address, address6, heloName });
}

function readAddress(input: string, family: 4 | 6, at: string, faults: FieldFaults): string | undefined {
  if (input === "") return undefined;
  const refuse = (message: FaultText) => void faults.add(at, "field.invalid", message);
  // The zone of a link-local address is the name of an interface, which is only valid on one machine.
  if (isIP(input) !== family || input.includes("%")) {
    refuse(say("no_ip_address_of_version", { given: input, version: String(family) }));
    return undefined;
  }
  const address = ipaddr.parse(input);
  const range = address.range();
  if (NO_SOURCE.includes(range)) refuse(say("no_address_machine", { given: input, other: range }));
  if (range === "ipv4Mapped") refuse(say("ipv4_address_name_address", { given: input }));
  return address.toString();
}

/** A domain name or an address literal (RFC 5321 section 4.1.3). */
function readHeloName(input: string, faults: FieldFaults): string | undefined {
  if (input === "") return undefined;
  const literal = /^\[(IPv6:)?([^\]]*)\]$/i.exec(input);
  if (literal) {
    const [, tag, text = ""] = literal;
    if (isIP(text) === (tag === undefined ? 4 : 6) && !text.includes("%")) return input;
    faults.add("/source/helo_name", "field.invalid", say("no_address_literal", { given: input }));
    return undefined;
  }
  const result = parseDomain(input);
  if (result.ok) return result.domain;
  faults.add(
    "/source/helo_name",
    "field.invalid",
    say("no_domain_name", { given: input, detail: result.message.text }),
  );
  return undefined;
}
