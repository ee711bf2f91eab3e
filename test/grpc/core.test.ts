import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { create, createFileRegistry, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { status } from "@grpc/grpc-js";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import type { EmailSchema } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { connectCoreClient } from "../../src/rpc/client.ts";
import { Fault } from "../../src/shared/fault.ts";
import { capturedSource, email, post, storedMessages } from "../harness/http.ts";
import { type Certificates, makeCertificates } from "../harness/make-certificates.ts";
import { callRaw, detailsOf, errorOf, type RawCaller, reflect } from "../harness/raw-grpc.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";

type EmailInit = MessageInitShape<typeof EmailSchema>;

const TRACE_ID = /^sx_[0-9a-z]{26}$/;

/** A submission in both of its forms. */
interface Submission {
  readonly json: Record<string, unknown>;
  readonly proto: EmailInit;
  /** undefined: the account key of the first run. */
  readonly apiKey?: string;
  readonly idempotencyKey?: string;
}

const mail: EmailInit = {
  from: "hello@example.com",
  to: ["ada@example.org"],
  subject: "Hello",
  text: "Hello, Ada.",
};
const without = (name: keyof EmailInit): EmailInit => {
  const { [name]: _, ...rest } = mail as Record<string, unknown>;
  return rest as EmailInit;
};
const same = (changes: {
  to?: string[];
  subject?: string;
  text?: string;
  from?: string;
  tags?: string[];
}) => ({
  json: email(changes),
  proto: { ...mail, ...changes },
});

const refusals: [name: string, submission: Submission, code: FaultCodeName][] = [
  ["no sender", { json: email({ from: undefined }), proto: without("from") }, "request.validation_failed"],
  [
    "no subject",
    { json: email({ subject: undefined }), proto: without("subject") },
    "request.validation_failed",
  ],
  ["no body", { json: email({ text: undefined }), proto: without("text") }, "request.validation_failed"],
  ["no recipient", same({ to: [] }), "request.validation_failed"],
  ["a recipient that is none", same({ to: ["ada@example.org", "nobody"] }), "request.validation_failed"],
  ["a line break in the subject", same({ subject: "a\r\nBcc: x@example.org" }), "request.validation_failed"],
  ["several faults", same({ to: ["b@"], subject: "x".repeat(999), tags: [""] }), "request.validation_failed"],
  [
    "a header that Hermod writes",
    {
      json: email({ headers: { "Content-Type": "text/html" } }),
      proto: { ...mail, headers: [{ name: "Content-Type", value: "text/html" }] },
    },
    "request.validation_failed",
  ],
  [
    "a past send_at",
    {
      json: email({ send_at: "2020-01-02T09:00:00Z" }),
      proto: { ...mail, sendAt: { seconds: BigInt(Date.parse("2020-01-02T09:00:00Z") / 1000) } },
    },
    "request.validation_failed",
  ],
  [
    "an unknown policy",
    { json: email({ routing_policy: "nope" }), proto: { ...mail, routingPolicy: "nope" } },
    "policy.unknown",
  ],
  [
    "an unknown template",
    {
      json: { to: "ada@example.org", template: "nope" },
      proto: { to: ["ada@example.org"], template: "nope" },
    },
    "template.unknown",
  ],
  ["an unverified sender", same({ from: "someone@example.net" }), "sender.unverified"],
  ["no such key", { ...same({}), apiKey: `hm_live_${"x".repeat(49)}` }, "auth.key_invalid"],
  ["a malformed idempotency key", { ...same({}), idempotencyKey: "two words" }, "request.malformed_header"],
  [
    "an idempotency key used with another body",
    { ...same({ subject: "Another" }), idempotencyKey: "taken" },
    "idempotency.key_reused",
  ],
];

describe("a service that calls the core directly", () => {
  let hermod: Hermod;
  let raw: RawCaller;

  beforeAll(async () => {
    hermod = await startHermod();
    raw = callRaw(hermod.firstRun.grpc);
    await post(hermod, email(), { headers: { "idempotency-key": "taken" } });
  });
  afterAll(async () => {
    raw.close();
    await hermod.dispose();
  });

  const request = ({ proto, apiKey, idempotencyKey }: Omit<Submission, "json">) => ({
    apiKey: apiKey ?? hermod.firstRun.api_key,
    email: proto,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

  it("sends a message that is delivered like one sent over HTTP", async () => {
    const sent = await raw.sendEmail({ ...request({ proto: mail }), traceId: "" });
    expect(sent).toMatchObject({ status: "queued", recipient: "ada@example.org", replayed: false });
    expect(sent.traceId).toMatch(TRACE_ID);
    const source = await eventually(() => capturedSource(hermod, sent.messageId));
    expect((await simpleParser(source)).text?.trimEnd()).toBe("Hello, Ada.");
  });

  describe("is subject to the rules of the HTTP API, with the same faults", () => {
    it.each(refusals)("%s", async (_name, submission, code) => {
      const before = await storedMessages(hermod);
      const { problem } = await post(hermod, submission.json, {
        key: submission.apiKey ?? hermod.firstRun.api_key,
        headers:
          submission.idempotencyKey === undefined ? {} : { "idempotency-key": submission.idempotencyKey },
      });
      expect(problem.code).toBe(code);

      // Hermod's own client: the fault itself.
      const fault = await hermod.core.sendEmail(request(submission)).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(Fault);
      expect(fault).toMatchObject({ code, public: problem.detail, errors: problem.errors });

      // Any other client: a status with google.rpc details.
      const error = await errorOf(raw.sendEmail(request(submission)));
      expect(status[error.code]).toBe(faultCodes[code].grpc);
      expect(error.details).toBe(problem.detail);
      const { status: rich, errorInfo, requestInfo, badRequest } = detailsOf(error);
      expect([rich.code, rich.message]).toEqual([error.code, error.details]);
      expect(errorInfo).toMatchObject({ reason: code, domain: "hermod" });
      expect(requestInfo?.requestId).toMatch(TRACE_ID);
      const { params, fieldParams = "[]" } = errorInfo?.metadata ?? {};
      const paramsOf = JSON.parse(fieldParams) as readonly (object | null)[];
      const violations = (badRequest?.fieldViolations ?? []).map((violation, index) => ({
        pointer: violation.field,
        code: violation.reason,
        message: violation.description,
        ...(paramsOf[index] && { params: paramsOf[index] }),
      }));
      // The fault of a single field has that field's params.
      expect(params === undefined ? paramsOf[0] : JSON.parse(params)).toEqual(problem.params);
      expect(violations).toEqual(problem.errors);
      expect(await storedMessages(hermod)).toBe(before);
    });
  });

  it("shares idempotency keys with the HTTP API", async () => {
    const headers = { "idempotency-key": "both-ways" };
    const { accepted } = await post(hermod, email(), { headers });
    const again = await raw.sendEmail(request({ proto: mail, idempotencyKey: "both-ways" }));
    expect(again).toMatchObject({
      messageId: accepted.message_id,
      traceId: accepted.sx_trace_id,
      replayed: true,
    });
  });

  it("keeps the trace id of a submission, in the answer and in a refusal", async () => {
    const traceId = `sx_${"0".repeat(25)}1`;
    expect((await raw.sendEmail({ ...request({ proto: mail }), traceId })).traceId).toBe(traceId);
    const error = await errorOf(raw.sendEmail({ ...request({ proto: without("to") }), traceId }));
    expect(detailsOf(error).requestInfo?.requestId).toBe(traceId);
  });

  it("gets each outcome of a batch in the order of its requests", async () => {
    const before = await storedMessages(hermod);
    const { results } = await raw.sendEmailBatch({
      requests: [
        request({ proto: { ...mail, subject: "First of a batch" } }),
        request({ proto: { ...mail, to: ["nobody"] } }),
        request({ proto: mail, apiKey: "nonsense" }),
        request({ proto: { ...mail, subject: "Last of a batch" }, idempotencyKey: "in-a-batch" }),
      ],
    });
    expect(results.map(({ outcome }) => outcome.case)).toEqual(["response", "error", "error", "response"]);
    const codes = results.flatMap(({ outcome }) =>
      outcome.case === "error" ? detailsOf(outcome.value).errorInfo?.reason : [],
    );
    expect(codes).toEqual(["request.validation_failed", "auth.key_invalid"]);
    const ids = results.flatMap(({ outcome }) =>
      outcome.case === "response" ? outcome.value.messageId : [],
    );
    expect(await storedMessages(hermod)).toBe(before + 2);
    const subjects = await Promise.all(
      ids.map(async (id) => (await hermod.core.messages.getMessage({ id })).message?.subject),
    );
    expect(subjects).toEqual(["First of a batch", "Last of a batch"]);
  });

  it("stores a submission once that occurs twice in a batch with one idempotency key", async () => {
    const before = await storedMessages(hermod);
    const twice = request({ proto: mail, idempotencyKey: "twice-in-a-batch" });
    const { results } = await raw.sendEmailBatch({ requests: [twice, twice] });
    const codes = results.map(({ outcome }) =>
      outcome.case === "error" ? detailsOf(outcome.value).errorInfo?.reason : outcome.case,
    );
    expect(codes).toEqual(["response", "idempotency.in_flight"]);
    const { outcome } = results[1] ?? {};
    if (outcome?.case !== "error") throw new Error("The second one was not refused.");
    expect(outcome.value.code).toBe(status.ABORTED);
    expect(detailsOf(outcome.value).retryInfo?.retryDelay?.seconds).toBe(1n);
    expect(await storedMessages(hermod)).toBe(before + 1);
  });

  const withAttachment = (megabytes: number) => {
    const content = Buffer.alloc(megabytes * 1024 * 1024, "0123456789abcdef");
    const attachment = { filename: "large.bin", content, contentType: "application/octet-stream" };
    return { content, request: request({ proto: { ...mail, attachments: [attachment] } }) };
  };

  async function expectCarried(megabytes: number): Promise<void> {
    const large = withAttachment(megabytes);
    const accepted = await raw.sendEmail(large.request);
    const source = await eventually(async () => {
      const { message } = await hermod.core.messages.getMessage({ id: accepted.messageId });
      expect(message?.state).not.toBe("deferred");
      return capturedSource(hermod, accepted.messageId);
    });
    const [attachment] = (await simpleParser(source)).attachments;
    expect(attachment?.content.equals(large.content)).toBe(true);
  }

  it("sends an attachment of 11 MB in one call, more than twice gRPC's usual limit", () => expectCarried(11));

  // More than 16 MB with its encoding, which does not fit into one document.
  it("sends an attachment of 13 MB", () => expectCarried(13));

  // More than the 17 MB that the serializer reserves.
  it("sends an attachment of 18 MB, which results in a message of 25 MB", () => expectCarried(18));

  it("refuses an attachment of 20 MB because its message would exceed 25 MB when encoded", async () => {
    const error = await errorOf(raw.sendEmail(withAttachment(20).request));
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(detailsOf(error).errorInfo?.reason).toBe("message.too_large");
  });

  it.each([
    ["no token", null],
    ["a wrong token", "wrong"],
    ["an empty token", ""],
  ])("is refused with %s, for any call", async (_name, token) => {
    const stranger = callRaw({ address: hermod.firstRun.grpc.address, token });
    try {
      const error = await errorOf(stranger.sendEmail(request({ proto: mail })));
      expect(error.code).toBe(status.UNAUTHENTICATED);
      expect(detailsOf(error).errorInfo?.reason).toBe("auth.caller_invalid");
    } finally {
      stranger.close();
    }
  });

  it("receives a fault from Hermod's client when its deadline is too short", async () => {
    const { address } = hermod.firstRun.grpc;
    const hurried = callRaw({ ...hermod.firstRun.grpc, deadlineMs: 0 });
    const client = connectCoreClient({ ...hermod.firstRun.grpc, address, deadlineMs: 0 });
    try {
      expect((await errorOf(hurried.sendEmail(request({ proto: mail })))).code).toBe(
        status.DEADLINE_EXCEEDED,
      );
      // Nothing was sent: the deadline was too short to connect.
      await expect(client.messages.listMessages({})).rejects.toMatchObject({ code: "core.unavailable" });
    } finally {
      hurried.close();
      client.close();
    }
  });

  it("finds the core SERVING by the standard health check", async () => {
    expect(await hermod.core.ready()).toBe(true);
  });

  it("lists the services by reflection", async () => {
    const { list_services_response: listed } = await reflect(hermod.firstRun.grpc.address, {
      list_services: "",
    });
    expect(listed?.service.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "hermod.access.v1.KeyService",
        "hermod.email.v1.EmailService",
        "hermod.message.v1.MessageService",
        "hermod.policy.v1.PolicyService",
        "hermod.sandbox.v1.SandboxService",
        "hermod.sender.v1.SenderService",
        "hermod.template.v1.TemplateService",
        "hermod.unsubscribe.v1.UnsubscribeService",
      ]),
    );
  });

  // Without the files that its own file imports, grpcurl cannot resolve google.protobuf.Struct, and sends no call.
  it("describes a service by reflection with every type that its methods need", async () => {
    const described = await reflect(hermod.firstRun.grpc.address, {
      file_containing_symbol: "hermod.email.v1.EmailService",
    });
    const encoded = described.file_descriptor_response?.file_descriptor_proto ?? [];
    const files = encoded.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
    // The registry requires a file after those that it imports.
    const ordered = new Set<(typeof files)[number]>();
    const add = (file: (typeof files)[number]) => {
      for (const name of file.dependency) {
        const imported = files.find((one) => one.name === name);
        if (imported && !ordered.has(imported)) add(imported);
      }
      ordered.add(file);
    };
    for (const file of files) add(file);
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...ordered] }));
    const service = registry.getService("hermod.email.v1.EmailService");
    expect(service?.methods.map(({ name }) => name)).toContain("SendEmailBatch");
  });
});

describe("rate limits", () => {
  it("reach a direct caller as RESOURCE_EXHAUSTED with RetryInfo and QuotaFailure", async () => {
    const hermod = await startHermod({ settings: { HERMOD_RATE_LIMIT_KEY: "2" } });
    const raw = callRaw(hermod.firstRun.grpc);
    const request = { apiKey: hermod.firstRun.api_key, email: mail };
    try {
      const { results } = await raw.sendEmailBatch({ requests: [request, request, request] });
      const limited = results.flatMap(({ outcome }) => (outcome.case === "error" ? outcome.value : []));
      expect(limited.map(({ code }) => code)).toEqual([status.RESOURCE_EXHAUSTED]);
      for (const error of limited) {
        const { errorInfo, retryInfo, quotaFailure } = detailsOf(error);
        expect(errorInfo?.reason).toBe("rate.limited");
        expect(retryInfo?.retryDelay?.seconds).toBe(1n);
        expect(quotaFailure?.violations).toMatchObject([{ subject: "key", description: "2 per 1 s" }]);
      }
    } finally {
      raw.close();
      await hermod.dispose();
    }
  });
});

describe("mutual TLS", () => {
  let folder: string;
  let files: Certificates;
  let hermod: Hermod;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hermod-tls-"));
    files = await makeCertificates(folder);
    hermod = await startHermod({
      settings: {
        HERMOD_GRPC_TLS_CERT: files.server.cert,
        HERMOD_GRPC_TLS_KEY: files.server.key,
        HERMOD_GRPC_TLS_CLIENT_CA: files.ca,
        HERMOD_GRPC_TLS_CA: files.ca,
        HERMOD_GRPC_TLS_CLIENT_CERT: files.client.cert,
        HERMOD_GRPC_TLS_CLIENT_KEY: files.client.key,
      },
    });
  });
  afterAll(async () => {
    await hermod.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it("carries the calls of the edge, from acceptance to the sandbox", async () => {
    const { status: answered, accepted } = await post(hermod, email());
    expect(answered).toBe(202);
    expect(await untilAllCaptured(hermod)).toMatchObject([{ id: accepted.message_id }]);
    expect(await eventually(() => capturedSource(hermod, accepted.message_id))).toBeDefined();
  });

  const callers: [name: string, tls: () => Parameters<typeof connectCoreClient>[0]["tls"]][] = [
    ["without a certificate", () => ({ ca: files.ca })],
    ["with a certificate of another authority", () => ({ ca: files.ca, ...files.stranger })],
    ["in plain text", () => undefined],
    ["that does not know the core's authority", () => ({ ca: files.stranger.cert, ...files.client })],
  ];

  it.each(callers)("refuses a caller %s, even one with the token", async (_name, tls) => {
    const client = connectCoreClient({ ...hermod.firstRun.grpc, deadlineMs: 5_000, tls: tls() });
    try {
      await expect(client.messages.listMessages({})).rejects.toMatchObject({ code: "core.unavailable" });
      expect(await client.ready()).toBe(false);
    } finally {
      client.close();
    }
  });
});
