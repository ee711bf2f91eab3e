import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { BackupService } from "../../gen/hermod/backup/v1/backup_service_pb.ts";
import { BounceService } from "../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { DispatchService } from "../../gen/hermod/dispatch/v1/dispatch_service_pb.ts";
import { DomainService } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { EmailService } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { PolicyService } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { SecretService } from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { SenderService } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { SubmissionService } from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { SuppressionService } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { UnsubscribeService } from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { equalInConstantTime } from "../shared/secrets.ts";
import type { PolicyAuthor } from "../store/policy-document.ts";

export const callerRoles = ["operator", "front_end", "worker"] as const;

/**
 * Who calls the core. `operator`: whoever runs this installation, and services that do so for him: every method.
 * `front_end`: the HTTP edge and the SMTP listeners, which hand on what customers ask for with keys of their own.
 * `worker`: delivery, in a process of its own.
 */
export type CallerRole = (typeof callerRoles)[number];

/** The token of each role; a role without one cannot call. */
export interface CallerTokens {
  readonly operator: string;
  readonly front_end?: string | undefined;
  readonly worker?: string | undefined;
}

type Others = readonly Exclude<CallerRole, "operator">[];

/** Called for customers, whose keys, return paths or links come with the request and decide what it may do. */
const FRONT_ENDS: Others = ["front_end"];
const WORKERS: Others = ["worker"];
const OPERATOR_ONLY: Others = [];

const callers = new Map<string, Others>([
  ...methods(EmailService, { sendEmail: FRONT_ENDS, sendEmailBatch: FRONT_ENDS }),
  ...methods(SubmissionService, {
    authenticate: FRONT_ENDS,
    checkSender: FRONT_ENDS,
    findSubmission: FRONT_ENDS,
    submitMessage: FRONT_ENDS,
    submitMessageBatch: FRONT_ENDS,
  }),
  ...methods(BounceService, {
    checkReturnPath: FRONT_ENDS,
    reportBounce: FRONT_ENDS,
    forwardMail: FRONT_ENDS,
  }),
  ...methods(UnsubscribeService, { checkToken: FRONT_ENDS, unsubscribe: FRONT_ENDS }),
  ...methods(KeyService, {
    checkKey: FRONT_ENDS,
    createKey: OPERATOR_ONLY,
    listKeys: OPERATOR_ONLY,
    revokeKey: OPERATOR_ONLY,
  }),
  ...methods(DispatchService, { subscribe: WORKERS }),
  ...methods(SenderService, { addSender: OPERATOR_ONLY, listSenders: OPERATOR_ONLY }),
  ...methods(DomainService, {
    addDomain: OPERATOR_ONLY,
    getDomain: OPERATOR_ONLY,
    rotateDomain: OPERATOR_ONLY,
  }),
  ...methods(PolicyService, {
    putPolicy: OPERATOR_ONLY,
    getPolicy: OPERATOR_ONLY,
    listPolicies: OPERATOR_ONLY,
  }),
  ...methods(TemplateService, { putTemplate: OPERATOR_ONLY, listTemplates: OPERATOR_ONLY }),
  ...methods(MessageService, {
    getMessage: OPERATOR_ONLY,
    listMessages: OPERATOR_ONLY,
    cancelMessage: OPERATOR_ONLY,
    listQuarantinedMessages: OPERATOR_ONLY,
    getQuarantinedMessage: OPERATOR_ONLY,
    releaseQuarantinedMessage: OPERATOR_ONLY,
    dropQuarantinedMessage: OPERATOR_ONLY,
  }),
  ...methods(SuppressionService, {
    addSuppression: OPERATOR_ONLY,
    removeSuppression: OPERATOR_ONLY,
    listSuppressions: OPERATOR_ONLY,
  }),
  ...methods(SandboxService, {
    listSandboxMessages: OPERATOR_ONLY,
    getSandboxMessage: OPERATOR_ONLY,
    clearSandboxMessages: OPERATOR_ONLY,
  }),
  ...methods(BackupService, { backUp: OPERATOR_ONLY }),
  ...methods(SecretService, { rotateSecrets: OPERATOR_ONLY }),
]);

/** A service's methods, by path; one that is not named does not compile. */
function methods<S extends GenServiceMethods>(
  service: GenService<S>,
  others: Readonly<Record<keyof S, Others>>,
): [path: string, others: Others][] {
  return service.methods.map((method) => [
    `/${service.typeName}/${method.name}`,
    others[method.localName] ?? OPERATOR_ONLY,
  ]);
}

/** Who may call a method besides the operator; undefined: nobody has said so of this one. */
export function callersOf(path: string): Others | undefined {
  return callers.get(path);
}

/** @param path as on the wire: `/hermod.email.v1.EmailService/SendEmail` */
export function mayCall(role: CallerRole, path: string): boolean {
  return role === "operator" || (callers.get(path)?.includes(role) ?? false);
}

/** Whose token an `authorization` is; undefined: nobody's. How long it takes tells nothing of any of them. */
export function roleOf(authorization: string, tokens: CallerTokens): CallerRole | undefined {
  let found: CallerRole | undefined;
  for (const role of callerRoles) {
    const token = tokens[role];
    if (token !== undefined && equalInConstantTime(authorization, `Bearer ${token}`)) found ??= role;
  }
  return found;
}

/**
 * Whether a caller may make this call: its role must be among those of the method, and who is not the operator names
 * the account that it asks for.
 * @throws Fault auth.caller_forbidden, request.validation_failed
 */
export function checkCaller(role: CallerRole, method: DescMethod, request: unknown): void {
  checkRole(role, method);
  if (role !== "operator") requireAccount(method, request);
}

/** @throws Fault auth.caller_forbidden when the role is not among those of the method */
export function checkRole(role: CallerRole, method: DescMethod): void {
  if (role === "operator" || mayCall(role, `/${method.parent.typeName}/${method.name}`)) return;
  throw fault("auth.caller_forbidden", {
    public: `${method.name} is not for callers with the token of a ${roleNames[role]}.`,
  });
}

/** @throws Fault request.validation_failed when a request can name an account, and does not */
export function requireAccount(method: DescMethod, request: unknown): void {
  if (method.methodKind !== "unary" || method.input.field.accountId === undefined) return;
  const { accountId } = request as { readonly accountId?: string };
  if (accountId) return;
  const message = "Name the account: only the operator's token may leave it out.";
  throw validationFault([{ pointer: "/account_id", code: "field.required", message }]);
}

const roleNames: Record<Exclude<CallerRole, "operator">, string> = {
  front_end: "front end",
  worker: "worker",
};

/** What a handler knows of the call besides its request. */
export interface HandlerContext {
  /** Names this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** The IP address of the gRPC peer. */
  readonly peerAddress: string;
  /** In whose name the call is made; a front end makes it for an account. */
  readonly actor: PolicyAuthor;
  /**
   * Aborted when nobody waits for the answer any more: the caller has gone, or its deadline has passed. What has not
   * been stored by then is not to be; the reason is the Fault `core.timeout`, so that `throwIfAborted` says as much.
   */
  readonly signal: AbortSignal;
}

/** Whoever is not the operator calls for those who call it. */
export function actorOf(role: CallerRole): PolicyAuthor {
  return role === "operator" ? "operator" : "account";
}
