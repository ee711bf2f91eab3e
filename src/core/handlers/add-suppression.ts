import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  AddSuppressionRequest,
  AddSuppressionResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { addressKey } from "../../message/addresses.ts";
import { hasControl } from "../../message/characters.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import type { NewSuppression } from "../../store/merge-suppression.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readReason, readSuppressedAddress } from "../read-suppression.ts";
import { toSuppression } from "../to-proto.ts";

const MAX_DETAIL_LENGTH = 1000;

export interface AddSuppressionOptions {
  readonly store: Pick<Store, "accounts" | "policies" | "suppressions">;
  readonly clock: Clock;
}

export function createAddSuppression({ store, clock }: AddSuppressionOptions) {
  return async (
    request: AddSuppressionRequest,
  ): Promise<MessageInitShape<typeof AddSuppressionResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const { policy } = request;
    const faults = createFieldFaults();
    if (policy !== "" && !(await store.policies.find(accountId, policy))) {
      faults.add("/policy", "policy.unknown", `There is no routing policy "${policy}".`);
    }
    const document = readSuppression(request, clock.now(), faults);
    const suppression = await store.suppressions.add({
      accountId,
      ...document,
      ...(policy !== "" && { policy }),
    });
    return { suppression: toSuppression(suppression) };
  };
}

/** @throws Fault request.validation_failed naming everything that is wrong */
function readSuppression(
  request: AddSuppressionRequest,
  now: Date,
  faults: FieldFaults,
): Omit<NewSuppression, "accountId"> {
  const { detail } = request;
  const address = readSuppressedAddress(request.address, faults);
  const reason = readReason(request.reason || "manual", faults);
  if (detail.length > MAX_DETAIL_LENGTH) {
    faults.add("/detail", "field.too_long", `The detail has at most ${MAX_DETAIL_LENGTH} characters.`);
  }
  if (hasControl(detail)) faults.add("/detail", "field.invalid", "The detail contains a control character.");
  const expireAt = request.expireAt && timestampDate(request.expireAt);
  // A time that no date can hold is not after now either.
  if (expireAt && !(expireAt > now)) faults.add("/expire_at", "field.invalid", "The end is in the past.");
  if (address === undefined || reason === undefined || faults.found.length > 0)
    throw validationFault(faults.found);
  return {
    addressKey: addressKey(address),
    address,
    reason,
    ...(detail !== "" && { detail }),
    createdAt: now,
    ...(expireAt && { expireAt }),
  };
}
