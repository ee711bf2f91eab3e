/**
 * What somebody may do in an account, as `resource.verb`, with the sentence that pages and documents show. Keys have
 * some of them as scopes, roles of members have sets of them, and each route names the one that it needs.
 */
export const permissions = {
  "email.send": "Send e-mail",
  "email.read": "See e-mails and what became of them, with a key",
  "email.cancel": "Cancel e-mails, with a key",
  "alerts.ingest": "Feed in alerts",
  "messages.read": "See messages and what became of them",
  "senders.read": "See senders",
  "senders.write": "Add, verify and remove senders",
  "templates.read": "See templates",
  "templates.write": "Publish templates",
  "webhooks.read": "See webhook endpoints and their deliveries",
  "webhooks.write": "Change webhook endpoints",
  "alerts.read": "See alerts, alert rules, silences and incidents",
  "alerts.write": "Change alert rules and silences",
  "incidents.write": "Acknowledge and resolve incidents",
  "suppressions.read": "See the suppression list",
  "suppressions.write": "Change the suppression list",
  "recipients.erase": "Erase all that is stored about a recipient",
  "messages.read_bodies": "Read the bodies, headers and attachments of messages",
  "messages.write": "Cancel messages, and send them again",
  "domains.read": "See sending domains and their DNS records",
  "domains.write": "Add, verify and remove sending domains",
  "policies.read": "See routing policies",
  "policies.write": "Change routing policies",
  "sandbox.read": "Read captured mail",
  "sandbox.write": "Remove captured mail",
  "keys.read": "See API keys and SMTP credentials, without their secrets",
  "keys.write": "Create, change and revoke API keys and SMTP credentials",
  "requests.read": "See the requests that were made with keys",
  "jobs.read": "See long work of the account and its results",
  "jobs.write": "Cancel long work",
  "members.read": "See who belongs to the account",
  "members.write": "Invite people, change their roles, remove them",
  "account.read": "See the account",
  "account.write": "Rename the account, and change what holds for all its members",
  "account.delete": "Delete the account",
  "account.export": "Export everything that is stored of the account",
  "intel.read": "See workspaces, clients, watched domains, what lists have of them, and schedules of reports",
  "intel.write": "Change workspaces, clients, watched domains and schedules of reports, and make reports",
  "audit.read": "Search and export the audit log",
} as const;

export type PermissionName = keyof typeof permissions;

/** The permissions that a key can have as scopes, by the kind of the key: each opens an operation. */
export const scopesOfKind = {
  account: ["email.send", "email.read", "email.cancel", "alerts.ingest"],
  deliverability: ["intel.read", "intel.write"],
  smtp: ["email.send"],
} as const satisfies Record<string, readonly PermissionName[]>;

export const keyScopes = [...scopesOfKind.account, ...scopesOfKind.deliverability] as const;
