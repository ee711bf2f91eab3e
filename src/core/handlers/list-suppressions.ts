import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSuppressionsRequest,
  ListSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { addressKey } from "../../message/addresses.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { readReason, readSuppressedAddress } from "../read-suppression.ts";
import { toSuppression } from "../to-proto.ts";

export interface ListSuppressionsOptions {
  readonly store: Pick<Store, "accounts" | "suppressions">;
  readonly clock: Clock;
}

/** By address; an entry's id begins with its account, and the page token is the rest of the last one's. */
export function createListSuppressions({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: ListSuppressionsRequest,
  ): Promise<MessageInitShape<typeof ListSuppressionsResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      accounts: store.accounts,
      list: ({ accountId, after, limit }) =>
        store.suppressions.list({
          accountId,
          now: clock.now(),
          limit,
          ...readFilter(request),
          ...(after !== undefined && { afterId: `${accountId}:${after}` }),
        }),
      placeOf: ({ _id, accountId }) => _id.slice(accountId.length + 1),
    });
    return { suppressions: entries.map(toSuppression), nextPageToken };
  };
}

/** @throws Fault request.validation_failed */
function readFilter({ address: text, reason: name }: ListSuppressionsRequest) {
  const faults = createFieldFaults();
  const address = text === "" ? undefined : readSuppressedAddress(text, faults);
  const reason = name === "" ? undefined : readReason(name, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    ...(address !== undefined && { addressKey: addressKey(address) }),
    ...(reason !== undefined && { reason }),
  };
}
