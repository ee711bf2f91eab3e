import { fault } from "../../shared/fault.ts";

/** Services that follow the event log at this process. */
export interface Followers {
  /**
   * Adds a follower. Its signal is aborted when the process or the call ends.
   * @throws Fault live.full, core.unavailable
   */
  add(call: AbortSignal): { readonly signal: AbortSignal; leave(): void };
  /** Ends all of them. */
  close(): void;
}

/** Each follower queries the store twice a second. */
const MAX_FOLLOWERS = 50;
const RETRY_AFTER_SECONDS = 10;

export function createFollowers(): Followers {
  const open = new Set<AbortController>();
  let isClosed = false;

  return {
    add(call) {
      if (isClosed) throw fault("core.unavailable");
      if (open.size >= MAX_FOLLOWERS) throw fault("live.full", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      const controller = new AbortController();
      const end = () => controller.abort(call.reason);
      call.addEventListener("abort", end);
      if (call.aborted) end();
      open.add(controller);
      return {
        signal: controller.signal,
        leave: () => {
          call.removeEventListener("abort", end);
          open.delete(controller);
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of open) controller.abort(fault("core.unavailable"));
    },
  };
}
