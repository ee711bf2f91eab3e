import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { PermissionName } from "../../contracts/common/permissions.ts";
import { needsReentry } from "../../contracts/common/reentry.ts";
import type { Audit } from "../shared/audit.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import { equalInConstantTime } from "../shared/secrets.ts";
import type { Authorize, Behalf, Principal, SessionStage } from "./behalf.ts";

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

/** Who may call a method besides the operator. */
export interface Access {
  readonly roles: readonly Exclude<CallerRole, "operator">[];
  /** The call is made for the holder of a session; undefined: keys, paths or links in the request decide. */
  readonly session?: {
    /** `resource.verb` that the holder's role must allow; undefined: any session will do. */
    readonly permission: string | undefined;
    /** Missing: `complete`. */
    readonly stage?: SessionStage;
  };
}

/** Called for customers, whose keys, return paths or links come with the request and decide what it may do. */
export const FRONT_ENDS: Access = { roles: ["front_end"] };
export const WORKERS: Access = { roles: ["worker"] };
export const OPERATOR_ONLY: Access = { roles: [] };

/** Called for whoever has a session. */
export const SIGNED_IN: Access = { roles: ["front_end"], session: { permission: undefined } };

/** The same, and for sessions that wait for a second factor or a new password. */
export const HALF_SIGNED_IN = signedInAt("begun");
export const BEFORE_SECOND_FACTOR = signedInAt("before_second_factor");
export const BEFORE_PASSWORD_CHANGE = signedInAt("before_password_change");

function signedInAt(stage: SessionStage): Access {
  return { roles: ["front_end"], session: { permission: undefined, stage } };
}

/** Called for holders of sessions whose role in the account allows so much. */
export function permitted(permission: PermissionName): Access {
  return { roles: ["front_end"], session: { permission } };
}

/** Who may call each method of a service; a method that is not named does not compile. */
export type Callers<S extends GenServiceMethods> = Readonly<Record<keyof S, Access>>;

/** The one who makes a call, as a handler sees him. */
export interface Caller {
  /** In whose name the call is made; a front end makes it for an account. */
  readonly actor: Actor;
  /** The front end's client; undefined: the caller said nothing of one. */
  readonly behalf: Behalf | undefined;
  /** The holder of the session for which the call is made; undefined: it is made for none. */
  readonly principal: Principal | undefined;
}

/** What a call says of itself, besides its request. */
export interface Presented {
  readonly role: CallerRole;
  readonly behalf: Behalf | undefined;
}

/** Who may call each method of the core, as its areas say. */
export interface MethodCallers {
  add<S extends GenServiceMethods>(service: GenService<S>, callers: Callers<S>): void;
  /** @throws Fault auth.caller_forbidden when the role is not among those of the method; one that was not added is for the operator alone */
  checkRole(role: CallerRole, method: DescMethod): void;
  /**
   * The role must be among those of the method, and a caller other than the operator names the account it asks for. A
   * call for a session is for the account of that: a request that leaves it out is given it.
   * @throws Fault auth.caller_forbidden, auth.session_missing, auth.session_invalid, auth.permission_missing,
   *   auth.reauthentication_required, account.unknown, request.validation_failed
   */
  admit(presented: Presented, method: DescMethod, request: unknown): Promise<Caller>;
  /** True: it is called for holders of sessions. */
  isForSessions(method: DescMethod): boolean;
  /** The holder of a session, whatever it may do. @throws Fault auth.session_missing, auth.session_invalid */
  holderOf(behalf: Behalf): Promise<Principal>;
}

/** @param authorize missing: nobody has a session */
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
    admit: async ({ role, behalf }, method, request) => {
      checkRole(role, method);
      const session = accesses.get(method)?.session;
      // The operator needs no session; with one, he calls as its holder would.
      if (role === "operator" && (!session || !behalf?.session)) {
        return { actor: "operator", behalf, principal: undefined };
      }
      if (!session) {
        requireAccount(method, request);
        return { actor: "account", behalf, principal: undefined };
      }
      const { permission, stage } = session;
      const principal = await authorize(behalf ?? NOBODY, permission, stage, needsReentry(method.localName));
      if (takesAccount(method)) settleAccount(request as { accountId: string }, principal);
      return { actor: "account", behalf, principal };
    },
    isForSessions: (method) => accesses.get(method)?.session !== undefined,
    holderOf: (behalf) => authorize(behalf, undefined, "begun"),
  };
}

const refuseSessions: Authorize = async () => {
  throw fault("auth.session_invalid");
};

const NOBODY: Behalf = { session: "", clientAddress: "", clientAgent: "" };

/** The role whose token an `authorization` is; undefined: nobody's. How long it takes tells nothing of any of them. */
export function roleOf(authorization: string, tokens: CallerTokens): CallerRole | undefined {
  let found: CallerRole | undefined;
  for (const role of callerRoles) {
    const token = tokens[role];
    if (token !== undefined && equalInConstantTime(authorization, `Bearer ${token}`)) found ??= role;
  }
  return found;
}

/** True: its request, of which there is one, can name an account. */
const takesAccount = ({ methodKind, input }: DescMethod) =>
  (methodKind === "unary" || methodKind === "server_streaming") && input.field.accountId !== undefined;

/** @throws Fault request.validation_failed when a request can name an account, and does not */
function requireAccount(method: DescMethod, request: unknown): void {
  if (!takesAccount(method) || (request as { readonly accountId: string }).accountId) return;
  const message = say("account_missing_operator");
  throw validationFault([{ pointer: "/account_id", code: "field.required", message }]);
}

/**
 * Another account than the session's is as unknown as one that never was.
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

/** What a handler knows of the call besides its request. */
export interface HandlerContext extends Caller {
  /** Names this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** For the audit log: functions of the store that change something take it. */
  readonly audit: Audit;
  /** The IP address of the gRPC peer. */
  readonly peerAddress: string;
  /**
   * Aborted when nobody waits for the answer any more: the caller has gone, or its deadline has passed. What has not
   * been stored by then is not to be; the reason is the Fault `core.timeout`, so that `throwIfAborted` says as much.
   */
  readonly signal: AbortSignal;
}
