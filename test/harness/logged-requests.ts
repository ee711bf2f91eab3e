import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import type {
  AnsweredRequestsSchema,
  RequestSchema,
} from "../../gen/hermod/request/v1/request_service_pb.ts";

export type RequestInit = Exclude<MessageInitShape<typeof RequestSchema>, Message>;

/** A single request, in the form in which a front end passes it. */
export function answered(
  request: RequestInit,
): Exclude<MessageInitShape<typeof AnsweredRequestsSchema>, Message> {
  const { traceId = "", messageId = "", clientAddress = "", durationMs = 0, bodyBytes = 0 } = request;
  const { accountId = "", keyId = "", method = "", route = "", status = 0, code = "" } = request;
  return {
    accountId,
    keyId,
    method,
    route,
    status,
    code,
    ...(request.at && { at: request.at }),
    traceIds: [traceId],
    messageIds: [messageId],
    clientAddresses: [clientAddress],
    durationsMs: [durationMs],
    bodyBytes: [bodyBytes],
    replayed: [request.replayed ?? false],
    lastCount: request.count ?? 0,
  };
}
