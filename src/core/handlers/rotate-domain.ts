import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RotateDomainRequest,
  RotateDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../account-settings.ts";
import { makeDomainKeys, readDomainName, toDomain } from "../domain-keys.ts";

export interface RotateDomainOptions {
  readonly store: Pick<Store, "accounts" | "domainKeys">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
/** Time to publish the new records, and for caches to let go of their absence. */
const DEFAULT_SIGN_AFTER_HOURS = 48;

/** Makes the next keys of a domain; those that sign now go on until the new ones take over. */
export function createRotateDomain({ store, settings, clock }: RotateDomainOptions) {
  return async (
    request: RotateDomainRequest,
  ): Promise<MessageInitShape<typeof RotateDomainResponseSchema>> => {
    const domain = readDomainName(request.domain);
    const account = await store.accounts.resolve(request.accountId);
    const known = await store.domainKeys.list(account._id, domain);
    if (known.length === 0) throw fault("domain.unknown");
    const now = clock.now();
    const hours = request.signAfterHours ?? DEFAULT_SIGN_AFTER_HOURS;
    const next = await makeDomainKeys(account._id, domain, now, new Date(now.getTime() + hours * HOUR_MS));
    await store.domainKeys.insertMany(next);
    settings.forget();
    return { domain: toDomain([...next, ...known], now) };
  };
}
