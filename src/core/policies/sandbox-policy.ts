import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { NewPolicy } from "../../store/policy-store.ts";

export const SANDBOX_POLICY = "sandbox";

/**
 * What a new account begins with, as its default: mail is captured, and leaves the machine only once another policy says
 * so.
 */
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
 * Policy of system mail until the operator stores one: Hermod captures it in the sandbox inbox of the admin port, which
 * shows it to the operator alone. It is never stored.
 */
export const CAPTURE_POLICY: PolicyDocument = {
  ...sandboxPolicy(new Date(0)),
  _id: `${SYSTEM_ACCOUNT}.${SANDBOX_POLICY}`,
  accountId: SYSTEM_ACCOUNT,
  storedBy: "operator",
};
