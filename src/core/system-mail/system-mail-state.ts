import type { PolicyDocument } from "../../store/policy-document.ts";

/**
 * State of Hermod's own mail.
 *
 * - `off`: no setting defines a sender
 * - `captured`: the operator has stored no policy for it, or one that captures
 * - `sent`: sent with the policy that the operator stored
 */
export type SystemMailState = "off" | "captured" | "sent";

/**
 * @param hasSender a setting defines a sender
 * @param policy default policy of the system account; null: the operator has stored none
 */
export function systemMailStateOf(
  hasSender: boolean,
  policy: Pick<PolicyDocument, "transports"> | null,
): SystemMailState {
  if (!hasSender) return "off";
  return policy?.transports.some(({ kind }) => kind !== "sandbox") ? "sent" : "captured";
}
