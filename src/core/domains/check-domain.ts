import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckDomainRequest,
  CheckDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { type DomainNeeds, describeDomain, findDomain, unknownDomain } from "./domain-needs.ts";

/** A look costs dozens of queries: so long the answer of the one before has to do. */
const PAUSE_MS = 10_000;
/** Looks that one account may have under way at once, in one process. */
const AT_ONCE_MAX = 4;

/**
 * Looks at a domain now. Answers when that is over; what is known stays until then.
 * @throws Fault account.unknown, domain.unknown, domain.check_too_soon
 */
export function createCheckDomain(needs: DomainNeeds) {
  const { clock, checkDomain } = needs;
  const underWay = new Map<string, number>();

  return async (request: CheckDomainRequest): Promise<MessageInitShape<typeof CheckDomainResponseSchema>> => {
    const { account, domain, keys } = await findDomain(needs, request);
    const now = clock.now();
    const waitMs = (domain.askedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - now.getTime();
    if (waitMs > 0) throw tooSoon(waitMs);
    const count = underWay.get(account.id) ?? 0;
    if (count >= AT_ONCE_MAX) throw tooSoon(PAUSE_MS);
    if (!(await account.domains.ask(domain, now))) throw tooSoon(PAUSE_MS);
    underWay.set(account.id, (underWay.get(account.id) ?? 0) + 1);
    try {
      const checked = await checkDomain(account.id, domain.name);
      if (!checked) throw unknownDomain(domain.name);
      return describeDomain(needs, { account, domain: checked, keys });
    } finally {
      const left = (underWay.get(account.id) ?? 1) - 1;
      if (left > 0) underWay.set(account.id, left);
      else underWay.delete(account.id);
    }
  };
}

function tooSoon(waitMs: number) {
  const seconds = Math.ceil(waitMs / 1_000);
  return fault("domain.check_too_soon", {
    public: `The domain, or others of the account, was looked at just now: ask again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
