import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetDomainRequest,
  GetDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import { readDomainName, toDomain } from "../domain-keys.ts";

export interface GetDomainOptions {
  readonly store: Pick<Store, "accounts" | "domainKeys">;
  readonly clock: Clock;
}

export function createGetDomain({ store, clock }: GetDomainOptions) {
  return async (request: GetDomainRequest): Promise<MessageInitShape<typeof GetDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await store.accounts.resolve(request.accountId);
    return { domain: toDomain(await store.domainKeys.list(account._id, domain), clock.now()) };
  };
}
