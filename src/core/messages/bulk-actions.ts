import type { BulkActions } from "./bulk-action.ts";
import { type CancelManyOptions, createCancelMany } from "./cancel-many.ts";
import { createResend, type ResendNeeds } from "./resend.ts";
import { createResendMany, type ResendManyOptions } from "./resend-many.ts";
import { createRetryMany } from "./retry-many.ts";

/** Actions on many messages, by name: a new action is a line here. */
export function bulkActions(needs: CancelManyOptions & ResendManyOptions): BulkActions {
  return {
    cancel: createCancelMany(needs),
    retry: createRetryMany(needs),
    resend: createResendMany(needs),
  };
}

/** Dependencies of the actions, selected from those of the core. */
export function bulkNeeds(dependencies: ResendNeeds): CancelManyOptions & ResendManyOptions {
  const { store, clock, retention } = dependencies;
  return { store, clock, retentionMs: retention.messageMs, resend: createResend(dependencies) };
}
