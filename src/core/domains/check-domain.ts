import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckDomainRequest,
  CheckDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createOnDemandChecks } from "../on-demand-checks.ts";
import { type DomainNeeds, describeDomain, findDomain, unknownDomain } from "./domain-needs.ts";

/** A check costs dozens of queries. */
const PAUSE_MS = 10_000;

/**
 * Checks a domain now, and returns when the check is complete. The former results stay visible until then.
 * @throws Fault account.unknown, domain.unknown, domain.check_too_soon
 */
export function createCheckDomain(needs: DomainNeeds) {
  const { clock, checkDomain } = needs;
  const whenAsked = createOnDemandChecks({ clock, pauseMs: PAUSE_MS, tooSoon });

  return async (
    request: CheckDomainRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof CheckDomainResponseSchema>> => {
    const { account, domain, keys } = await findDomain(needs, request, context);
    const { askedAt, name } = domain;
    const asked = { accountId: account.id, askedAt, ask: (now: Date) => account.domains.ask(domain, now) };
    return whenAsked(asked, async () => {
      const checked = await checkDomain(account.id, name);
      if (!checked) throw unknownDomain(name);
      return describeDomain(needs, { account, domain: checked, keys });
    });
  };
}

function tooSoon(seconds: number) {
  return fault("domain.check_too_soon", {
    public: say("domain_others_account_looked_just_now", { seconds }),
    retryAfterSeconds: seconds,
  });
}
