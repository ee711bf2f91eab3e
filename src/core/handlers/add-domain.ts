import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AddDomainRequest,
  AddDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../account-settings.ts";
import { makeDomainKeys, readDomainName, toDomain } from "../domain-keys.ts";

export interface AddDomainOptions {
  readonly store: Pick<Store, "accounts" | "domainKeys">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Makes the first keys of a domain, which sign at once. */
export function createAddDomain({ store, settings, clock }: AddDomainOptions) {
  return async (request: AddDomainRequest): Promise<MessageInitShape<typeof AddDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await store.accounts.resolve(request.accountId);
    const now = clock.now();
    const known = await store.domainKeys.list(account._id, domain);
    if (known.length > 0) return { domain: toDomain(known, now) };
    const keys = await makeDomainKeys(account._id, domain, now, now);
    await store.domainKeys.insertMany(keys);
    settings.forget();
    return { domain: toDomain(keys, now) };
  };
}
