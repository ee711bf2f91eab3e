import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";

const PROTO_NAMES = { useProtoFieldName: true, alwaysEmitImplicit: true } as const;

/** A message in the form of a file for `put`: protobuf JSON with the names of the proto file, without unset fields. */
export function fileJson<D extends DescMessage>(schema: D, message: MessageShape<D>): JsonObject {
  return toJson(schema, message, PROTO_NAMES) as JsonObject;
}

/**
 * A message of the core in the form of `--json`: protobuf JSON with the names of the proto file and every field of the message.
 * An unset field is null, a time has milliseconds, and a 64-bit count is a number. `documented` has the few other forms.
 */
export function messageJson<D extends DescMessage>(
  schema: D,
  message: MessageShape<D> | undefined,
): JsonObject | null {
  return message === undefined ? null : complete(schema, fileJson(schema, message));
}

/** The shape of every list, the same as in the HTTP API. */
export function listJson<T>(data: readonly T[], nextCursor = "") {
  return { data, has_more: nextCursor !== "", next_cursor: nextCursor === "" ? null : nextCursor };
}

function complete(schema: DescMessage, given: JsonObject): JsonObject {
  const json: JsonObject = {};
  for (const field of schema.fields) {
    const value = given[field.name];
    if (value !== undefined) json[field.name] = fieldJson(field, value);
    // A oneof has only its set field, and null is a value of google.protobuf.Value.
    else if (!field.oneof && field.message?.typeName !== "google.protobuf.Value") json[field.name] = null;
  }
  for (const name of nullWhenEmpty[schema.typeName] ?? []) json[name] ||= null;
  return documented[schema.typeName]?.(json) ?? json;
}

function fieldJson(field: DescField, value: JsonValue): JsonValue {
  const { message, scalar } = field;
  const elementJson = (element: JsonValue): JsonValue => {
    if (message?.typeName === "google.protobuf.Timestamp") return new Date(String(element)).toISOString();
    if (message && !message.typeName.startsWith("google.protobuf."))
      return complete(message, element as JsonObject);
    return scalar === ScalarType.UINT64 || scalar === ScalarType.INT64 ? Number(element) : element;
  };
  if (Array.isArray(value)) return field.fieldKind === "list" ? value.map(elementJson) : value;
  if (field.fieldKind !== "map") return elementJson(value);
  const entries = Object.entries(value as JsonObject).map(([key, one]) => [key, elementJson(one)]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Fields with an empty text or 0 for "none": documented as null. */
const nullWhenEmpty: Readonly<Record<string, readonly string[]>> = {
  "hermod.account.v1.Deletion": ["deleted_by"],
  "hermod.delivery.v1.Delivery": ["message_id", "end_reason", "body"],
  "hermod.delivery.v1.DeliveryAttempt": ["address", "status", "answer"],
  "hermod.domain.v1.Domain": ["verified_by", "dns_provider"],
  "hermod.domain.v1.DomainRecord": ["value", "problem", "note", "failure"],
  "hermod.domain.v1.FoundAnswer": ["server", "failure"],
  "hermod.job.v1.JobResult": ["code", "message"],
  "hermod.message.v1.Message": ["resent_from", "incident_id"],
  "hermod.message.v1.MessageEvent": [
    "via",
    "reply_code",
    "enhanced_status_code",
    "detail",
    "category",
    "next_attempt_reason",
    "duration_ms",
    "tls",
    "conversation",
    "suppression_id",
    "url",
    "machine_reason",
    "proxy",
    "user_agent",
    "client_address",
    "source_address",
  ],
  "hermod.message.v1.QuarantinedMessage": ["account_id", "trace_id", "from", "recipient", "subject"],
  "hermod.policy.v1.SettingVersion": ["restored_version"],
  "hermod.sender.v1.Sender": ["verified_by"],
  "hermod.status.v1.Migration": ["total", "process", "failure"],
  "hermod.suppression.v1.ImportedColumn": ["field"],
  "hermod.suppression.v1.ImportedRow": ["code", "field", "message"],
  "hermod.suppression.v1.Suppression": ["policy", "message_id", "detail"],
  "hermod.template.v1.StoredTemplate": ["restored_version"],
  "hermod.template.v1.TemplateVersion": ["restored_version"],
  "hermod.webhook.v1.WebhookSecret": ["public_key"],
};

type Reshape = (json: JsonObject) => JsonObject;

const withTraceName: Reshape = ({ trace_id, ...message }) => ({ ...message, sx_trace_id: trace_id ?? null });

/** Messages with a documented JSON that differs from the proto file. It has no passwords and no header values. */
const documented: Readonly<Record<string, Reshape>> = {
  "hermod.domain.v1.DomainKey": ({ record_name: name = "", record_value: value = "", ...key }) => ({
    ...key,
    dns_record: { type: "TXT", name, value },
  }),
  "hermod.job.v1.Job": ({
    started_by_kind: kind = "",
    started_by_id: id = "",
    started_by_name: name = "",
    failure_code: code = "",
    failure_message: message = "",
    ...job
  }) => ({
    ...job,
    started_by: { kind, id, name },
    failure: code === "" ? null : { code, message },
  }),
  "hermod.message.v1.Message": ({ template: name = "", template_version: version = 0, ...message }) => ({
    ...withTraceName(message),
    template: name === "" ? null : { name, version },
  }),
  "hermod.message.v1.QuarantinedMessage": withTraceName,
  // With null, `policy put` keeps the stored password.
  "hermod.policy.v1.SmtpTransport": (transport) => ({ ...transport, password: null }),
  "hermod.template.v1.StoredTemplate": ({ template, ...stored }) => ({
    ...(template as JsonObject | null),
    ...stored,
  }),
  // A variable without `fallback` is required.
  "hermod.template.v1.TemplateVariable": ({ fallback_json: fallback, ...variable }) => ({
    ...variable,
    ...(typeof fallback === "string" && { fallback: JSON.parse(fallback) as JsonValue }),
  }),
  "hermod.webhook.v1.Webhook": ({ settings, ...webhook }) => ({
    ...(settings as JsonObject | null),
    ...webhook,
  }),
  "hermod.webhook.v1.WebhookSettings": ({ headers, ...settings }) => ({
    ...settings,
    headers: (headers as JsonObject[]).map(({ name = "" }) => name),
  }),
};
