import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { AddSuppressionRequest } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { AddressFault } from "../../message/address/address-fault.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { hasControl } from "../../message/characters.ts";
import { say } from "../../shared/fault-text.ts";
import { type SuppressionReason, suppressionReasons } from "../../store/documents.ts";
import type { NewSuppression } from "../../store/merge-suppression.ts";
import type { OfAccount } from "../../store/owner.ts";
import type { AccountStore } from "../../store/store.ts";
import type { FieldFaults } from "../field-faults.ts";

const MAX_DETAIL_LENGTH = 1000;

/** Address or domain of an entry. */
export interface Suppressed {
  readonly address: string;
  readonly addressKey: string;
  /** All addresses of a domain instead of one address. */
  readonly isDomain: boolean;
}

/** Fields of an entry other than its address. */
export type SuppressionTerms = Omit<OfAccount<NewSuppression>, "address" | "addressKey">;

/** Reads an address, or `@example.com` or `*@example.com` for a domain; `@example.com` cannot be an address. */
export function readSuppressed(text: string): ({ readonly ok: true } & Suppressed) | AddressFault {
  const [, domain] = /^\*?@(.*)$/s.exec(text) ?? [];
  if (domain !== undefined) {
    const result = parseDomain(domain);
    if (!result.ok) return result;
    const address = `@${result.domain}`;
    return { ok: true, address, addressKey: address, isDomain: true };
  }
  const result = parseAddress(text);
  if (!result.ok) return result;
  const { address } = result;
  return { ok: true, address, addressKey: addressKey(address), isDomain: false };
}

/** Reads an address; errors are added to the faults at `/address`. */
export function readAddressField(text: string, faults: FieldFaults): Suppressed | undefined {
  const result = readSuppressed(text);
  if (result.ok) return result;
  faults.add("/address", result.code, result.message);
  return undefined;
}

export function readReason(text: string, faults: FieldFaults): SuppressionReason | undefined {
  const reason = suppressionReasons.find((one) => one === text);
  if (reason === undefined) {
    faults.add("/reason", "field.invalid", say("none_of", { given: text, allowed: suppressionReasons }));
  }
  return reason;
}

export function readDetail(detail: string, faults: FieldFaults): void {
  if (detail.length > MAX_DETAIL_LENGTH) {
    faults.add("/detail", "field.too_long", say("detail_most_characters", { max: MAX_DETAIL_LENGTH }));
  }
  if (hasControl(detail)) faults.add("/detail", "field.invalid", say("detail_contains_control_character"));
}

export function readExpiry(
  expireAt: Date | undefined,
  { beginsAt, now }: { readonly beginsAt: Date; readonly now: Date },
  faults: FieldFaults,
): void {
  // A time outside the range of dates is not in the future either.
  if (expireAt && !(expireAt > now)) faults.add("/expire_at", "field.invalid", say("end_past"));
  if (beginsAt > now) faults.add("/created_at", "field.invalid", say("beginning_future"));
}

/** Checks terms that are valid for an address and not for a domain. */
export function checkDomainTerms(
  { isDomain }: Suppressed,
  { reason, policy }: Pick<SuppressionTerms, "reason" | "policy">,
  faults: FieldFaults,
): void {
  if (!isDomain) return;
  if (reason === "hard_bounce") {
    faults.add("/reason", "field.invalid", say("domain_does_not_bounce_mailboxes_do"));
  }
  if (policy !== undefined) {
    const message = say("domain_suppressed_all_mail_account_not");
    faults.add("/policy", "field.conflict", message);
  }
}

/** undefined: there are errors, which are among the faults. */
export async function readTerms(
  request: Pick<AddSuppressionRequest, "reason" | "policy" | "detail" | "expireAt">,
  {
    account,
    now,
    faults,
  }: { readonly account: AccountStore; readonly now: Date; readonly faults: FieldFaults },
): Promise<SuppressionTerms | undefined> {
  const { policy, detail } = request;
  if (policy !== "" && !(await account.policies.find(policy))) {
    faults.add("/policy", "policy.unknown", say("no_policy", { name: policy }));
  }
  const reason = readReason(request.reason || "manual", faults);
  readDetail(detail, faults);
  const expireAt = request.expireAt && timestampDate(request.expireAt);
  readExpiry(expireAt, { beginsAt: now, now }, faults);
  if (reason === undefined || faults.found.length > 0) return undefined;
  return {
    reason,
    ...(policy !== "" && { policy }),
    ...(detail !== "" && { detail }),
    createdAt: now,
    ...(expireAt && { expireAt }),
  };
}
