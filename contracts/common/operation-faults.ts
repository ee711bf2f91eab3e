import { type FaultCodeName, faultCodes } from "./fault-codes.ts";

/** What any operation can answer, whatever it is asked. */
export const serviceFaults = [
  "service.busy",
  "internal.error",
  "core.unavailable",
  "core.connection_lost",
  "core.timeout",
  "store.unavailable",
  "store.full",
] as const satisfies readonly FaultCodeName[];

/** What any operation with a key and a JSON body can answer. */
const common = [
  "request.malformed_json",
  "request.malformed",
  "request.malformed_header",
  "request.timeout",
  "request.expectation_failed",
  "request.header_too_large",
  "auth.key_missing",
  "auth.key_invalid",
  "auth.key_expired",
  "auth.key_conflict",
  "auth.key_wrong_kind",
  "auth.scope_missing",
  "auth.address_not_allowed",
  "request.method_not_allowed",
  "request.too_large",
  "request.unsupported_media_type",
  "request.validation_failed",
  "rate.limited",
  "rate.bytes_in_flight",
  ...serviceFaults,
] as const satisfies readonly FaultCodeName[];

/** Every code that POST /v1/email/send and its alias can answer. */
export const sendEmailFaults = [
  ...common,
  "sender.unverified",
  "sender.not_allowed",
  "idempotency.in_flight",
  "message.too_large",
  "policy.unknown",
  "template.unknown",
  "template.variable_missing",
  "template.variable_type",
  "idempotency.key_reused",
] as const satisfies readonly FaultCodeName[];

/** Every code that POST /v1/alerts/ingest can answer. */
const ingestAlertFaults = [
  ...common,
  "idempotency.in_flight",
  "idempotency.key_reused",
] as const satisfies readonly FaultCodeName[];

/** What changes a workspace can answer. */
const intelWriteFaults = [
  ...common,
  "workspace.unknown",
  "idempotency.key_reused",
] as const satisfies readonly FaultCodeName[];

/** What any operation can answer that reads no body. */
const withoutBody: readonly FaultCodeName[] = common.filter((code) => code !== "request.malformed_json");

/** The codes of each public operation, by its operationId. */
export const operationFaults: Readonly<Record<string, readonly FaultCodeName[]>> = {
  sendEmail: sendEmailFaults,
  sendEmailAlias: sendEmailFaults,
  ingestAlert: ingestAlertFaults,
  listEmails: withoutBody,
  getEmail: [...withoutBody, "message.unknown", "message.unreadable"],
  cancelEmail: [
    ...withoutBody,
    "message.unknown",
    "message.unreadable",
    "message.not_cancellable",
    "message.cancel_pending",
  ],
  listWorkspaces: [...withoutBody, "workspace.unknown"],
  listClients: [...withoutBody, "workspace.unknown", "cursor.invalid"],
  createClient: [...intelWriteFaults, "client.duplicate", "client.too_many"],
  listDomains: [...withoutBody, "workspace.unknown", "cursor.invalid"],
  addDomain: [
    ...intelWriteFaults,
    "client.unknown",
    "client.archived",
    "domain.duplicate",
    "watched_domain.too_many",
  ],
  listBlacklistStatus: [
    ...withoutBody,
    "workspace.unknown",
    "cursor.invalid",
    "subject.not_monitored",
    "watched_domain.unknown",
    "client.unknown",
  ],
  generateReport: [
    ...intelWriteFaults,
    "client.unknown",
    "watched_domain.unknown",
    "report.empty",
    "report.too_large",
    "report.over_limit",
    "report.failed",
    "job.too_many",
  ],
  getReport: [...withoutBody, "workspace.unknown", "report.unknown", "report.failed"],
};

/** Codes that no public operation answers with, each with the reason. */
export const faultsWithoutOperation: Readonly<Partial<Record<FaultCodeName, string>>> = {
  "request.not_found": "answers paths that no operation has",
  "request.undecodable": "gRPC only: HTTP bodies are JSON",
  "auth.caller_invalid": "gRPC only: a calling service without a token of the core",
  "auth.caller_forbidden": "gRPC only: a calling service with the token of another role",
  "message.malformed": "gRPC and SMTP only: submitting finished messages",
  "message.looping": "gRPC and SMTP only: submitting finished messages",
  "message.incomplete": "gRPC and SMTP only: submitting finished messages",
  "sender.null_not_allowed": "gRPC and SMTP only: submitting finished messages",
  "sender.malformed": "gRPC and SMTP only: submitting finished messages",
  "queue.hold_unknown": "gRPC only: holds of the queue",
  "queue.too_many_holds": "gRPC only: holds of the queue",
  "user.unknown": "dashboard only: administration of users",
  "oidc.request_unknown": "stands in the address that a provider's answer leads on to",
  "oidc.refused": "stands in the address that a provider's answer leads on to",
  "oidc.not_allowed": "stands in the address that a provider's answer leads on to",
  "oidc.link_required": "stands in the address that a provider's answer leads on to",
  "oidc.linked_elsewhere": "stands in the address that a provider's answer leads on to",
  "sender.link_invalid": "answers links in mail, which are no public operation",
  "incident.link_invalid": "answers links in mail, which are no public operation",
  "provider.signature_invalid": "for providers of relays, whose notices are no operation of the contract",
  "schedule.no_recipients": "a schedule says with it why its last report was not mailed",
  "schedule.interrupted": "a schedule says with it why its last report was not mailed",
  "event.cursor_gone": "services alone follow the event log, over gRPC",
  "message.in_delivery": "gRPC and SMTP only: bounces that come early",
  "return_path.unknown": "gRPC and SMTP only: bounces to nobody",
  "unsubscribe.token_invalid": "answers the links of List-Unsubscribe, which are for mailbox providers",
};

/** These codes with the same HTTP status as `status`, in the catalogue's order. */
export function faultsOfStatus(faults: readonly FaultCodeName[], status: number): FaultCodeName[] {
  const names = Object.keys(faultCodes) as FaultCodeName[];
  return names.filter((name) => faults.includes(name) && faultCodes[name].http === status);
}
