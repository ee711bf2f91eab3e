import type {
  AccountDocument,
  DomainKeyDocument,
  KeyDocument,
  MemberDocument,
  SenderDocument,
  SessionDocument,
  SuppressionDocument,
  UserDocument,
} from "../documents.ts";
import type { DomainDocument } from "../domain-document.ts";
import type { MessageDocument, QuarantineDocument } from "../message-documents.ts";
import type { PolicyDocument } from "../policy-document.ts";
import type {
  IdentityDocument,
  InvitationDocument,
  PasskeyDocument,
  TotpDocument,
} from "../user-documents.ts";
import { alertRule, incident, inhibition, silence } from "./alert-fields.ts";
import type { AnyClasses, Classes } from "./classes.ts";
import { client, report, schedule, watchedDomain, workspace } from "./intel-fields.ts";
import { job, queueHold } from "./job-fields.ts";
import { erasure, retention } from "./privacy-fields.ts";
import { template, templateDraft } from "./template-fields.ts";
import { webhook, webhookDelivery } from "./webhook-fields.ts";

const account: Classes<AccountDocument> = {
  _id: "ignore",
  name: "track",
  createdAt: "ignore",
  requiresSecondFactor: "track",
  references: "ignore",
};

const user: Classes<UserDocument> = {
  _id: "ignore",
  email: "track",
  passwordHash: "secret",
  mustChangePassword: "track",
  accountId: "ignore",
  createdAt: "ignore",
};

const member: Classes<MemberDocument> = {
  _id: "ignore",
  accountId: "ignore",
  userId: "track",
  role: "track",
  createdAt: "ignore",
};

const invitation: Classes<InvitationDocument> = {
  _id: "ignore",
  accountId: "ignore",
  email: "track",
  role: "track",
  hash: "secret",
  invitedBy: { userId: "ignore", email: "track" },
  createdAt: "ignore",
  expireAt: "track",
};

const session: Classes<SessionDocument> = {
  _id: "ignore",
  hash: "ignore",
  userId: "ignore",
  email: "ignore",
  accountId: "track",
  mustChangePassword: "track",
  createdAt: "track",
  seenAt: "ignore",
  authenticatedAt: "track",
  factors: "track",
  secondFactorPending: "track",
  clientAddress: "track",
  clientAgent: "track",
  endsAt: "track",
  expireAt: "ignore",
};

const totp: Classes<TotpDocument> = {
  _id: "ignore",
  secret: "secret",
  createdAt: "ignore",
  confirmedAt: "track",
  lastStep: "ignore",
  expireAt: "ignore",
};

/** As many as there are, and that they are others. */
export interface RecoveryCodesState extends Tally {
  readonly hashes: readonly string[];
}

const recoveryCodes: Classes<RecoveryCodesState> = { count: "track", hashes: "secret" };

const passkey: Classes<PasskeyDocument> = {
  _id: "ignore",
  userId: "ignore",
  name: "track",
  publicKey: "ignore",
  counter: "ignore",
  transports: "track",
  backedUp: "track",
  createdAt: "ignore",
  lastUsedAt: "ignore",
};

const identity: Classes<IdentityDocument> = {
  _id: "ignore",
  issuer: "track",
  subject: "track",
  email: "track",
  userId: "ignore",
  accountId: "track",
  createdAt: "ignore",
};

const key: Classes<KeyDocument> = {
  _id: "ignore",
  accountId: "ignore",
  workspaceId: "track",
  name: "track",
  kind: "track",
  prefix: "track",
  hash: "ignore",
  passwordHash: "secret",
  scopeMode: "track",
  scopes: "track",
  senders: "track",
  allowedAddresses: "track",
  createdAt: "ignore",
  lastUsedAt: "ignore",
  lastUsedFrom: "ignore",
  lastUsedBy: "ignore",
  revokedAt: "track",
  expiresAt: "track",
  supersededAt: "track",
};

const sender: Classes<SenderDocument> = {
  _id: "ignore",
  accountId: "ignore",
  kind: "track",
  value: "track",
  verifiedAt: "track",
  verifiedBy: "track",
  createdAt: "ignore",
  linkHash: "secret",
  linkExpiresAt: "ignore",
  expireAt: "ignore",
};

const domainKey: Classes<DomainKeyDocument> = {
  _id: "ignore",
  accountId: "ignore",
  domain: "track",
  selector: "track",
  algorithm: "track",
  privateKey: "secret",
  signsFrom: "track",
  createdAt: "ignore",
};

const transport: Classes<PolicyDocument["transports"][number]> = {
  kind: "track",
  servers: { host: "track", port: "track" },
  tls: "track",
  username: "track",
  password: "secret",
  maxConnections: "track",
  dkim: "track",
};

const policy: Classes<PolicyDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "track",
  default: "track",
  transports: transport,
  rules: { domains: "track", transports: transport },
  retryWaitsMs: "track",
  maxAgeMs: "track",
  priority: "track",
  limits: { concurrency: "track", messagesPerMinute: "track" },
  source: { address: "track", address6: "track", heloName: "track" },
  listUnsubscribe: "track",
  tracking: { opens: "track", clicks: "track" },
  storedBy: "track",
  updatedAt: "ignore",
  revision: "ignore",
  retiredAt: "ignore",
  expireAt: "ignore",
};

const suppression: Classes<SuppressionDocument> = {
  _id: "ignore",
  accountId: "ignore",
  addressKey: "ignore",
  address: "track",
  domain: "ignore",
  reason: "track",
  policy: "track",
  messageId: "track",
  detail: "track",
  createdAt: "track",
  expireAt: "track",
};

/** Of a message, that is: what may be done to it by somebody. Its own record is its events. */
const message: Classes<Pick<MessageDocument, "state" | "cancelRequestedAt" | "nextAttemptAt">> = {
  state: "track",
  nextAttemptAt: "track",
  cancelRequestedAt: "track",
};

const quarantined: Classes<QuarantineDocument> = {
  _id: "ignore",
  bucket: "ignore",
  accountId: "ignore",
  traceId: "track",
  reason: "track",
  at: "track",
  from: "track",
  recipient: "track",
  subject: "track",
  cancelRequestedAt: "track",
};

/** What was found of its records is Hermod's to say, and has events of its own. */
const domain: Classes<DomainDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "track",
  token: "track",
  createdAt: "ignore",
  verifiedAt: "track",
  status: "track",
  statusSince: "ignore",
  records: "ignore",
  nameServers: "ignore",
  checkedAt: "ignore",
  askedAt: "ignore",
  failures: "ignore",
  nextCheckAt: "ignore",
};

/** How many things an act concerns that has no single one. */
export interface Tally {
  readonly count: number;
}

const tally: Classes<Tally> = { count: "track" };

/** What the audit log shows of each kind of resource. A kind or a field that is not classified does not compile. */
export const auditedFields = {
  alert_rule: alertRule,
  silence,
  inhibition,
  incident,
  account,
  user,
  member,
  invitation,
  session,
  totp,
  recovery_codes: recoveryCodes,
  passkey,
  identity,
  key,
  sender,
  domain,
  domain_key: domainKey,
  policy,
  template,
  template_draft: templateDraft,
  suppression,
  erasure,
  retention,
  message,
  quarantined,
  queue_hold: queueHold,
  job,
  webhook,
  webhook_delivery: webhookDelivery,
  workspace,
  client,
  watched_domain: watchedDomain,
  report,
  schedule,
  sandbox: tally,
  sessions: tally,
} as const satisfies Readonly<Record<string, AnyClasses>>;

export type AuditedKind = keyof typeof auditedFields;
