import type { Collection } from "mongodb";
import type { CheckOutcome } from "../intel/standing-check.ts";
import type { WatchedChecksDocument } from "./intel-documents.ts";
import { guarded } from "./store-fault.ts";

/** The answers of all checks of a domain are about 50 KB. For 500 domains they would dominate the memory of a report. */
const WITHOUT_ANSWERS = { "checks.known.evidence": 0, "checks.failing.evidence.data": 0 } as const;

/** Reads the checks of an account's domains. */
export function createFindChecks(checks: Collection<WatchedChecksDocument>, accountId: string) {
  return {
    /** The known results of the checks of these domains, by domain id. */
    async findChecks(ids: readonly string[]): Promise<Map<string, WatchedChecksDocument>> {
      const found = await guarded(checks.find({ _id: { $in: [...ids] }, accountId }).toArray());
      return new Map(found.map((one) => [one._id, one]));
    },

    /** The checks of these domains without their evidence, by domain id. */
    async findOutcomes(ids: readonly string[]): Promise<Map<string, readonly CheckOutcome[]>> {
      const query = { _id: { $in: [...ids] }, accountId };
      const found = await guarded(checks.find(query, { projection: WITHOUT_ANSWERS }).toArray());
      return new Map(found.map(({ _id, checks: ofDomain }) => [_id, ofDomain]));
    },
  };
}
