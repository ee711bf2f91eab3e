import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetStartRequest,
  GetStartResponseSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";

/**
 * Reads which first steps the account has completed.
 * @throws Fault account.unknown
 */
export function createGetStart({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: GetStartRequest): Promise<MessageInitShape<typeof GetStartResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const facts = Object.entries(withoutUndefined(await account.start.read()));
    return { start: Object.fromEntries(facts.map(([name, at]) => [name, timestampFromDate(at)])) };
  };
}
