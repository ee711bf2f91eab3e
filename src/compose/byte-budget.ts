import { type ByteBudget, createByteBudget } from "../shared/byte-budget.ts";
import { fault } from "../shared/fault.ts";
import type { Process } from "./process.ts";

/** The bytes of submissions that a part of this process has in memory, which its metrics tell. */
export function composeByteBudget({ config, metrics }: Process, role: "edge" | "core"): ByteBudget {
  const budget = createByteBudget({ maxBytes: config.HERMOD_BYTES_IN_FLIGHT_MAX });
  metrics.watchBytesInFlight(role, budget.usedBytes);
  return budget;
}

/** For /readyz: rejects while small submissions are turned away for want of room. */
export function hasRoom(budget: ByteBudget): () => Promise<void> {
  return async () => {
    if (!budget.hasRoom()) throw fault("service.busy", { internal: "no room for submissions" });
  };
}
