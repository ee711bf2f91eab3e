import fc from "fast-check";
import { type AddressObject, simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { fieldFaultCodes } from "../../contracts/common/field-fault-codes.ts";
import { PROBLEM_MEDIA_TYPE, problem } from "../../contracts/common/problem.ts";
import { type Answer, capturedSource, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { allMessages } from "../harness/stored.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 30);
const MS_PER_RUN = process.env.MONGODB_URL ? 1_500 : 500;

type Body = Readonly<Record<string, unknown>>;

interface ValidBody {
  readonly from: string;
  readonly to: string | string[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly reply_to?: string[];
  readonly headers?: Record<string, string>;
  readonly attachments?: { filename: string; content: string; content_type: string }[];
  readonly tags?: string[];
  readonly metadata?: Record<string, string>;
}

/** Text that breaks encoders, with characters that a header may contain. */
const line = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("é", "日本語", "👩‍👩‍👧", '"', "\\", ",", "?=", "%41", "  ", "a".repeat(90)),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((chunks) => chunks.join("").replace(/[\p{C}\p{Z}]+/gu, " "))
  .map((text) => text.replaceAll("=?", "_").trim())
  .filter((text) => text !== "" && Buffer.byteLength(text) < 300);
const body = fc
  .array(
    fc.oneof(line, fc.constantFrom("\r\n", "\n", "\n.\n", "\nFrom me\n", "--", "=", "x".repeat(1_200))),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  .map((pieces) => `.${pieces.join("")}.`);
const name = line.map((text) => text.replaceAll(/["\\<>]/g, "_").trim()).filter((text) => text !== "");
const plainAddress = fc.constantFrom("ada@example.org", "o'neil+tag@mail.example.org", "bob@bücher.example");
const mailbox = fc.oneof(
  plainAddress,
  fc.tuple(name, plainAddress).map(([display, address]) => `"${display}" <${address}>`),
);
const fileName = name.map((text) => [...text.replaceAll(/[/\\]/g, "_")].slice(0, 40).join("").trim() || "f");
const attachment = fc.record({
  filename: fileName,
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  content_type: fc.constantFrom("application/pdf", "image/png", "text/csv"),
});

const validBody: fc.Arbitrary<ValidBody> = fc
  .record({
    required: fc.record({
      from: fc.constantFrom("hello@example.com", '"Hermod, the quick" <hello@example.com>'),
      to: fc.oneof(mailbox, fc.array(mailbox, { minLength: 1, maxLength: 3 })),
      subject: line,
    }),
    bodies: fc.oneof(
      fc.record({ text: body }),
      fc.record({ html: body }),
      fc.record({ text: body, html: body }),
    ),
    more: fc.record(
      {
        reply_to: fc.array(mailbox, { minLength: 1, maxLength: 2 }),
        headers: fc.dictionary(fc.stringMatching(/^X-[A-Za-z]{1,20}$/), line, { maxKeys: 3 }),
        attachments: fc.array(attachment, { maxLength: 3 }),
        tags: fc.array(fc.stringMatching(/^[a-z0-9]{1,20}$/), { maxLength: 3 }),
        metadata: fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), line, { maxKeys: 3 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ required, bodies, more }) => ({ ...required, ...bodies, ...more }))
  .filter(({ headers = {} }) => {
    const names = Object.keys(headers).map((key) => key.toLowerCase());
    return new Set(names).size === names.length;
  });

const fields = [
  ...["from", "to", "subject", "html", "text", "template", "template_data", "routing_policy", "reply_to"],
  ...["headers", "attachments", "tags", "metadata", "send_at", "cc", "__proto__", ""],
];
const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    ...["", " ", "nobody", "a@b@c.example", "a@example.org, b@example.org", "a\r\nBcc: x@example.org", "\0"],
    ...["=?utf-8?Q?a?= <a@example.org>", "\u202e <a@example.org>", "\ud800", "x".repeat(999), "sandbox"],
  ),
  fc.constantFrom<unknown>([], {}, null, 0, true, ["a@example.org"], [["a@example.org"]], undefined),
);
/** A valid body, or one with arbitrary values in some fields. */
const anyBody: fc.Arbitrary<{ readonly given: Body; readonly valid: boolean }> = fc.oneof(
  validBody.map((given) => ({ given: { ...given }, valid: true })),
  fc
    .tuple(
      validBody,
      fc.array(fc.tuple(fc.constantFrom(...fields), oddValue), { minLength: 1, maxLength: 2 }),
    )
    .map(([given, odd]) => ({ given: { ...given, ...Object.fromEntries(odd) }, valid: false })),
);

let hermod: Hermod;
let stored = 0;
beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

it(
  "delivers any submission unchanged, or refuses it with a problem and does not store it",
  async () => {
    const counts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(anyBody, async ({ given, valid }) => {
        const answer = await post(hermod, given);
        if (valid) expect(answer.problem).not.toHaveProperty("code");
        if (answer.status === 202) {
          counts.accepted++;
          stored++;
          await expectDelivered(given, answer);
        } else {
          counts.refused++;
          expectProblem(answer);
        }
        expect(await allMessages(hermod)).toHaveLength(stored);
      }),
      { numRuns: RUNS },
    );
    expect(counts.accepted).toBeGreaterThan(RUNS / 10);
    expect(counts.refused).toBeGreaterThan(RUNS / 10);
  },
  30_000 + RUNS * MS_PER_RUN,
);

function expectProblem({ status, headers, problem: document }: Answer): void {
  expect(headers.get("content-type")?.split(";")[0]).toBe(PROBLEM_MEDIA_TYPE);
  const { code, errors } = problem.parse(document);
  const known = faultCodes[code as keyof typeof faultCodes];
  expect(known, code).toBeDefined();
  expect([status, document.status, document.title]).toEqual([known.http, known.http, known.title]);
  expect(status).toBeLessThan(500);
  for (const error of errors) {
    expect(error.code in fieldFaultCodes || error.code in faultCodes, error.code).toBe(true);
    expect(error.pointer).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/);
    expect(error.message).not.toBe("");
  }
}

async function expectDelivered(given: Body, { accepted }: Answer): Promise<void> {
  const {
    from,
    subject,
    text,
    html,
    headers = {},
    attachments = [],
    reply_to,
    tags,
    metadata,
  } = given as unknown as ValidBody;
  const source = await eventually(() => capturedSource(hermod, accepted.message_id));
  const mail = await simpleParser(source, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });
  const [first = ""] = [given.to as string | string[]].flat();
  expect(addresses(mail.from)).toEqual([bare(from)]);
  expect(addresses(mail.to)).toEqual([bare(first)]);
  expect(addresses(mail.replyTo)).toEqual([reply_to ?? []].flat().map(bare));
  expect((mail.subject ?? "").trim()).toBe(subject.trim());
  if (text) expectBody(mail.text, text);
  if (html) expectBody(mail.html || undefined, html);
  for (const [header, value] of Object.entries(headers)) {
    expect(await decoded(mail.headers.get(header.toLowerCase()))).toBe(value.trim());
  }
  expect(mail.attachments.map(({ filename, content }) => [filename, content.toString("base64")])).toEqual(
    attachments.map(({ filename, content }) => [filename, content]),
  );
  const { message } = await hermod.core.messages.getMessage({ id: accepted.message_id });
  expect(message).toMatchObject({
    tags: tags ?? [],
    metadata: metadata ?? {},
    traceId: accepted.sx_trace_id,
  });
}

function addresses(field: AddressObject | AddressObject[] | undefined): string[] {
  return [field ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ""));
}

/** The address in a mailbox, in mailparser's form: with its domain in Unicode. */
function bare(mailboxText: string): string {
  return /<([^<>]*)>$/.exec(mailboxText)?.[1] ?? mailboxText;
}

/** Line ends become CRLF, and a message of one part ends with one. */
function expectBody(actual: string | undefined, given: string): void {
  const lines = (body = "") => body.replaceAll(/\r\n|\r|\n/g, "\n").replace(/\n$/, "");
  expect(lines(actual)).toBe(lines(given));
}

/** mailparser decodes the encoded words of a subject, but not those of fields that it does not know. */
async function decoded(value: unknown): Promise<string | undefined> {
  return (await simpleParser(`Subject: ${String(value)}\r\n\r\n`)).subject;
}
