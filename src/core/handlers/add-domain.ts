import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AddDomainRequest,
  AddDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../account-settings.ts";
import { makeFirstDomainKeys, readDomainName, toDomain } from "../domain-keys.ts";

export interface AddDomainOptions {
  readonly store: Pick<Store, "accounts" | "domainKeys">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Makes the first keys of a domain, which sign at once; of several calls at once, all get the keys of one. */
export function createAddDomain({ store, settings, clock }: AddDomainOptions) {
  return async (request: AddDomainRequest): Promise<MessageInitShape<typeof AddDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await store.accounts.resolve(request.accountId);
    const known = await store.domainKeys.list(account._id, domain);
    if (known.length > 0) return { domain: toDomain(known, clock.now()) };
    const made = await makeFirstDomainKeys(account._id, domain, clock.now());
    const keys = await store.domainKeys.insertFirst(account._id, domain, made);
    settings.forget();
    return { domain: toDomain(keys, clock.now()) };
  };
}
