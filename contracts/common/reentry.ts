/**
 * Operations that need a factor verified in the last ten minutes (`auth.reauthentication_required`), by the name of the route and
 * of the core's method. An unattended session cannot call them. An operation is on the list if it changes how its user signs in,
 * grants rights or a secret, redirects mail or events, or destroys data that no member can restore.
 * Operations that only remove access (`revokeKey`, `endSession`) are not on it, because a leak must be stopped at once.
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
  "signOutMember",
  "createInvitation",
  "requireSecondFactor",
  // Secrets.
  "createKey",
  "rotateKey",
  "replaceKeyAccess",
  "createWebhook",
  "rotateWebhookSecret",
  "createTarget",
  "rotateTargetSecret",
  // Destinations of mail and events.
  "createPolicy",
  "replacePolicy",
  "putPolicy",
  "restorePolicy",
  "makeDefaultPolicy",
  "replaceWebhook",
  "restoreWebhook",
  "replaceTarget",
  // Data that no member can restore.
  "deleteAccount",
  "exportAccount",
  "changeRetention",
  "beginErasure",
  "removeDomain",
  "deletePolicy",
  "deleteTemplate",
  "deleteWebhook",
  "deleteTarget",
  "removeWatchedDomain",
  "beginWatchRemoval",
  "deleteReport",
  "removeClient",
] as const;

const names: ReadonlySet<string> = new Set(reentry);

/** Whether the operation of this name needs a factor verified in the last ten minutes. */
export function needsReentry(operation: string): boolean {
  return names.has(operation);
}
