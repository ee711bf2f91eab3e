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
import { pageSizeOf, pageStartOf } from "../page.ts";
import { readReason, readSuppressedAddress } from "../read-suppression.ts";
import { toSuppression } from "../to-proto.ts";

/** Of an account's id, an address and the name of a policy. */
const MAX_TOKEN_LENGTH = 2_000;

export interface ListSuppressionsOptions {
  readonly store: Pick<Store, "accounts" | "suppressions">;
  readonly clock: Clock;
}

/** By address; the page token is the last entry's id, whose address it keeps out of command lines and logs. */
export function createListSuppressions({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: ListSuppressionsRequest,
  ): Promise<MessageInitShape<typeof ListSuppressionsResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const afterId = pageStartOf(request.pageToken, (token) => entryIn(token, accountId));
    const found = await store.suppressions.list({
      accountId,
      now: clock.now(),
      limit: limit + 1,
      ...readFilter(request),
      ...(afterId !== undefined && { afterId }),
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextPageToken = found.length > limit && last ? Buffer.from(last._id).toString("base64url") : "";
    return { suppressions: page.map(toSuppression), nextPageToken };
  };
}

/** The id of an entry of this account. */
function entryIn(token: string, accountId: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const id = Buffer.from(token, "base64url").toString();
  const isCanonical = Buffer.from(id).toString("base64url") === token;
  return isCanonical && id.startsWith(`${accountId}:`) ? id : undefined;
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
