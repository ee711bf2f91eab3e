import { assessDomain, mutedUntil } from "../../intel/assess-domain.ts";
import type { ScopedDomain } from "../../store/find-findings.ts";
import type { DomainRepair } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { ResolvedScope } from "./resolve-scope.ts";

/** Number of domains with jointly read checks. */
const CHECKS_AT_ONCE = 20;

export interface RepairedDomain {
  readonly domain: ScopedDomain;
  /** Findings that are not muted, with the gain of each repair. */
  readonly repairs: readonly DomainRepair[];
}

type Needs = Pick<Dependencies, "intel" | "clock">;

/**
 * Passes the domains of a scope to a callback, with the repairs that raise their score. Paused domains are left out:
 * no check would find that they were repaired.
 * @param checkId only domains on which this check is a finding; undefined: all
 */
export async function eachRepaired(
  needs: Needs,
  { account, workspaceId, clientId, domain: only }: ResolvedScope,
  checkId: string | undefined,
  use: (domains: readonly RepairedDomain[]) => void,
): Promise<void> {
  const now = needs.clock.now();
  const read = async (page: readonly ScopedDomain[]) => {
    const active = page.filter(({ paused }) => !paused);
    const computed = await repairsOfEarlier(needs, account, active, now);
    use(
      active.map((domain) => {
        const all = computed.get(domain._id) ?? domain.repairs ?? [];
        return {
          domain,
          repairs: all.filter((one) => mutedUntil(domain.mutes, one.checkId, now) === undefined),
        };
      }),
    );
  };
  if (!only) return account.watches.eachOfScope({ workspaceId, clientId }, checkId, read);
  if (checkId === undefined || only.findingIds.includes(checkId)) await read([only]);
}

/** An earlier release stores findings without their repairs, also while both releases run. */
function isOfEarlier({ findingIds, repairs }: ScopedDomain): boolean {
  return !(
    repairs?.length === findingIds.length && repairs.every(({ checkId }) => findingIds.includes(checkId))
  );
}

/** Repairs of domains that were last checked by an earlier release. */
async function repairsOfEarlier(
  { intel: { lists } }: Needs,
  { watches }: AccountStore,
  domains: readonly ScopedDomain[],
  now: Date,
): Promise<Map<string, readonly DomainRepair[]>> {
  const earlier = domains.filter(isOfEarlier);
  const found = new Map<string, readonly DomainRepair[]>();
  for (let at = 0; at < earlier.length; at += CHECKS_AT_ONCE) {
    const some = earlier.slice(at, at + CHECKS_AT_ONCE);
    const outcomes = await watches.findOutcomes(some.map(({ _id }) => _id));
    for (const { _id, role, mutes } of some) {
      const checks = outcomes.get(_id) ?? [];
      found.set(_id, assessDomain({ role, isPaused: false, checks, lists, mutes, now }).repairs);
    }
  }
  return found;
}
