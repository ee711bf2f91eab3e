import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { KeySchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { GetAlertResponseSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import { MessageSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { TransportSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { ConditionSchema } from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import { MigrationSchema } from "../../gen/hermod/status/v1/status_service_pb.ts";
import { WebhookSchema } from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { fileJson, messageJson } from "../../src/cli/output/json.ts";

describe("JSON of a message", () => {
  it("has every field by its name in the proto file, and null for an unset one", () => {
    const json = messageJson(KeySchema, create(KeySchema, { id: "key_1", scopes: ["messages.read"] }));
    expect(Object.keys(json ?? {}).sort()).toEqual(KeySchema.fields.map(({ name }) => name).sort());
    expect(json).toMatchObject({ id: "key_1", account_id: "", unused: false, scopes: ["messages.read"] });
    expect(json).toMatchObject({ created_at: null, last_used_at: null, workspace_id: null });
  });

  it("is null for a missing message", () => {
    expect(messageJson(KeySchema, undefined)).toBeNull();
    expect(messageJson(GetAlertResponseSchema, create(GetAlertResponseSchema))).toMatchObject({
      alert: null,
      rules: [],
    });
  });

  it.each([
    [0, "2030-01-01T00:00:00.000Z"],
    [5_000_000, "2030-01-01T00:00:00.005Z"],
    [5_006_007, "2030-01-01T00:00:00.005Z"],
  ])("writes a time with milliseconds: %d ns", (nanos, text) => {
    const createdAt = { $typeName: "google.protobuf.Timestamp", seconds: 1_893_456_000n, nanos } as const;
    expect(messageJson(KeySchema, create(KeySchema, { createdAt }))).toMatchObject({ created_at: text });
  });

  it("writes a 64-bit count as a number, and an unknown total as null", () => {
    const json = messageJson(MigrationSchema, create(MigrationSchema, { done: 2n ** 40n }));
    expect(json).toMatchObject({ done: 2 ** 40, total: null });
  });

  it("has only the set field of a oneof, and no null for a missing value", () => {
    const kind = { case: "sandbox", value: {} } as const;
    expect(messageJson(TransportSchema, create(TransportSchema, { kind }))).toEqual({ sandbox: {} });
    expect(messageJson(ConditionSchema, create(ConditionSchema, { field: "source", op: "exists" }))).toEqual({
      field: "source",
      op: "exists",
    });
  });

  it("keeps the documented form of a message and of an endpoint", () => {
    const message = create(MessageSchema, { traceId: "sx_1", template: "welcome", templateVersion: 2 });
    expect(messageJson(MessageSchema, message)).toMatchObject({
      sx_trace_id: "sx_1",
      template: { name: "welcome", version: 2 },
    });
    const settings = { url: "https://a.example/", headers: [{ name: "X-Key", value: "s3cret" }] };
    const webhook = messageJson(WebhookSchema, create(WebhookSchema, { id: "wep_1", settings }));
    expect(webhook).toMatchObject({ id: "wep_1", url: "https://a.example/", headers: ["X-Key"] });
  });
});

it("a file for put has no unset fields", () => {
  expect(fileJson(ConditionSchema, create(ConditionSchema, { field: "source", op: "exists" }))).toEqual({
    field: "source",
    op: "exists",
  });
});
