import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { PermissionName } from "../../contracts/common/permissions.ts";
import { needsReentry } from "../../contracts/common/reentry.ts";
import type { Audit } from "../shared/audit.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import { equalInConstantTime } from "../shared/secrets.ts";
import type { Authorize, CallerIdentity, Principal, SessionStage } from "./caller-identity.ts";

const callerRoles = ["operator", "front_end", "worker"] as const;

/**
 * A caller of the core. `operator`: the operator of this installation and services that act for the operator; may call
 * every method. `front_end`: the HTTP edge and the SMTP listeners, which pass on requests of customers with their own
 * keys. `worker`: delivery in a separate process.
 */
export type CallerRole = (typeof callerRoles)[number];

/** Token of each role. A role without a token cannot call. */
export interface CallerTokens {
  readonly operator: string;
  readonly front_end?: string | undefined;
  readonly worker?: string | undefined;
}

/** Roles that may call a method in addition to the operator. */
export interface Access {
  readonly roles: readonly Exclude<CallerRole, "operator">[];
  /** The call is made for the holder of a session; undefined: keys, paths or links in the request decide. */
  readonly session?: {
    /** `resource.verb` that the holder's role must allow; undefined: any session is enough. */
    readonly permission: string | undefined;
    /** Missing: `complete`. */
    readonly stage?: SessionStage;
  };
}

/** Called for customers. Their keys, return paths or links are in the request and decide about it. */
export const FRONT_ENDS: Access = { roles: ["front_end"] };
export const WORKERS: Access = { roles: ["worker"] };
export const OPERATOR_ONLY: Access = { roles: [] };

/** Called for any session. */
export const SIGNED_IN: Access = { roles: ["front_end"], session: { permission: undefined } };

/** Called for any session, including sessions that wait for a second factor or a new password. */
export const HALF_SIGNED_IN = signedInAt("begun");
export const BEFORE_SECOND_FACTOR = signedInAt("before_second_factor");
export const BEFORE_PASSWORD_CHANGE = signedInAt("before_password_change");

function signedInAt(stage: SessionStage): Access {
  return { roles: ["front_end"], session: { permission: undefined, stage } };
}

/** Called for holders of sessions with a role in the account that allows the permission. */
export function permitted(permission: PermissionName): Access {
  return { roles: ["front_end"], session: { permission } };
}

/** Callers of each method of a service. A missing method does not compile. */
export type Callers<S extends GenServiceMethods> = Readonly<Record<keyof S, Access>>;

/** Identity of the caller, for a handler. */
export interface Caller {
  /** Actor of the call. A front end calls for an account. */
  readonly actor: Actor;
  /** Client of the front end; undefined: the caller named none. */
  readonly identity: CallerIdentity | undefined;
  /** Holder of the session of the call; undefined: the call has no session. */
  readonly principal: Principal | undefined;
}

/** Identity that a call presents, in addition to its request. */
export interface Credentials {
  readonly role: CallerRole;
  readonly identity: CallerIdentity | undefined;
}

/** Callers of each method of the core, from its areas. */
export interface MethodCallers {
  add<S extends GenServiceMethods>(service: GenService<S>, callers: Callers<S>): void;
  /**
   * @throws Fault auth.caller_forbidden if the method does not allow the role. Only the operator may call a method that
   * was not added
   */
  checkRole(role: CallerRole, method: DescMethod): void;
  /**
   * Admits a call. The method must allow the role, and a caller other than the operator must name the account. A call
   * for a session is for the account of the session, which fills in a missing account.
   * @throws Fault auth.caller_forbidden, auth.session_missing, auth.session_invalid, auth.permission_missing,
   * auth.reauthentication_required, account.unknown, request.validation_failed
   */
  admit(credentials: Credentials, method: DescMethod, request: unknown): Promise<Caller>;
  /** Whether the method is called for holders of sessions. */
  isForSessions(method: DescMethod): boolean;
  /** Returns the holder of a session, regardless of permissions. @throws Fault auth.session_missing, auth.session_invalid */
  holderOf(identity: CallerIdentity): Promise<Principal>;
}

/** @param authorize missing: there are no sessions */
export function createMethodCallers(authorize: Authorize = refuseSessions): MethodCallers {
  const accesses = new Map<DescMethod, Access>();

  function checkRole(role: CallerRole, method: DescMethod): void {
    if (role === "operator" || accesses.get(method)?.roles.includes(role)) return;
    throw fault("auth.caller_forbidden", {
      public: say("method_of_other_role", { method: method.name, role }),
    });
  }

  return {
    add: (service, callers) => {
      for (const method of service.methods) accesses.set(method, callers[method.localName] ?? OPERATOR_ONLY);
    },
    checkRole,
    admit: async ({ role, identity }, method, request) => {
      checkRole(role, method);
      const session = accesses.get(method)?.session;
      // The operator needs no session. With one, the call has the rights of its holder.
      if (role === "operator" && (!session || !identity?.session)) {
        return { actor: "operator", identity, principal: undefined };
      }
      if (!session) {
        requireAccount(method, request);
        return { actor: "account", identity, principal: undefined };
      }
      const { permission, stage } = session;
      const principal = await authorize(
        identity ?? NOBODY,
        permission,
        stage,
        needsReentry(method.localName),
      );
      if (takesAccount(method)) settleAccount(request as { accountId: string }, principal);
      return { actor: "account", identity, principal };
    },
    isForSessions: (method) => accesses.get(method)?.session !== undefined,
    holderOf: (identity) => authorize(identity, undefined, "begun"),
  };
}

const refuseSessions: Authorize = async () => {
  throw fault("auth.session_invalid");
};

const NOBODY: CallerIdentity = { session: "", clientAddress: "", clientAgent: "" };

/** The role with the token of `authorization`; undefined: none. The time of the comparison reveals nothing about the tokens. */
export function roleOf(authorization: string, tokens: CallerTokens): CallerRole | undefined {
  let found: CallerRole | undefined;
  for (const role of callerRoles) {
    const token = tokens[role];
    if (token !== undefined && equalInConstantTime(authorization, `Bearer ${token}`)) found ??= role;
  }
  return found;
}

/** Whether the method has a single request that can name an account. */
const takesAccount = ({ methodKind, input }: DescMethod) =>
  (methodKind === "unary" || methodKind === "server_streaming") && input.field.accountId !== undefined;

/** @throws Fault request.validation_failed if a request can name an account but does not */
function requireAccount(method: DescMethod, request: unknown): void {
  if (!takesAccount(method) || (request as { readonly accountId: string }).accountId) return;
  const message = say("account_missing_operator");
  throw validationFault([{ pointer: "/account_id", code: "field.required", message }]);
}

/**
 * Another account than that of the session answers like an unknown account.
 * @throws Fault account.unknown
 */
function settleAccount(request: { accountId: string }, { accountId }: Principal): void {
  request.accountId ||= accountId;
  if (request.accountId !== accountId || accountId === "") {
    throw fault("account.unknown", { public: unknownAccount(request.accountId) });
  }
}

function unknownAccount(id: string): FaultText {
  return id === "" ? say("no_account_yet") : say("no_account", { id });
}

/** A caller other than the operator calls for an account. */
type Actor = "operator" | "account";

/** Data of the call for a handler, in addition to its request. */
export interface HandlerContext extends Caller {
  /** Identifies this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** For the audit log: functions of the store that change data require it. */
  readonly audit: Audit;
  /** IP address of the gRPC peer. */
  readonly peerAddress: string;
  /**
   * Aborted when no client waits for the response: the caller has disconnected, or its deadline has passed. Data that
   * were not stored by then must not be stored. The reason is the Fault `core.timeout`, which `throwIfAborted` throws.
   */
  readonly signal: AbortSignal;
}
