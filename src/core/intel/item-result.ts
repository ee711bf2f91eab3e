import { Fault } from "../../shared/fault.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";

export type ItemResult = Omit<JobResultEntry, "item">;

/**
 * Result of one item of a job. A fault of the item is its result. A fault of the store or of the program is thrown,
 * so that the step is repeated.
 */
export async function itemResult(work: () => Promise<ItemResult>): Promise<ItemResult> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code.startsWith("store.") || thrown.code === "internal.error")
      throw thrown;
    return { outcome: "failed", code: thrown.code, message: thrown.public };
  }
}
