import { type Request, RequestSchema } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { TIME_RANGE, type TimeRange, timesOf } from "./input/time-range.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable, span } from "./output/text.ts";

/** `hermod requests` */
export const requests = commandGroup("requests", "The requests that were made with keys.", () => [
  requestList,
]);

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
  description: "List requests that were made with an account's keys, newest first.",
  options: [
    ["--key <id>", "only requests with this key"],
    ["--method <method>", "only this method"],
    ["--route <path>", "only this operation, as /v1/email/send"],
    ["--status <status>", "one status, as 422, or a class, as 4xx"],
    ["--code <code>", "only answers with this error, as rate.limited"],
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
  none: "There are no such requests.",
});

/** The entry counts requests that came too fast, which were not read. */
const isRefused = ({ route }: Request) => route === "";

function requestText(request: Request): string {
  const { method, route, count } = request;
  return isRefused(request) ? `${count} requests that came too fast` : printable(`${method} ${route}`);
}

function answerText(request: Request): string {
  if (isRefused(request)) return "-";
  const { status, code, replayed, count } = request;
  const times = count > 1 ? ` (${count} times)` : "";
  return `${status}${code === "" ? "" : ` ${printable(code)}`}${replayed ? " (replayed)" : ""}${times}`;
}
