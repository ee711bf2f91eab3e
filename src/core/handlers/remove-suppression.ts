import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RemoveSuppressionRequest,
  RemoveSuppressionResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { addressKey } from "../../message/addresses.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { readSuppressedAddress } from "../read-suppression.ts";
import { toSuppression } from "../to-proto.ts";

export interface RemoveSuppressionOptions {
  readonly store: Pick<Store, "accounts" | "suppressions">;
  readonly clock: Clock;
}

export function createRemoveSuppression({ store, clock }: RemoveSuppressionOptions) {
  return async (
    request: RemoveSuppressionRequest,
  ): Promise<MessageInitShape<typeof RemoveSuppressionResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const faults = createFieldFaults();
    const address = readSuppressedAddress(request.address, faults);
    if (address === undefined) throw validationFault(faults.found);
    const policy = request.policy || undefined;
    const name = { accountId, addressKey: addressKey(address), policy };
    const suppression = await store.suppressions.remove(name, clock.now());
    if (suppression) return { suppression: toSuppression(suppression) };
    const scope = policy === undefined ? "all mail of the account" : `mail of the policy "${policy}"`;
    throw fault("suppression.unknown", {
      public: `${address} is not suppressed for ${scope}. Nothing was changed.`,
    });
  };
}
