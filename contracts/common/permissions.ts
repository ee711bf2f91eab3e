/**
 * Permissions in an account, as `resource.verb`, with the text that pages and documents show. Some of them are scopes of keys.
 * Roles of members are sets of permissions. Each route names the permission that it requires.
 */
export const permissions = {
  "email.send": "Send e-mail",
  "email.read": "See e-mails and their delivery status, with a key",
  "email.cancel": "Cancel e-mails, with a key",
  "alerts.ingest": "Ingest alerts",
  "messages.read": "See messages and their delivery status",
  "senders.read": "See senders",
  "senders.write": "Add, verify and remove senders",
  "templates.read": "See templates",
  "templates.write": "Publish templates",
  "webhooks.read": "See webhook endpoints and their deliveries",
  "webhooks.write": "Change webhook endpoints",
  "alerts.read": "See alerts, alert rules, silences, on-call schedules and incidents",
  "alerts.write": "Change alert rules, silences and on-call schedules",
  "incidents.write": "Acknowledge, snooze, assign and resolve incidents",
  "suppressions.read": "See the suppression list",
  "suppressions.write": "Change the suppression list",
  "recipients.erase": "Erase all data about a recipient",
  "messages.read_bodies": "Read the bodies, headers and attachments of messages",
  "messages.write": "Cancel messages and send them again",
  "domains.read": "See sending domains and their DNS records",
  "domains.write": "Add, verify and remove sending domains",
  "policies.read": "See routing policies",
  "policies.write": "Change routing policies",
  "sandbox.read": "Read captured mail",
  "sandbox.write": "Remove captured mail",
  "keys.read": "See API keys and SMTP credentials, without their secrets",
  "keys.write": "Create, change and revoke API keys and SMTP credentials",
  "requests.read": "See the requests made with keys",
  "jobs.read": "See jobs of the account and their results",
  "jobs.write": "Cancel jobs",
  "members.read": "See the members of the account",
  "members.write": "Invite members, change their roles and remove them",
  "account.read": "See the account",
  "account.write": "Rename the account and change settings for all its members",
  "account.delete": "Delete the account",
  "account.export": "Export all data of the account",
  "intel.read":
    "See workspaces, clients, watched domains, their blacklist status, reports and report schedules",
  "intel.write":
    "Change workspaces, clients, watched domains, report schedules and labels, and generate, share and remove reports",
  "audit.read": "Search and export the audit log",
} as const;

export type PermissionName = keyof typeof permissions;

/** Permissions that a key can have as scopes, by kind of key. */
export const scopesOfKind = {
  account: ["email.send", "email.read", "email.cancel", "alerts.ingest"],
  deliverability: ["intel.read", "intel.write"],
  smtp: ["email.send"],
} as const satisfies Record<string, readonly PermissionName[]>;

export const keyScopes = [...scopesOfKind.account, ...scopesOfKind.deliverability] as const;
