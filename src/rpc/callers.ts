import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { fault, validationFault } from "../shared/fault.ts";
import { equalInConstantTime } from "../shared/secrets.ts";

const callerRoles = ["operator", "front_end", "worker"] as const;

/**
 * A caller of the core. `operator`: the one who runs this installation, and services that do so for him: every method.
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

/** Roles that may call a method besides the operator. */
export type Others = readonly Exclude<CallerRole, "operator">[];

/** Called for customers, whose keys, return paths or links come with the request and decide what it may do. */
export const FRONT_ENDS: Others = ["front_end"];
export const WORKERS: Others = ["worker"];
export const OPERATOR_ONLY: Others = [];

/** The roles that may call each method of a service; a method that is not named does not compile. */
export type Callers<S extends GenServiceMethods> = Readonly<Record<keyof S, Others>>;

/** The roles that may call each method of the core, as its areas say. */
export interface MethodCallers {
  add<S extends GenServiceMethods>(service: GenService<S>, callers: Callers<S>): void;
  /** @throws Fault auth.caller_forbidden when the role is not among those of the method; one that was not added is for the operator alone */
  checkRole(role: CallerRole, method: DescMethod): void;
  /**
   * The role must be among those of the method, and a caller other than the operator names the account it asks for.
   * @throws Fault auth.caller_forbidden, request.validation_failed
   */
  checkCaller(role: CallerRole, method: DescMethod, request: unknown): void;
}

export function createMethodCallers(): MethodCallers {
  const others = new Map<DescMethod, Others>();

  function checkRole(role: CallerRole, method: DescMethod): void {
    if (role === "operator" || others.get(method)?.includes(role)) return;
    throw fault("auth.caller_forbidden", {
      public: `${method.name} is not for callers with the token of a ${roleNames[role]}.`,
    });
  }

  return {
    add: (service, callers) => {
      for (const method of service.methods) others.set(method, callers[method.localName] ?? OPERATOR_ONLY);
    },
    checkRole,
    checkCaller: (role, method, request) => {
      checkRole(role, method);
      if (role !== "operator") requireAccount(method, request);
    },
  };
}

/** The role whose token an `authorization` is; undefined: nobody's. How long it takes tells nothing of any of them. */
export function roleOf(authorization: string, tokens: CallerTokens): CallerRole | undefined {
  let found: CallerRole | undefined;
  for (const role of callerRoles) {
    const token = tokens[role];
    if (token !== undefined && equalInConstantTime(authorization, `Bearer ${token}`)) found ??= role;
  }
  return found;
}

/** @throws Fault request.validation_failed when a request can name an account, and does not */
function requireAccount(method: DescMethod, request: unknown): void {
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

/** A caller other than the operator calls for an account. */
export type Actor = "operator" | "account";

/** What a handler knows of the call besides its request. */
export interface HandlerContext {
  /** Names this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** The IP address of the gRPC peer. */
  readonly peerAddress: string;
  /** In whose name the call is made; a front end makes it for an account. */
  readonly actor: Actor;
  /**
   * Aborted when nobody waits for the answer any more: the caller has gone, or its deadline has passed. What has not
   * been stored by then is not to be; the reason is the Fault `core.timeout`, so that `throwIfAborted` says as much.
   */
  readonly signal: AbortSignal;
}

export function actorOf(role: CallerRole): Actor {
  return role === "operator" ? "operator" : "account";
}
