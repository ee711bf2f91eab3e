import type { NewPolicy } from "../../store/policy-store.ts";

export const SANDBOX_POLICY = "sandbox";

/**
 * What a new account begins with, as its default: mail is captured, and leaves the machine only once another policy says
 * so.
 */
export function sandboxPolicy(now: Date): NewPolicy {
  return { name: SANDBOX_POLICY, default: true, transports: [{ kind: "sandbox" }], updatedAt: now };
}
