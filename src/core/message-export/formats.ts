import { create, toJsonString } from "@bufbuild/protobuf";
import { MessageSchema } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { csvLine } from "../../shared/csv-line.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { LastReply } from "../../store/last-replies.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import { shownReply, toMessage } from "../to-proto.ts";

/** Format of messages in a file. */
export interface Format {
  /** First line with its line break; empty: there is none. */
  readonly heading: string;
  /** With its line break. */
  readonly lineOf: (message: MessageDocument, lastReply: LastReply | undefined) => string;
}

/** Columns of a CSV export with their values; times are UTC. */
const columns: Readonly<Record<string, (message: MessageDocument, lastReply: LastReply) => string>> = {
  id: ({ _id }) => _id,
  trace_id: ({ traceId }) => traceId,
  state: ({ state }) => state,
  category: ({ category = "" }) => category,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  updated_at: ({ updatedAt }) => updatedAt.toISOString(),
  send_at: ({ sendAt }) => sendAt?.toISOString() ?? "",
  next_attempt_at: ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? "",
  from: ({ from }) => from,
  recipient: ({ recipient }) => recipient,
  subject: ({ subject }) => subject,
  routing_policy: ({ policy }) => policy,
  attempts: ({ attempts }) => String(attempts),
  key_id: ({ keyId }) => keyId,
  source: ({ source = "" }) => source,
  template: ({ template }) => template?.name ?? "",
  template_version: ({ template }) => (template ? String(template.version) : ""),
  tags: ({ tags }) => (tags.length === 0 ? "" : JSON.stringify(tags)),
  metadata: ({ metadata }) => (Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata)),
  header_message_id: ({ headerMessageId }) => headerMessageId,
  size_bytes: ({ sizeBytes }) => String(sizeBytes),
  resent_from: ({ resentFrom = "" }) => resentFrom,
  last_reply_code: (_, { replyCode = 0 }) => (replyCode === 0 ? "" : String(replyCode)),
  last_reply_enhanced_status_code: (_, { enhancedStatusCode = "" }) => enhancedStatusCode,
  last_reply_text: (_, { detail = "" }) => shownReply(detail),
  incident_id: ({ incidentId = "" }) => incidentId,
};

const asJson = { useProtoFieldName: true, alwaysEmitImplicit: true };

const formats: Readonly<Record<string, Format>> = {
  csv: {
    heading: csvLine(Object.keys(columns)),
    lineOf: (message, lastReply = {}) =>
      csvLine(Object.values(columns).map((cell) => cell(message, lastReply))),
  },
  // Messages in the form of the dashboard's API.
  ndjson: {
    heading: "",
    lineOf: (message, lastReply) =>
      `${toJsonString(MessageSchema, create(MessageSchema, toMessage(message, lastReply)), asJson)}\n`,
  },
};

/** @throws Fault request.validation_failed */
export function readFormat(given: string): Format {
  const name = given || "csv";
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format) return format;
  const message = say("none_of", { given, allowed: Object.keys(formats) });
  throw validationFault([{ pointer: "/format", code: "field.invalid", message }]);
}
