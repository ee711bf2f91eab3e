import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import type { Request } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { LIMIT_MAX, readLimit, readMoment } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, span } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod requests` */
export function requests(program: Command, surroundings: Surroundings): void {
  const group = program.command("requests").description("The requests that were made with keys.");
  requestList(group, surroundings);
}

interface ListOptions {
  readonly key?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: string;
  readonly code?: string;
  readonly trace?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["TIME", "KEY", "FROM", "REQUEST", "ANSWER", "BYTES", "TOOK", "TRACE"];

/** `hermod requests list`: newest first. */
function requestList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List requests that were made with an account's keys, newest first.")
    .option("--key <id>", "only requests with this key")
    .option("--method <method>", "only this method")
    .option("--route <path>", "only this operation, as /v1/email/send")
    .option("--status <status>", "one status, as 422, or a class, as 4xx")
    .option("--code <code>", "only answers with this error, as rate.limited")
    .option("--trace <id>", "only the request with this trace id")
    .option("--from <moment>", "from then on, as 2030-01-02T09:00:00Z", readMoment)
    .option("--until <moment>", "before then", readMoment)
    .option("--limit <count>", `how many at most, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
  coreCommand<ListOptions>(surroundings, command, async ({ core, account, paint }, options) => {
    const { limit, cursor = "", from, until } = options;
    const { key: keyId = "", method = "", route = "", status = "", code = "", trace: traceId = "" } = options;
    const filter = {
      keyId,
      method,
      route,
      status,
      code,
      traceId,
      ...(from && { from: timestampFromDate(from) }),
      ...(until && { until: timestampFromDate(until) }),
    };
    const asked = { accountId: account, filter, pageSize: limit, pageToken: cursor };
    const found = await core.requests.listRequests(asked);
    const nothing = found.nextPageToken === "" ? "There are no such requests." : "None so far.";
    return {
      json: listJson(found.requests.map(requestJson), found.nextPageToken),
      text: () => table(paint, heading, found.requests.map(rowOf), nothing),
      ...(found.nextPageToken !== "" && { note: `There may be more: --cursor ${found.nextPageToken}` }),
    };
  });
}

function rowOf(request: Request): string[] {
  const { at, keyId, clientAddress, method, route, status, code, bodyBytes, durationMs, traceId } = request;
  const { count, replayed } = request;
  if (route === "")
    return [plainTime(at), "-", "-", `${count} requests that came too fast`, "-", "-", "-", "-"];
  const times = count > 1 ? ` (${count} times)` : "";
  return [
    plainTime(at),
    printable(keyId),
    printable(clientAddress) || "-",
    printable(`${method} ${route}`),
    `${status}${code === "" ? "" : ` ${printable(code)}`}${replayed ? " (replayed)" : ""}${times}`,
    String(bodyBytes),
    span(durationMs),
    printable(traceId),
  ];
}

function requestJson(request: Request) {
  return {
    id: request.id,
    account_id: request.accountId,
    at: isoTime(request.at),
    key_id: request.keyId,
    method: request.method,
    route: request.route,
    status: request.status,
    code: request.code,
    trace_id: request.traceId,
    message_id: request.messageId,
    duration_ms: request.durationMs,
    client_address: request.clientAddress,
    body_bytes: request.bodyBytes,
    replayed: request.replayed,
    count: request.count,
  };
}
