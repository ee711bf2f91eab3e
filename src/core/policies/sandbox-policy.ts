import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { NewPolicy } from "../../store/policy-store.ts";

export const SANDBOX_POLICY = "sandbox";

/** Default policy of a new account: mail is captured, and leaves the machine only when another policy is used. */
export function sandboxPolicy(now: Date): NewPolicy {
  return {
    name: SANDBOX_POLICY,
    default: true,
    transports: [{ kind: "sandbox" }],
    storedBy: "account",
    updatedAt: now,
  };
}

/**
 * Policy of system mail until the operator stores one: Hermod captures it in the sandbox inbox of the admin port,
 * which only the operator can read. It is never stored.
 */
export const CAPTURE_POLICY: PolicyDocument = {
  ...sandboxPolicy(new Date(0)),
  _id: `${SYSTEM_ACCOUNT}.${SANDBOX_POLICY}`,
  accountId: SYSTEM_ACCOUNT,
  storedBy: "operator",
};
