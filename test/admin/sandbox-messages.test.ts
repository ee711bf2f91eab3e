import { describe, expect, it } from "vitest";
import { adminServer, createFakeSandbox } from "./fake-sandbox.ts";

const MIXED = `Received: from a.example
 by b.example
From: =?utf-8?Q?Gr=C3=B6=C3=9Fe?= <hello@example.com>
To: ada@example.org
Subject: =?utf-8?B?w6TDtg==?= =?utf-8?B?w7w=?= end
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--inner
Content-Type: text/html; charset=utf-8

<p>Hello</p>
--inner--
--outer
Content-Type: application/pdf; name="terms.pdf"
Content-Disposition: attachment; filename="terms.pdf"
Content-Transfer-Encoding: base64

SGVsbG8=
--outer
Content-Type: image/png
Content-Disposition: inline; filename*=utf-8''l%C3%B6go.png
Content-ID: <logo@x>
Content-Transfer-Encoding: base64

SGVsbG8=
--outer--
`;

function inbox() {
  const sandbox = createFakeSandbox();
  return { sandbox, app: adminServer({ sandbox: sandbox.client }) };
}

describe("GET /sandbox/messages", () => {
  it("lists newest first, page by page, to the end", async () => {
    const { sandbox, app } = inbox();
    for (let i = 0; i < 5; i++) sandbox.capture(`Subject: ${i}\n\nbody`);
    const ids: string[] = [];
    let url = "/sandbox/messages?limit=2";
    for (let pages = 0; pages < 3; pages++) {
      const page = (await app.inject(url)).json();
      ids.push(...page.data.map(({ id }: { id: string }) => id));
      expect(page.has_more).toBe(pages < 2);
      url = `/sandbox/messages?limit=2&cursor=${page.next_cursor}`;
    }
    expect(ids).toEqual(["msg_5", "msg_4", "msg_3", "msg_2", "msg_1"]);
  });

  it("shows sender, recipients and time of each message", async () => {
    const { sandbox, app } = inbox();
    sandbox.capture("Subject: Hello\n\nbody");
    expect((await app.inject("/sandbox/messages")).json()).toEqual({
      data: [
        {
          id: "msg_1",
          sx_trace_id: "sx_1",
          account_id: "acc_1",
          envelope: { from: "bounce@example.com", to: ["ada@example.org"] },
          from: "Acme <hello@example.com>",
          subject: "Hello",
          captured_at: "2026-11-21T07:01:00.000Z",
          size_bytes: 22,
          url: "/sandbox/messages/msg_1",
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1.5",
    "limit=x",
    "limit=",
    "limit=1&limit=2",
    "cursor=",
    "cursor=%00",
    "cursor=a%20b",
  ])("refuses ?%s with 400 and the parameter's name", async (query) => {
    const answer = await inbox().app.inject(`/sandbox/messages?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json()).toMatchObject({
      code: "admin.query_invalid",
      errors: [{ pointer: `/${query.split("=", 1)[0]}`, code: "field.invalid" }],
    });
  });
});

describe("GET /sandbox/messages/:id", () => {
  it("reads bodies, attachments and header fields from the source", async () => {
    const { sandbox, app } = inbox();
    const id = sandbox.capture(MIXED);
    const mail = (await app.inject(`/sandbox/messages/${id}`)).json();
    expect(mail).toMatchObject({
      id,
      sx_trace_id: "sx_1",
      html: "<p>Hello</p>",
      text: "Grüße",
      parse_error: null,
      html_url: "/sandbox/messages/msg_1/html",
      source_url: "/sandbox/messages/msg_1/source",
    });
    expect(mail.attachments).toEqual([
      {
        filename: "terms.pdf",
        content_type: "application/pdf",
        size_bytes: 5,
        content_id: null,
        disposition: "attachment",
        url: "/sandbox/messages/msg_1/attachments/0",
      },
      {
        filename: "lögo.png",
        content_type: "image/png",
        size_bytes: 5,
        content_id: "logo@x",
        disposition: "inline",
        url: "/sandbox/messages/msg_1/attachments/1",
      },
    ]);
    expect(mail.headers.slice(0, 4)).toEqual([
      {
        name: "Received",
        value: "from a.example by b.example",
        raw: "Received: from a.example\r\n by b.example",
      },
      {
        name: "From",
        value: "Größe <hello@example.com>",
        raw: "From: =?utf-8?Q?Gr=C3=B6=C3=9Fe?= <hello@example.com>",
      },
      { name: "To", value: "ada@example.org", raw: "To: ada@example.org" },
      { name: "Subject", value: "äöü end", raw: "Subject: =?utf-8?B?w6TDtg==?= =?utf-8?B?w7w=?= end" },
    ]);
  });

  it("adds no body that the message does not have", async () => {
    const { sandbox, app } = inbox();
    const html = (
      await app.inject(`/sandbox/messages/${sandbox.capture("Content-Type: text/html\n\n<b>x</b>")}`)
    ).json();
    expect([html.html, html.text]).toEqual(["<b>x</b>", null]);
    const text = (
      await app.inject(`/sandbox/messages/${sandbox.capture("Subject: x\n\nhttp://example.com")}`)
    ).json();
    expect([text.html, text.html_url, text.text]).toEqual([null, null, "http://example.com"]);
  });

  it.each(["msg_9", "..%2F..%2Fetc", "%00", "a%20b", "<script>"])("answers 404 for %s", async (id) => {
    const answer = await inbox().app.inject(`/sandbox/messages/${id}`);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([404, "application/problem+json"]);
  });
});

describe("GET /sandbox/messages/:id/source", () => {
  it("is the message byte for byte, with any content", async () => {
    const { sandbox, app } = inbox();
    const bytes = Buffer.from([...Array(256).keys(), 13, 10, 10, 13, 0, 255]);
    const answer = await app.inject(`/sandbox/messages/${sandbox.capture(bytes)}/source`);
    expect(answer.headers["content-type"]).toBe("message/rfc822");
    expect(answer.rawPayload.equals(bytes)).toBe(true);
  });

  it("is a file on request", async () => {
    const { sandbox, app } = inbox();
    const id = sandbox.capture("Subject: x\n\ny");
    const answer = await app.inject(`/sandbox/messages/${id}/source?download=1`);
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="msg_1.eml"');
  });
});

describe("DELETE /sandbox/messages", () => {
  it.each([{}, { "sec-fetch-site": "same-origin" }])("clears the inbox (%o)", async (headers) => {
    const { sandbox, app } = inbox();
    sandbox.capture("Subject: x\n\ny");
    const answer = await app.inject({ method: "DELETE", url: "/sandbox/messages", headers });
    expect([answer.statusCode, answer.json()]).toEqual([200, { deleted: 1 }]);
    expect((await app.inject("/sandbox/messages")).json().data).toEqual([]);
  });
});
