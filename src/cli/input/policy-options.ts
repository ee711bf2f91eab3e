/** Argument of commands for one routing policy. */
export const POLICY_NAME = ["<name>", "name of the policy"] as const;

/** Option of commands that replace or delete a routing policy. */
export const POLICY_REVISION = [
  "--revision <revision>",
  "refuse if the policy has changed since this revision",
] as const;
