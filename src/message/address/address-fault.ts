import type { FaultText } from "../../shared/fault-text.ts";
import type { ContentFault } from "../content.ts";

export type AddressFaultCode =
  | "address.empty"
  | "address.too_long"
  | "address.control_character"
  | "address.forbidden_character"
  | "address.whitespace"
  | "address.several"
  | "address.group"
  | "address.link"
  | "address.comment"
  | "address.unbalanced"
  | "address.missing_at"
  | "address.missing_local_part"
  | "address.missing_domain"
  | "address.local_part_invalid"
  | "address.local_part_too_long"
  | "address.domain_invalid"
  | "address.domain_literal"
  | "address.domain_single_label"
  | "address.domain_too_long"
  | "address.display_name_invalid"
  | "address.display_name_too_long";

export type AddressFault = { readonly ok: false } & ContentFault<AddressFaultCode>;

export function addressFault(code: AddressFaultCode, message: FaultText): AddressFault {
  return { ok: false, code, message };
}
