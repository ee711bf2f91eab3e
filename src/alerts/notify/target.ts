/** Kinds of alert targets. Each has a file beside this one that composes the bodies of its requests. */
export const targetKinds = ["webhook", "slack", "teams"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Receiver of the notices of a rule: an address, or an alert target of the account. */
export type Target =
  | { readonly kind: "email"; readonly address: string }
  | { readonly kind: TargetKind; readonly id: string; readonly name: string };

/** Whether a receiver in a rule or a notification limit is an alert target. Every address has an "@". */
export function isTargetId(receiver: string): boolean {
  return receiver.startsWith("atg_") && !receiver.includes("@");
}

/** Name of a target for people, also as the actor of its links. */
export function targetText(target: Target): string {
  return target.kind === "email" ? target.address : `alert target ${target.name}`;
}
