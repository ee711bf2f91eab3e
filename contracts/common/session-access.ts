import type { AppRoute } from "@ts-rest/core";
import { type FaultCodeName, faultCodes } from "./fault-codes.ts";
import { serviceFaults } from "./operation-faults.ts";
import type { PermissionName } from "./permissions.ts";
import { problem } from "./problem.ts";

/**
 * Clients that may call an operation of the dashboard.
 *
 * - `anyone`: no session needed
 * - `half_signed_in`: any session, complete or not
 * - `before_second_factor`: complete sessions, and those that wait for their second factor
 * - `before_password_change`: complete sessions, and those with an initial password
 * - `signed_in`: complete sessions
 * - a permission: complete sessions of members with a role that includes it
 */
export type SessionAccess =
  | "anyone"
  | "half_signed_in"
  | "before_second_factor"
  | "before_password_change"
  | "signed_in"
  | PermissionName;

/** Metadata of a dashboard route. */
export interface SessionRoute {
  readonly access: SessionAccess;
  /** All error codes of the route. */
  readonly faults: readonly FaultCodeName[];
  /** Other media types of the success response, each with a description. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
}

/** Error codes of every dashboard operation. */
const always = [
  "request.malformed",
  "request.malformed_header",
  "request.timeout",
  "request.expectation_failed",
  "request.header_too_large",
  "request.method_not_allowed",
  "auth.key_not_accepted",
  ...serviceFaults,
] as const satisfies readonly FaultCodeName[];

/** Error codes of every operation that changes data. */
const ofChanges = [
  "request.cross_site",
  "request.malformed_json",
  "request.too_large",
  "request.unsupported_media_type",
  "request.validation_failed",
  "rate.bytes_in_flight",
] as const satisfies readonly FaultCodeName[];

const ofSessions = [
  "auth.session_missing",
  "auth.session_invalid",
] as const satisfies readonly FaultCodeName[];

const ofCompleteSessions = [
  ...ofSessions,
  "auth.second_factor_required",
  "auth.password_change_required",
] as const satisfies readonly FaultCodeName[];

const ofPermissions = [
  ...ofCompleteSessions,
  "auth.second_factor_missing",
  "auth.permission_missing",
] as const satisfies readonly FaultCodeName[];

type Always = (typeof always)[number];
type OfChanges = (typeof ofChanges)[number];
type OfAccess = (typeof ofPermissions)[number];

type Status<C extends FaultCodeName> = (typeof faultCodes)[C]["http"];

interface Answers<Success, C extends FaultCodeName> {
  readonly access: SessionAccess;
  /** Error codes in addition to those of every such operation. */
  readonly faults?: readonly C[];
  /** Schemas of the success responses, by status. */
  readonly success: Success;
  readonly documents?: SessionRoute["documents"];
}

/** Access and responses of a route that only reads. */
export function reading<const Success extends object, const C extends FaultCodeName = never>(
  answers: Answers<Success, C>,
) {
  return promised<Success, C | Always | OfAccess>(answers, always);
}

/** Access and responses of a route that changes data. */
export function changing<const Success extends object, const C extends FaultCodeName = never>(
  answers: Answers<Success, C>,
) {
  return promised<Success, C | Always | OfChanges | OfAccess>(answers, [...always, ...ofChanges]);
}

function promised<Success extends object, C extends FaultCodeName>(
  { access, faults = [], success, documents }: Answers<Success, FaultCodeName>,
  common: readonly FaultCodeName[],
) {
  const ofAccess = faultsOfAccess(access);
  const all = [...new Set([...common, ...ofAccess, ...faults])];
  const problems = Object.fromEntries(all.map((code) => [faultCodes[code].http, problem]));
  return {
    metadata: { access, faults: all, documents } satisfies SessionRoute,
    responses: { ...success, ...problems } as Success & { readonly [S in Status<C>]: typeof problem },
    strictStatusCodes: true,
  } as const;
}

function faultsOfAccess(access: SessionAccess): readonly FaultCodeName[] {
  switch (access) {
    case "anyone":
      return [];
    case "half_signed_in":
      return ofSessions;
    case "before_second_factor":
      return [...ofSessions, "auth.password_change_required"];
    case "before_password_change":
      return [...ofSessions, "auth.second_factor_required"];
    case "signed_in":
      return ofCompleteSessions;
    default:
      return ofPermissions;
  }
}

/** @throws Error for a route without access metadata, so that no route is public by mistake */
export function sessionRouteOf({ path, metadata }: Pick<AppRoute, "path" | "metadata">): SessionRoute {
  const { access, faults, documents } = (metadata ?? {}) as Partial<SessionRoute>;
  if (access && faults) return { access, faults, documents };
  throw new Error(`contracts: ${path} has no access metadata`);
}
