import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { ResourceUser } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { AreaClients, CoreClient } from "../../rpc/client.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { parseMoment } from "../../shared/parse-moment.ts";
import {
  type CookieRequest,
  type CookieSink,
  createSessionCookie,
  type SessionCookie,
} from "./session-cookie.ts";

/** Dependencies of the areas of the dashboard API. */
export interface DashboardParts {
  readonly core: Pick<CoreClient, "onBehalfOf">;
  readonly cookie: SessionCookie;
  /** Cookie that binds the response of a provider to the browser of the request. */
  readonly oidcCookie: SessionCookie;
  readonly clock: Clock;
  /** Largest bodies of requests at this edge. */
  readonly bodyLimits: { readonly keyBytes: number; readonly sessionBytes: number };
}

type ClientRequest = CookieRequest & Pick<FastifyRequest, "ip" | "headers" | "url">;

/** Data of a call for its handler. */
export interface DashboardCall {
  readonly request: ClientRequest;
  readonly reply: CookieSink;
}

/**
 * The core, called for the client of a request.
 * @param token that of the session, where it is not the cookie's any more
 */
export type CoreFor = (request: ClientRequest, token?: string) => AreaClients;

export function createCoreFor({ core, cookie }: Pick<DashboardParts, "core" | "cookie">): CoreFor {
  return (request, token = cookie.read(request)) =>
    core.onBehalfOf({
      session: token,
      clientAddress: request.ip,
      clientAgent: request.headers["user-agent"] ?? "",
    });
}

/**
 * Lets requests with a complete session pass, for what a session may read and no area of the contract has.
 * @throws Fault auth.session_missing, auth.session_invalid, auth.second_factor_required, auth.password_change_required
 */
export function createRequireSession(core: DashboardParts["core"], baseUrl: string | undefined) {
  const cookie = createSessionCookie(baseUrl);
  const coreFor = createCoreFor({ core, cookie });
  return async (request: FastifyRequest): Promise<void> => {
    if (cookie.read(request) === "") throw fault("auth.session_missing");
    await coreFor(request).sessions.checkSession({});
  };
}

/**
 * The body of an answer, from a message of the core: both have the same fields. Moments are RFC 3339; what a message does
 * not have is left out.
 * @typeParam Body what the contract promises
 */
export function bodyOf<Body>(schema: DescMessage, message: MessageShape<DescMessage> | undefined): Body {
  if (message === undefined) throw new Error(`the core answered without ${schema.typeName}`);
  return toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true }) as Body;
}

/**
 * A message to the core, from the body of a request that has the same fields.
 * @param pointer a JSON pointer to it
 * @throws Fault request.validation_failed
 */
export function messageOf<Desc extends DescMessage>(
  schema: Desc,
  body: unknown,
  pointer = "",
): MessageShape<Desc> {
  try {
    return fromJson(schema, body as JsonValue);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const message = say("no_message_of_core", { detail });
    throw validationFault([{ pointer, code: "field.invalid", message }]);
  }
}

/** Which page of a list the core is asked for. */
export function pageRequest({
  limit = 0,
  cursor = "",
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) {
  return { pageSize: limit, pageToken: cursor };
}

/** A page of a list, as the dashboard shows it. */
export function pageBody<Entry>(data: Entry[], nextPageToken: string) {
  return {
    data,
    has_more: nextPageToken !== "",
    ...(nextPageToken !== "" && { next_cursor: nextPageToken }),
  };
}

/**
 * Reads a moment of a body; undefined: it has none.
 * @throws Fault request.validation_failed
 */
export function momentOf(text: string | undefined, pointer: string): Date | undefined {
  if (text === undefined) return undefined;
  const at = parseMoment(text);
  if (at) return at;
  const message = say("moment_rfc_3339_offset_2030_01");
  throw validationFault([{ pointer, code: "field.invalid", message }]);
}

/**
 * Time range of a query, as requests to the core have it.
 * @throws Fault request.validation_failed
 */
export function spanOf(query: { readonly from?: string | undefined; readonly until?: string | undefined }) {
  const from = momentOf(query.from, "/from");
  const until = momentOf(query.until, "/until");
  return {
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}

/** Names of list queries that differ from those of the core, and of repeated parameters. */
const pageNames: Readonly<Record<string, string>> = { page_token: "cursor", page_size: "limit" };
const filterNames: Readonly<Record<string, string>> = {
  tags: "tag",
  states: "state",
  severities: "severity",
  outcomes: "outcome",
};

/**
 * A fault of the core in the words of the HTTP API: what a request asked for is named as there.
 * @param isQuery a filter is not within the query: it is the query
 * @param namesOfFilter parameters that the core's filter calls otherwise (those of the dashboard)
 */
export function inRequestNames(failed: Fault, isQuery: boolean, namesOfFilter = filterNames): Fault {
  const nameOf = (pointer: string) => {
    const [, top = "", ...rest] = pointer.split("/");
    if (top !== "filter" || rest.length === 0) return pageNames[top] ? `/${pageNames[top]}` : pointer;
    const [field = "", ...deeper] = rest;
    return [isQuery ? "" : "/filter", namesOfFilter[field] ?? field, ...deeper].join("/");
  };
  if (failed.errors.every(({ pointer }) => nameOf(pointer) === pointer)) return failed;
  return validationFault(
    failed.errors.map((error) => {
      const pointer = nameOf(error.pointer);
      if (error.params?.reason !== "page_token") return { ...error, pointer };
      return { pointer, code: error.code, message: say("list_cursor") };
    }),
  );
}

/** Answer of the core to a removal, with the resources that stopped working. */
interface Removed {
  readonly use?: { readonly users: readonly ResourceUser[]; readonly count: number } | undefined;
}

/** Fields of an answer that name the resources which a forced removal has stopped; none: nothing used it. */
export function bodyOfUse({ use }: Removed) {
  if (!use) return undefined;
  return { used_by: use.users.map(({ kind, id, name }) => ({ kind, id, name })), used_by_count: use.count };
}

/** Answers a removal: 200 with the resources that it has stopped, 204 where nothing used the removed one. */
export function removedAnswer(removed: Removed) {
  const body = bodyOfUse(removed);
  return body ? ({ status: 200, body } as const) : ({ status: 204, body: undefined } as const);
}

/** Whether the query of a removal forces it. */
export const isForced = ({ force }: { readonly force?: "true" | "false" | undefined }) => force === "true";
