import { type Request, RequestSchema } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { TIME_RANGE, type TimeRange, timesOf } from "./input/time-range.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable, span } from "./output/text.ts";

/** `hermod requests` */
export const requests = commandGroup("requests", "Log of the requests made with keys.", () => [requestList]);

interface ListOptions extends TimeRange {
  readonly key?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: string;
  readonly code?: string;
  readonly trace?: string;
}

/** `hermod requests list`: newest first. */
const requestList = listCommand({
  description: "List the requests made with the keys of an account, newest first.",
  options: [
    ["--key <id>", "only requests with the key with this id"],
    ["--method <method>", "only requests with this method"],
    ["--route <path>", "only requests of this route, for example /v1/email/send"],
    ["--status <status>", "only responses with this status, for example 422, or class, for example 4xx"],
    ["--code <code>", "only responses with this error code, for example rate.limited"],
    ["--trace <id>", "only the request with this trace id"],
    ...TIME_RANGE,
  ],
  limit: 50,
  call: ({ core, account, page }, options: ListOptions) => {
    const { key: keyId = "", method = "", route = "", status = "", code = "" } = options;
    const { trace: traceId = "" } = options;
    const filter = { keyId, method, route, status, code, traceId, ...timesOf(options) };
    return core.requests.listRequests({ accountId: account, filter, ...page });
  },
  of: "requests",
  schema: RequestSchema,
  columns: [
    ["TIME", ({ at }) => plainTime(at)],
    ["KEY", ({ keyId }) => printable(keyId) || "-"],
    ["FROM", ({ clientAddress }) => printable(clientAddress) || "-"],
    ["REQUEST", requestText],
    ["ANSWER", answerText],
    ["BYTES", (request) => (isRefused(request) ? "-" : request.bodyBytes)],
    ["TOOK", (request) => (isRefused(request) ? "-" : span(request.durationMs))],
    ["TRACE", ({ traceId }) => printable(traceId) || "-"],
  ],
  none: "No requests match.",
});

/** True for an entry that counts requests over the rate limit, which Hermod does not read. */
const isRefused = ({ route }: Request) => route === "";

function requestText(request: Request): string {
  const { method, route, count } = request;
  return isRefused(request) ? `${count} requests over the rate limit` : printable(`${method} ${route}`);
}

function answerText(request: Request): string {
  if (isRefused(request)) return "-";
  const { status, code, replayed, count } = request;
  const times = count > 1 ? ` (${count} times)` : "";
  return `${status}${code === "" ? "" : ` ${printable(code)}`}${replayed ? " (replayed)" : ""}${times}`;
}
