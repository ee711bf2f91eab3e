import type { PolicyDocument } from "../../store/policy-document.ts";

/**
 * How mail of Hermod's own leaves.
 *
 * - `off`: no setting names a sender
 * - `captured`: the operator has stored no policy for it, or one that captures
 * - `sent`: by the policy that the operator stored
 */
export type SystemMailState = "off" | "captured" | "sent";

/**
 * @param hasSender a setting names a sender
 * @param policy default policy of the system account; null: the operator has stored none
 */
export function systemMailStateOf(
  hasSender: boolean,
  policy: Pick<PolicyDocument, "transports"> | null,
): SystemMailState {
  if (!hasSender) return "off";
  return policy?.transports.some(({ kind }) => kind !== "sandbox") ? "sent" : "captured";
}
