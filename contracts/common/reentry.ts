/**
 * Operations that need a factor shown in the last ten minutes (`auth.reauthentication_required`), by the name of the route and of
 * the core's method, so that a forgotten desk opens none of them. An operation is here when it changes how its user signs
 * in, hands out rights or a secret, directs mail or events elsewhere, or destroys data that no member can restore.
 * Operations that only take access away (`revokeKey`, `endSession`) are not: a leak must be stopped at once.
 */
export const reentry = [
  // Sign-in of the user.
  "beginOidcLink",
  "unlinkIdentity",
  "beginTotp",
  "confirmTotp",
  "removeTotp",
  "renewRecoveryCodes",
  "beginPasskey",
  "confirmPasskey",
  "removePasskey",
  "endOtherSessions",
  "requestEmailChange",
  // Rights of members.
  "leaveAccount",
  "changeRole",
  "removeMember",
  "createInvitation",
  "requireSecondFactor",
  // Secrets.
  "createKey",
  "rotateKey",
  "replaceKeyAccess",
  "createWebhook",
  "rotateWebhookSecret",
  // Where mail and events go.
  "createPolicy",
  "replacePolicy",
  "putPolicy",
  "makeDefaultPolicy",
  "replaceWebhook",
  // Data that no member can restore.
  "deleteAccount",
  "exportAccount",
  "changeRetention",
  "beginErasure",
  "removeDomain",
  "deletePolicy",
  "deleteTemplate",
  "deleteWebhook",
  "removeWatchedDomain",
] as const;

const names: ReadonlySet<string> = new Set(reentry);

/** True: the operation of this name needs a factor shown in the last ten minutes. */
export function needsReentry(operation: string): boolean {
  return names.has(operation);
}
