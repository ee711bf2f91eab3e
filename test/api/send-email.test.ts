import net from "node:net";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capturedSource, email, post, storedMessages } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue } from "../harness/store-client.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

async function captured(messageId: string) {
  const source = await eventually(() => capturedSource(hermod, messageId));
  return { source, mail: await simpleParser(source) };
}

describe("an accepted request", () => {
  it("answers 202 with both identifiers and delivers the message", async () => {
    const { status, accepted } = await post(hermod, email());
    expect(status).toBe(202);
    expect(accepted).toMatchObject({ status: "queued", recipient: "ada@example.org", not_delivered: [] });
    expect(accepted.message_id).toMatch(/^msg_[0-9a-z]{26}$/);
    expect(accepted.sx_trace_id).toMatch(/^sx_[0-9a-z]{26}$/);
    const { mail } = await captured(accepted.message_id);
    expect(mail.from?.text).toBe("hello@example.com");
    expect(mail.subject).toBe("Hello");
    expect(mail.text?.trimEnd()).toBe("Hello, Ada.");
    expect(mail.messageId).toBe(`<${accepted.message_id}@example.com>`);
  });

  it("validates every address, delivers to the first and names the others", async () => {
    const { status, accepted } = await post(
      hermod,
      email({ to: ["a@example.org", "B <b@example.org>", "c@example.org"] }),
    );
    expect(status).toBe(202);
    expect(accepted).toMatchObject({
      recipient: "a@example.org",
      not_delivered: ["b@example.org", "c@example.org"],
    });
    const { mail } = await captured(accepted.message_id);
    expect([mail.to].flat().map((to) => to?.text)).toEqual(["a@example.org"]);
  });

  it("counts equal addresses once: the delivered one is not reported as undelivered", async () => {
    const to = [
      "ada@example.org",
      "B <b@example.org>",
      "Ada <ada@EXAMPLE.org>",
      "Ada@example.org",
      "b@example.org",
    ];
    const { status, accepted } = await post(hermod, email({ to }));
    expect(status).toBe(202);
    expect(accepted).toMatchObject({ recipient: "ada@example.org", not_delivered: ["b@example.org"] });
  });

  it("treats empty values as missing, because Java's generated client sends them", async () => {
    const headers = { "idempotency-key": "empty-data" };
    const empty = { template_data: {}, headers: {}, metadata: {}, tags: [], attachments: [], reply_to: [] };
    const first = await post(hermod, email(empty), { headers });
    expect(first.status).toBe(202);
    const again = await post(hermod, email(), { headers });
    expect(again.accepted).toEqual(first.accepted);
  });

  it("derives text from html, and sends both as multipart/alternative", async () => {
    const { accepted } = await post(hermod, email({ text: undefined, html: "<h1>Hi</h1><p>there</p>" }));
    const { source, mail } = await captured(accepted.message_id);
    expect(source.toString()).toContain("multipart/alternative");
    expect(mail.html).toContain("<h1>Hi</h1>");
    expect(mail.text).toMatch(/Hi\s+there/);
  });

  it("delivers reply_to, headers, attachments and Unicode to the recipient", async () => {
    const { status, accepted } = await post(
      hermod,
      email({
        from: "Zoë Ünïcode <hello@example.com>",
        to: "Żółć <żółć@exämple.org>",
        subject: "Grüße 🎉",
        reply_to: ["Help <help@example.com>"],
        headers: { "X-Order": "4711", "List-Unsubscribe": "<https://example.com/u>" },
        attachments: [
          { filename: "rëport.pdf", content: Buffer.from("%PDF").toString("base64") },
          {
            filename: "l.png",
            content: Buffer.from("png").toString("base64"),
            content_type: "image/png",
            content_id: "logo",
          },
        ],
        html: '<img src="cid:logo">',
        tags: ["welcome"],
        metadata: { order: "4711" },
      }),
    );
    expect(status).toBe(202);
    expect(accepted.recipient).toBe("żółć@xn--exmple-cua.org");
    const { mail } = await captured(accepted.message_id);
    expect(mail.subject).toBe("Grüße 🎉");
    expect(mail.from?.value[0]?.name).toBe("Zoë Ünïcode");
    expect(mail.replyTo?.text).toBe('"Help" <help@example.com>');
    expect(mail.headers.get("x-order")).toBe("4711");
    expect(mail.attachments.map(({ filename, contentType, cid }) => [filename, contentType, cid])).toEqual([
      ["l.png", "image/png", "logo"],
      ["rëport.pdf", "application/pdf", undefined],
    ]);
    const { message } = await hermod.core.messages.getMessage({ id: accepted.message_id });
    expect(message).toMatchObject({ tags: ["welcome"], metadata: { order: "4711" } });
  });

  it("keeps the types of attachments, and sends an untyped 8-bit message as a plain file", async () => {
    const content = Buffer.from("Subject: ü\r\n\r\nHällo.\r\n").toString("base64");
    const attachments = [
      { filename: "a.csv", content, content_type: "Text/CSV;charset=x-unknown; header=present" },
      { filename: "b.eml", content },
    ];
    const { accepted } = await post(hermod, email({ attachments }));
    const { source } = await captured(accepted.message_id);
    const types = [...source.toString().matchAll(/^Content-Type: (.*)\r$/gm)].map(([, type]) => type);
    expect(types.slice(-2)).toEqual([
      "Text/CSV;charset=x-unknown; header=present",
      "application/octet-stream",
    ]);
  });

  it("sends only html if it is too large to derive text, as documented", async () => {
    const { accepted } = await post(
      hermod,
      email({ text: undefined, html: `<p>${"x ".repeat(500_000)}</p>` }),
    );
    const { source } = await captured(accepted.message_id);
    expect(source.toString()).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m);
    expect(source.toString()).not.toContain("text/plain");
  });

  it("defers a message until send_at", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { accepted } = await post(hermod, email({ send_at: at }));
    expect(accepted).toMatchObject({ status: "scheduled", scheduled_at: at });
    // A later message is delivered: this one was skipped.
    const later = await post(hermod, email());
    await captured(later.accepted.message_id);
    expect(await capturedSource(hermod, accepted.message_id)).toBeUndefined();
    const waiting = await hermod.core.messages.getMessage({ id: accepted.message_id });
    expect(waiting.message?.nextAttemptAt).toEqual(timestampFromDate(new Date(at)));
    await makeDue(hermod);
    await captured(accepted.message_id);
    // The result is written after the capture.
    const timeline = await eventually(async () => {
      const found = await hermod.core.messages.getMessage({ id: accepted.message_id });
      return found.message?.state === "captured" ? found.timeline : undefined;
    });
    expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "scheduled", "captured"]);
  });

  it.each([
    ["X-API-Key", (key: string) => ({ headers: { "x-api-key": key } })],
    ["Authorization: Bearer", (key: string) => ({ headers: { authorization: `Bearer ${key}` } })],
    ["the query", (key: string) => ({ path: `/v1/email/send?api_key=${key}` })],
    [
      "two places, the same key",
      (key: string) => ({ path: `/v1/email/send?api_key=${key}`, headers: { "x-api-key": key } }),
    ],
  ])("accepts the key from %s", async (_place, options) => {
    expect((await post(hermod, email(), { key: null, ...options(hermod.firstRun.api_key) })).status).toBe(
      202,
    );
  });

  it("never logs a key, a subject or a body", async () => {
    const key = hermod.firstRun.api_key;
    await post(hermod, email({ subject: "S3cret subject", text: "S3cret body" }), {
      path: `/v1/send?api_key=${key}`,
      key: null,
    });
    await post(hermod, email({ nonsense: "S3cret field" }), { path: `/v1/send?api_key=${key}`, key: null });
    expect(hermod.log()).not.toContain(key);
    expect(hermod.log()).not.toContain("S3cret");
  });
});

describe("a refused request stores nothing and has a reason", () => {
  const long = "x".repeat(999);
  const cases: [name: string, body: unknown, status: number, code: string, pointers: string[]][] = [
    ["malformed JSON", '{"from": "a', 400, "request.malformed_json", []],
    ["an empty body", " ", 400, "request.malformed_json", []],
    ["a body that is not UTF-8", Buffer.from('{"from":"\xff"}', "latin1"), 400, "request.malformed_json", []],
    ["half a surrogate pair", '{"subject":"\\ud800"}', 422, "request.validation_failed", ["/subject"]],
    ["a list instead of an object", [], 422, "request.validation_failed", [""]],
    ["an unknown field", email({ cc: "x@example.org" }), 422, "request.validation_failed", ["/cc"]],
    [
      "an unknown field within",
      email({ attachments: [{ filename: "a", content: "", path: "/etc/passwd" }] }),
      422,
      "request.validation_failed",
      ["/attachments/0/path"],
    ],
    ["a wrong type", email({ subject: 4 }), 422, "request.validation_failed", ["/subject"]],
    [
      "a wrong type in a list",
      email({ to: ["a@example.org", 4] }),
      422,
      "request.validation_failed",
      ["/to/1"],
    ],
    ["no sender", email({ from: undefined }), 422, "request.validation_failed", ["/from"]],
    ["no recipient", email({ to: undefined }), 422, "request.validation_failed", ["/to"]],
    ["an empty list of recipients", email({ to: [] }), 422, "request.validation_failed", ["/to"]],
    ["no subject", email({ subject: undefined }), 422, "request.validation_failed", ["/subject"]],
    ["no body", email({ text: undefined }), 422, "request.validation_failed", ["/html"]],
    ["an empty body text", email({ text: "" }), 422, "request.validation_failed", ["/html"]],
    ["an invalid sender", email({ from: "nobody" }), 422, "request.validation_failed", ["/from"]],
    ["an invalid recipient", email({ to: "nobody" }), 422, "request.validation_failed", ["/to"]],
    [
      "an invalid recipient behind a valid one",
      email({ to: ["a@example.org", "b@"] }),
      422,
      "request.validation_failed",
      ["/to/1"],
    ],
    [
      "two addresses in one string",
      email({ to: "a@example.org, b@example.org" }),
      422,
      "request.validation_failed",
      ["/to"],
    ],
    [
      "51 recipients",
      email({ to: Array.from({ length: 51 }, (_, i) => `a${i}@example.org`) }),
      422,
      "request.validation_failed",
      ["/to"],
    ],
    [
      "a line break in the subject",
      email({ subject: "a\r\nBcc: x@example.org" }),
      422,
      "request.validation_failed",
      ["/subject"],
    ],
    [
      "a line break in a display name",
      email({ from: "a\r\nBcc: x <hello@example.com>" }),
      422,
      "request.validation_failed",
      ["/from"],
    ],
    [
      "a line break in a header",
      email({ headers: { "X-A": "a\nBcc: x@example.org" } }),
      422,
      "request.validation_failed",
      ["/headers/X-A"],
    ],
    [
      "a line break in a header's name",
      email({ headers: { "X-A\r\nBcc": "x@example.org" } }),
      422,
      "request.validation_failed",
      ["/headers/X-A\r\nBcc"],
    ],
    [
      "a header that Hermod writes",
      email({ headers: { "content-type": "text/html" } }),
      422,
      "request.validation_failed",
      ["/headers/content-type"],
    ],
    ["a long subject", email({ subject: long }), 422, "request.validation_failed", ["/subject"]],
    [
      "51 headers",
      email({ headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, "v"])) }),
      422,
      "request.validation_failed",
      ["/headers"],
    ],
    ["NUL in the text", email({ text: "a\0b" }), 422, "request.validation_failed", ["/text"]],
    [
      "an html over 5 MB",
      email({ html: "x".repeat(5 * 1024 * 1024 + 1) }),
      422,
      "request.validation_failed",
      ["/html"],
    ],
    [
      "an attachment that is not base64",
      email({ attachments: [{ filename: "a", content: "§" }] }),
      422,
      "request.validation_failed",
      ["/attachments/0/content"],
    ],
    ...[
      ["multipart", "multipart/mixed; boundary=b", "x"],
      ["a message in 8 bits", "message/rfc822", "Subject: ü\r\n\r\nHällo.\r\n"],
    ].map(([name = "", content_type = "", text = ""]): (typeof cases)[number] => [
      `an attachment of a type that cannot be kept: ${name}`,
      email({
        attachments: [{ filename: "a.eml", content: Buffer.from(text).toString("base64"), content_type }],
      }),
      422,
      "request.validation_failed",
      ["/attachments/0/content_type"],
    ]),
    [
      "an attachment with a path for a name",
      email({ attachments: [{ filename: "../a", content: "" }] }),
      422,
      "request.validation_failed",
      ["/attachments/0/filename"],
    ],
    [
      "a local send_at",
      email({ send_at: "2030-01-02T09:00:00" }),
      422,
      "request.validation_failed",
      ["/send_at"],
    ],
    [
      "a send_at on 31 November",
      email({ send_at: "2026-11-31T09:00:00Z" }),
      422,
      "request.validation_failed",
      ["/send_at"],
    ],
    [
      "a past send_at",
      email({ send_at: "2020-01-02T09:00:00Z" }),
      422,
      "request.validation_failed",
      ["/send_at"],
    ],
    [
      "a far send_at",
      email({ send_at: "2200-01-02T09:00:00Z" }),
      422,
      "request.validation_failed",
      ["/send_at"],
    ],
    ["an unknown policy", email({ routing_policy: "nope" }), 422, "policy.unknown", ["/routing_policy"]],
    [
      "an unknown template",
      { to: "a@example.org", template: "nope" },
      422,
      "template.unknown",
      ["/template"],
    ],
    [
      "data without a template",
      email({ template_data: { a: 1 } }),
      422,
      "request.validation_failed",
      ["/template_data"],
    ],
    [
      "a sender whose name, encoded, looks like another address",
      email({ from: '"Jörg ceo@bank.example" <hello@example.com>' }),
      422,
      "request.validation_failed",
      ["/from"],
    ],
    [
      "headers that say who sends",
      email({ headers: { Sender: "a@b.example", "Resent-From": "a@b.example", from: "a@b.example" } }),
      422,
      "request.validation_failed",
      ["/headers/Sender", "/headers/Resent-From", "/headers/from"],
    ],
    ["an unverified sender", email({ from: "someone@example.net" }), 403, "sender.unverified", ["/from"]],
    [
      "a subdomain of the sender's",
      email({ from: "hello@sub.example.com" }),
      403,
      "sender.unverified",
      ["/from"],
    ],
    [
      "several faults at once",
      email({ to: "x", subject: long, tags: [""] }),
      422,
      "request.validation_failed",
      ["/to", "/subject", "/tags/0"],
    ],
    ["a __proto__ key", '{"__proto__":{"from":"x"}}', 422, "request.validation_failed", ["/__proto__"]],
    [
      "a __proto__ key in the data of a template, and prototype in constructor",
      '{"template_data":{"a":[{"__proto__":1}],"constructor":{"prototype":{}}}}',
      422,
      "request.validation_failed",
      ["/template_data/a/0/__proto__"],
    ],
    [
      "to, twice",
      '{"to":"a@example.org","from":"hello@example.com","subject":"S","text":"T","to":"b@example.org"}',
      422,
      "request.validation_failed",
      ["/to"],
    ],
    [
      "a key of the template's data, twice, and a number that none can hold",
      '{"to":"a@example.org","template":"t","template_data":{"n":[9007199254740993],"a":{"b":1,"\\u0062":2}}}',
      422,
      "request.validation_failed",
      ["/template_data/n/0", "/template_data/a/b"],
    ],
    [
      "a number that overflows",
      '{"template_data":{"n":1e400}}',
      422,
      "request.validation_failed",
      ["/template_data/n"],
    ],
  ];

  it.each(cases)("%s", async (_name, body, status, code, pointers) => {
    const before = await storedMessages(hermod);
    const answer = await post(hermod, body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(answer.problem).toMatchObject({ status, code, instance: "/v1/email/send" });
    expect(answer.problem.sx_trace_id).toMatch(/^sx_/);
    expect(answer.problem.errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers.toSorted());
    expect(await storedMessages(hermod)).toBe(before);
  });

  it("a message over 25 MB encoded", async () => {
    const content = Buffer.alloc(20 * 1024 * 1024).toString("base64");
    const answer = await post(hermod, email({ attachments: [{ filename: "a.bin", content }] }));
    expect([answer.status, answer.problem.code]).toEqual([413, "message.too_large"]);
  });

  it("a body over the request limit, without reading all of it", async () => {
    const huge = 1024 ** 3;
    const { hostname, port } = new URL(hermod.firstRun.base_url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/send HTTP/1.1\r\nHost: x\r\nX-API-Key: ${hermod.firstRun.api_key}\r\nContent-Type: application/json\r\nContent-Length: ${huge}\r\n\r\n{"from":`,
        );
      });
      socket.once("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("request.too_large");
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("another media type", async () => {
    const answer = await post(hermod, email(), { headers: { "content-type": "text/plain" } });
    expect([answer.status, answer.problem.code]).toEqual([415, "request.unsupported_media_type"]);
    const latin = await post(hermod, email(), {
      headers: { "content-type": "application/json; charset=latin1" },
    });
    expect(latin.status).toBe(415);
  });

  it("another method, with the allowed one", async () => {
    const response = await fetch(`${hermod.firstRun.base_url}/v1/send`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(((await response.json()) as { code: string }).code).toBe("request.method_not_allowed");
  });

  it("a path that cannot be decoded", async () => {
    const answer = await post(hermod, email(), { path: "/v1/%zz" });
    expect([answer.status, answer.problem.code]).toEqual([404, "request.not_found"]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  });

  it("another path", async () => {
    const answer = await post(hermod, email(), { path: "/v1/nothing" });
    expect([answer.status, answer.problem.code]).toEqual([404, "request.not_found"]);
  });
});
