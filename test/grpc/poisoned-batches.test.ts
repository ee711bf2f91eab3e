import { create, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  EmailService,
  type SendEmailBatchResponseSchema,
  SendEmailRequestSchema,
} from "../../gen/hermod/email/v1/email_service_pb.ts";
import {
  SubmissionSchema,
  SubmissionService,
  type SubmitMessageBatchResponseSchema,
} from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { createSendEmailBatch } from "../../src/core/send/emails.ts";
import { readTemplateData } from "../../src/core/send/read-email.ts";
import {
  readSendEmail,
  readSendEmailBatch,
  readSubmissionBatch,
  type UnreadSendEmail,
} from "../../src/core/send/unread.ts";
import { createSubmitMessageBatch } from "../../src/core/submissions/submit-message-batch.ts";
import { callDefinition } from "../../src/rpc/bridge.ts";
import type { CoreCalls } from "../../src/rpc/calls.ts";
import { createCoreClient } from "../../src/rpc/client.ts";
import { openRemoteCalls } from "../../src/rpc/remote.ts";
import { type CoreServer, createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { repetitions } from "../harness/repetitions.ts";
import { served } from "../harness/served.ts";

const TOKEN = "token-of-the-core";
const DEADLINE_MS = 20_000;

let server: CoreServer;
let port: number;

/** Reads the same fields as the real handlers, and answers with the distinguishing ones. */
async function sendEmail(request: UnreadSendEmail) {
  const { apiKey } = request.head();
  const email = request.email();
  readTemplateData(email);
  return { messageId: apiKey, recipient: email.subject ?? "" };
}

beforeAll(async () => {
  const log = createLogger("silent");
  server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: TOKEN },
    clock: systemClock,
    log,
  });
  const onUnexpected = () => undefined;
  server.add(
    served(
      EmailService,
      {
        sendEmail,
        sendEmailBatch: createSendEmailBatch({
          sendEmail,
          traceIdOf: ({ traceId }) => traceId,
          onUnexpected,
        }),
        listEmails: () => expect.fail("not called"),
        getEmail: () => expect.fail("not called"),
        cancelEmail: () => expect.fail("not called"),
      },
      { sendEmail: readSendEmail, sendEmailBatch: readSendEmailBatch },
    ),
  );
  server.add(
    served(
      SubmissionService,
      {
        authenticate: () => expect.fail("not called"),
        checkSender: () => expect.fail("not called"),
        findSubmission: () => expect.fail("not called"),
        submitMessage: () => expect.fail("not called"),
        submitMessageBatch: createSubmitMessageBatch({
          submitOne: async ({ envelope }) => ({ traceId: envelope?.mailFrom ?? "", messageIds: [] }),
          traceIdOf: ({ traceId }) => traceId,
          onUnexpected,
        }),
      },
      { submitMessageBatch: readSubmissionBatch },
    ),
  );
  port = await server.listen();
});
afterAll(() => server.close(1_000));

const goodEmail = (name: string) =>
  toBinary(
    SendEmailRequestSchema,
    create(SendEmailRequestSchema, { apiKey: name, email: { subject: name, templateDataJson: '{"a":[1]}' } }),
  );
const goodSubmission = (name: string) =>
  toBinary(
    SubmissionSchema,
    create(SubmissionSchema, { envelope: { mailFrom: name }, source: Buffer.from("To: x\r\n\r\n") }),
  );

/** Nested messages, all in field `number`. */
function nested(number: number, levels: number): Uint8Array {
  let bytes: Uint8Array = new Uint8Array();
  for (let level = 0; level < levels; level++) {
    bytes = new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
  }
  return bytes;
}

function deepData(levels: number): Uint8Array {
  const templateDataJson = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  return toBinary(
    SendEmailRequestSchema,
    create(SendEmailRequestSchema, { apiKey: "k", email: { templateDataJson } }),
  );
}

const brokenText = fc.integer({ min: 1, max: 9 }).map((number) =>
  new BinaryWriter()
    .tag(number, WireType.LengthDelimited)
    .bytes(Uint8Array.of(0xff, 0xc0, 0xed, 0xa0, 0x80))
    .finish(),
);
const damaged = (good: Uint8Array) =>
  fc.tuple(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length)).map(([at, byte, length]) => {
    const bytes = Uint8Array.from(good);
    bytes[at] = byte;
    return bytes.subarray(0, length);
  });
const poison = (good: Uint8Array) =>
  fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    brokenText,
    damaged(good),
    fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(400)).map(([number, levels]) => nested(number, levels)),
    fc.integer({ min: 33, max: 5_000 }).map(deepData),
  );

const ways: readonly (readonly [string, () => CoreCalls])[] = [
  [
    "over gRPC",
    () => openRemoteCalls({ address: `127.0.0.1:${port}`, token: TOKEN, deadlineMs: DEADLINE_MS }),
  ],
  ["in the core's own process", () => server.localCalls("operator", DEADLINE_MS)],
];

describe.each(ways)("a batch %s", (_way, open) => {
  let calls: CoreCalls;
  beforeAll(() => {
    calls = open();
  });
  afterAll(() => calls.close());

  /** Sends raw wire bytes: `undefined` is a valid submission, named after its index. */
  async function answersTo<Response>(
    method: typeof EmailService.method.sendEmailBatch | typeof SubmissionService.method.submitMessageBatch,
    good: (name: string) => Uint8Array,
    batch: readonly (Uint8Array | undefined)[],
  ): Promise<Response> {
    const service = method.parent;
    const writer = new BinaryWriter();
    for (const [index, bytes] of batch.entries()) {
      writer.tag(1, WireType.LengthDelimited).bytes(bytes ?? good(`good ${index}`));
    }
    const wire = Buffer.from(writer.finish());
    const definition = { ...callDefinition(service, method), requestSerialize: () => wire };
    return (await calls.unary(definition, undefined)) as Response;
  }

  it("answers each e-mail independently of the others", async () => {
    const entry = fc.option(poison(goodEmail("spoilt")), { nil: undefined, freq: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 12 }), async (batch) => {
        const { results } = await answersTo<MessageShape<typeof SendEmailBatchResponseSchema>>(
          EmailService.method.sendEmailBatch,
          goodEmail,
          batch,
        );
        expect(results).toHaveLength(batch.length);
        for (const [index, { outcome }] of results.entries()) {
          if (batch[index] !== undefined) continue;
          const name = `good ${index}`;
          expect(outcome).toMatchObject({ case: "response", value: { messageId: name, recipient: name } });
        }
      }),
      { numRuns: repetitions(80, 200) },
    );
  });

  it("answers each complete message independently of the others", async () => {
    const entry = fc.option(poison(goodSubmission("spoilt")), { nil: undefined, freq: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 12 }), async (batch) => {
        const { results } = await answersTo<MessageShape<typeof SubmitMessageBatchResponseSchema>>(
          SubmissionService.method.submitMessageBatch,
          goodSubmission,
          batch,
        );
        expect(results).toHaveLength(batch.length);
        for (const [index, { outcome }] of results.entries()) {
          if (batch[index] !== undefined) continue;
          expect(outcome).toMatchObject({ case: "response", value: { traceId: `good ${index}` } });
        }
      }),
      { numRuns: repetitions(80, 200) },
    );
  });

  it("refuses only the submissions that cannot be decoded", async () => {
    const invalidUtf8 = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .bytes(Uint8Array.of(0xff))
      .finish();
    const { results } = await answersTo<MessageShape<typeof SendEmailBatchResponseSchema>>(
      EmailService.method.sendEmailBatch,
      goodEmail,
      [undefined, invalidUtf8, undefined],
    );
    expect(results.map(({ outcome }) => outcome.case)).toEqual(["response", "error", "response"]);
    expect(results[1]?.outcome.value).toMatchObject({ message: expect.stringMatching(/UTF-8/) });
  });

  it("is composed of separately encoded submissions: one without a wire form refuses only its own sender", async () => {
    const client = createCoreClient(calls);
    const broken = { apiKey: "broken", email: { sendAt: { nanos: 1.5 } } };
    const answers = await Promise.allSettled([
      client.sendEmail({ apiKey: "a", email: { subject: "a" } }),
      client.sendEmail(broken),
      client.sendEmail({ apiKey: "b", email: { subject: "b" } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});
