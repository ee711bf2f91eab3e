import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CreateKeyRequest } from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { parseSender } from "../../message/address/senders.ts";
import { isAddressRange } from "../../shared/address-range.ts";
import { say } from "../../shared/fault-text.ts";
import type { KeyDocument, KeyKind } from "../../store/documents.ts";
import { grantableModes, grantableScopes } from "../access/scopes.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";

/** Access of a key: its permissions, addresses and expiry, which members can change later. */
export type KeyAccess = Pick<
  KeyDocument,
  "scopeMode" | "scopes" | "senders" | "allowedAddresses" | "expiresAt"
>;

type AccessRequest = Pick<
  CreateKeyRequest,
  "scopeMode" | "scopes" | "senders" | "allowedAddresses" | "expiresAt"
>;

interface AccessContext {
  readonly kind: KeyKind;
  readonly now: Date;
  /** Receives each field error. */
  readonly faults: FieldFaults;
}

/** @returns undefined: the scope mode is not one of this kind, which is among the faults */
export function readAccess(
  request: AccessRequest,
  { kind, now, faults }: AccessContext,
): KeyAccess | undefined {
  const scopeMode = member(grantableModes[kind], request.scopeMode || "full", "/scope_mode", faults);
  checkScopes(request, grantableScopes(kind), faults);
  const senders = request.senders.map((sender, index) => readSender(sender, index, faults));
  for (const [index, range] of request.allowedAddresses.entries()) {
    if (isAddressRange(range)) continue;
    const message = say("no_ip_address_cidr_range", { given: range });
    faults.add(pointer("allowed_addresses", index), "field.invalid", message);
  }
  const expiresAt = request.expiresAt && timestampDate(request.expiresAt);
  if (expiresAt && expiresAt <= now) faults.add("/expires_at", "field.invalid", say("end_lie_ahead"));
  if (scopeMode === undefined) return undefined;
  const { scopes, allowedAddresses } = request;
  return { scopeMode, scopes, senders, allowedAddresses, ...(expiresAt && { expiresAt }) };
}

/** The member of `all` that a field contains. */
export function member<T extends string>(
  all: readonly T[],
  given: string,
  at: string,
  faults: FieldFaults,
): T | undefined {
  const found = all.find((one) => one === given);
  if (found === undefined) faults.add(at, "field.invalid", say("none_of", { given, allowed: all }));
  return found;
}

function checkScopes(
  { scopes, scopeMode }: AccessRequest,
  grantable: readonly string[],
  faults: FieldFaults,
): void {
  if (scopeMode === "restricted" && scopes.length === 0) {
    faults.add("/scopes", "field.required", say("restricted_key_needs_least_one_scope"));
  }
  if (scopeMode !== "restricted" && scopes.length > 0) {
    faults.add("/scopes", "field.conflict", say("only_restricted_key_list_scopes"));
  }
  for (const [index, scope] of scopes.entries()) {
    member(grantable, scope, pointer("scopes", index), faults);
  }
}

/** A sender of the key's list, in comparison form. */
function readSender(input: string, index: number, faults: FieldFaults): string {
  const result = parseSender(input);
  if (result.ok) return result.sender.value;
  faults.add(pointer("senders", index), result.code, result.message);
  return "";
}
