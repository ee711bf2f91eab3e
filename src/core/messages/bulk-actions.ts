import type { Dependencies } from "../dependencies.ts";
import type { BulkActions } from "./bulk-action.ts";
import { type CancelManyOptions, createCancelMany } from "./cancel-many.ts";
import { createRetryMany } from "./retry-many.ts";

/** What can be done with many messages at once, by name: a new action is a line here. */
export function bulkActions(needs: CancelManyOptions): BulkActions {
  return { cancel: createCancelMany(needs), retry: createRetryMany(needs) };
}

/** What they need of what the core has. */
export function bulkNeeds({
  store,
  clock,
  retention,
}: Pick<Dependencies, "store" | "clock" | "retention">): CancelManyOptions {
  return { store, clock, retentionMs: retention.messageMs };
}
