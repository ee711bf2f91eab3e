import { simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { capturedSource, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
  await hermod.core.templates.putTemplate({
    template: {
      name: "welcome",
      from: "Acme <hello@example.com>",
      subject: "Welcome, {{ name }}",
      html: "<p>Hi {{ name }}, you are in {{ plan }}.</p>",
      variables: [
        { name: "name", type: "string" },
        { name: "plan", type: "string", fallbackJson: '"free"' },
      ],
    },
  });
});
afterAll(() => hermod.dispose());

async function sent(body: Record<string, unknown>) {
  const { status, accepted } = await post(hermod, { to: "ada@example.org", template: "welcome", ...body });
  expect(status).toBe(202);
  return simpleParser(await eventually(() => capturedSource(hermod, accepted.message_id)));
}

it("provides from, subject and body, escapes data only in html, and falls back", async () => {
  const mail = await sent({ template_data: { name: "<Ada> & co" } });
  expect(mail.from?.text).toBe('"Acme" <hello@example.com>');
  expect(mail.subject).toBe("Welcome, <Ada> & co");
  expect(mail.html).toContain("Hi &lt;Ada&gt; &amp; co, you are in free.");
  expect(mail.text).toContain("Hi <Ada> & co, you are in free.");
});

it("is overridden by from and subject in the request", async () => {
  const mail = await sent({
    from: "Other <hello@example.com>",
    subject: "Mine",
    template_data: { name: "Ada" },
  });
  expect([mail.from?.text, mail.subject]).toEqual(['"Other" <hello@example.com>', "Mine"]);
});

it.each([
  ["a missing variable", {}, "template.variable_missing", "/template_data/name"],
  [
    "a variable of the wrong type",
    { template_data: { name: 4 } },
    "template.variable_type",
    "/template_data/name",
  ],
  ["html beside it", { template_data: { name: "A" }, html: "x" }, "request.validation_failed", "/html"],
  [
    "a line break that reaches the subject",
    { template_data: { name: "A\r\nBcc: x@y.zz" } },
    "request.validation_failed",
    "/template",
  ],
])("refuses %s", async (_name, body, code, pointer) => {
  const { status, problem } = await post(hermod, { to: "ada@example.org", template: "welcome", ...body });
  expect([status, problem.code, problem.errors[0]?.pointer]).toEqual([422, code, pointer]);
});

it("records the version with which a message was created", async () => {
  const put = (text: string) =>
    hermod.core.templates.putTemplate({
      template: { name: "pinned", subject: "S", text, from: "hello@example.com" },
    });
  expect((await put("one")).template?.version).toBe(1);
  const first = await post(hermod, { to: "ada@example.org", template: "pinned" });
  expect((await put("two")).template?.version).toBe(2);
  expect((await put("two")).template?.version).toBe(2);
  const second = await post(hermod, { to: "ada@example.org", template: "pinned" });
  const versions = await Promise.all(
    [first, second].map(async ({ accepted }) => {
      const { message } = await hermod.core.messages.getMessage({ id: accepted.message_id });
      return [message?.template, message?.templateVersion];
    }),
  );
  expect(versions).toEqual([
    ["pinned", 1],
    ["pinned", 2],
  ]);
});

it("is not stored if it cannot be rendered", async () => {
  const bad = { name: "Bad Name", subject: "{{ a", html: "{% include 'x' %}" };
  await expect(hermod.core.templates.putTemplate({ template: bad })).rejects.toMatchObject({
    code: "request.validation_failed",
    errors: [{ pointer: "/name" }, { pointer: "/subject" }, { pointer: "/html" }],
  });
  const { templates } = await hermod.core.templates.listTemplates({});
  expect(templates.map(({ template }) => template?.name)).not.toContain("Bad Name");
});
