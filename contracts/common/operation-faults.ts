import { type FaultCodeName, faultCodes } from "./fault-codes.ts";

/** Codes that every operation can return. */
export const serviceFaults = [
  "service.busy",
  "internal.error",
  "core.unavailable",
  "core.connection_lost",
  "core.timeout",
  "store.unavailable",
  "store.full",
] as const satisfies readonly FaultCodeName[];

/** Codes that every operation with a key and a JSON body can return. */
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

/** Codes that POST /v1/email/send and its alias can return. */
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

/** Codes that POST /v1/alerts/ingest can return. */
const ingestAlertFaults = [
  ...common,
  "idempotency.in_flight",
  "idempotency.key_reused",
] as const satisfies readonly FaultCodeName[];

/** Codes that operations which change a workspace can return. */
const intelWriteFaults = [
  ...common,
  "workspace.unknown",
  "idempotency.key_reused",
] as const satisfies readonly FaultCodeName[];

/** Codes that every operation without a body can return. */
const withoutBody: readonly FaultCodeName[] = common.filter((code) => code !== "request.malformed_json");

/** Codes of each public operation, by operationId. */
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
    "report.unknown",
    "job.too_many",
  ],
  getReport: [...withoutBody, "workspace.unknown", "report.unknown", "report.failed"],
};

/** Codes that no public operation returns, each with the reason. */
export const faultsWithoutOperation: Readonly<Partial<Record<FaultCodeName, string>>> = {
  "request.not_found": "returned for paths without an operation",
  "request.undecodable": "gRPC only: HTTP bodies are JSON",
  "auth.caller_invalid": "gRPC only: a calling service without a token of the core",
  "auth.caller_forbidden": "gRPC only: a calling service with the token of another role",
  "message.malformed": "gRPC and SMTP only: submitting finished messages",
  "message.looping": "gRPC and SMTP only: submitting finished messages",
  "message.incomplete": "gRPC and SMTP only: submitting finished messages",
  "sender.null_not_allowed": "gRPC and SMTP only: submitting finished messages",
  "sender.malformed": "gRPC and SMTP only: submitting finished messages",
  "user.unknown": "dashboard only: administration of users",
  "oidc.request_unknown": "returned in the URL to which the provider's answer redirects",
  "oidc.refused": "returned in the URL to which the provider's answer redirects",
  "oidc.not_allowed": "returned in the URL to which the provider's answer redirects",
  "oidc.link_required": "returned in the URL to which the provider's answer redirects",
  "oidc.linked_elsewhere": "returned in the URL to which the provider's answer redirects",
  "sender.link_invalid": "returned for links in mail, which are not a public operation",
  "report.link_invalid": "returned for links to reports, which are not a public operation",
  "incident.link_invalid": "returned for links in mail, which are not a public operation",
  "provider.signature_invalid": "for notices of relay providers, which are not an operation of the contract",
  "schedule.no_recipients": "stored in a schedule as the reason why its last report was not mailed",
  "schedule.interrupted": "stored in a schedule as the reason why its last report was not mailed",
  "event.cursor_gone": "gRPC only: following the event log",
  "message.in_delivery": "gRPC and SMTP only: bounces that arrive early",
  "return_path.unknown": "gRPC and SMTP only: bounces to unknown return paths",
  "unsubscribe.token_invalid": "returned for List-Unsubscribe links, which are for mailbox providers",
};

/** The codes of `faults` with the HTTP status `status`, in the order of the catalogue. */
export function faultsOfStatus(faults: readonly FaultCodeName[], status: number): FaultCodeName[] {
  const names = Object.keys(faultCodes) as FaultCodeName[];
  return names.filter((name) => faults.includes(name) && faultCodes[name].http === status);
}
