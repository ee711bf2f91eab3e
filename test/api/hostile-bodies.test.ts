import { once } from "node:events";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSecret } from "../../src/shared/secrets.ts";
import { email, post } from "../harness/http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

describe("an excessive body", () => {
  it.each([
    ["millions of objects", `{"template_data":{"a":[${"{},".repeat(3_000_000)}{}]}}`, "/template_data/a"],
    ["two million unknown keys", `{${Array.from({ length: 2_000_000 }, (_, n) => `"k${n}":1`)}}`, ""],
    ["a million recipients", `{"to":[${'"a@example.org",'.repeat(999_999)}"a@example.org"]}`, "/to"],
  ])("is refused before it is parsed, with one pointer: %s", async (_, body, pointer) => {
    const { status, problem } = await post(hermod, body);
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([{ pointer, code: "field.too_many" }]);
  });

  it("is refused with a pointer if it is nested too deeply", async () => {
    const deep = JSON.stringify(email({ metadata: { a: "#" } })).replace(
      '"#"',
      "[".repeat(80) + "]".repeat(80),
    );
    const { status, problem } = await post(hermod, deep);
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([
      { pointer: `/metadata/a${"/0".repeat(62)}`, code: "field.too_deep" },
    ]);
  });
});

/** Sends the header of a request with a large body, as much of the body as is accepted, and reads the complete answer. */
async function upload(head: readonly string[], announced = 24_000_000) {
  const { hostname, port } = new URL(hermod.firstRun.base_url);
  const socket = net.connect(Number(port), hostname);
  // The answer may be lost if the connection is reset while it sends.
  const failures: Error[] = [];
  socket.on("error", (error) => failures.push(error));
  await once(socket, "connect");
  const lines = [...head, "host: x", "content-type: application/json", `content-length: ${announced}`];
  socket.write(`${lines.join("\r\n")}\r\n\r\n{"from":"`);
  const piece = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  const send = () => {
    while (sent < announced - 9 && socket.writable) {
      sent += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on("drain", send);
  send();
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return { answer, failures, taken: socket.bytesWritten - socket.writableLength };
}

describe("an answer with errors", () => {
  it("names 100 of 10,000 unknown keys, and counts the others", async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1]));
    const { status, problem } = await post(hermod, email(keys));
    expect(status).toBe(422);
    expect(problem.errors).toHaveLength(100);
    expect(problem.errors_omitted).toBe(9_900);
    expect(JSON.stringify(problem).length).toBeLessThan(20_000);
  });

  it("also counts them if the core finds them", async () => {
    const headers = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`X-${n}`, "a\nb"]));
    const to = Array.from({ length: 50 }, (_, n) => `nobody ${n}`);
    const reply_to = Array.from({ length: 50 }, (_, n) => `nobody ${n}`);
    const { problem } = await post(hermod, email({ headers, to, reply_to }));
    expect(problem.errors).toHaveLength(100);
    expect(problem.errors_omitted).toBe(49);
  });

  it.each([
    ["an unknown key", { ["k".repeat(1_000_000)]: 1 }],
    ["an unknown policy", { routing_policy: "p".repeat(1_000_000) }],
    ["an unknown template", { text: undefined, template: "t".repeat(1_000_000) }],
    ["a sender", { from: `${"s".repeat(1_000_000)}@example.com` }],
    ["a recipient", { to: [`${"r".repeat(1_000_000)}`] }],
    ["a metadata key", { metadata: { ["m".repeat(1_000_000)]: "x" } }],
    ["a header", { headers: { ["H".repeat(1_000_000)]: "x" } }],
    ["a tag", { tags: ["t".repeat(1_000_000)] }],
    ["a moment", { send_at: "9".repeat(1_000_000) }],
  ])("does not repeat a megabyte: %s", async (_, changes) => {
    const { status, problem } = await post(hermod, email(changes));
    expect(status).toBe(422);
    expect(JSON.stringify(problem).length).toBeLessThan(3_000);
  });
});

describe("template data", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  const withData = (template_data: unknown) => ({
    to: "ada@example.org",
    template: "welcome",
    template_data,
  });

  it("that is nested too deeply does not affect other requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        post(hermod, index % 3 === 0 ? withData(nested(48)) : email()),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 422 : 202)));
    expect(answers[0]?.problem.errors).toMatchObject([
      { pointer: `/template_data${"/a".repeat(32)}`, code: "field.too_deep" },
    ]);
  });

  it.each([
    ["of 33 levels", nested(33), { pointer: `/template_data${"/a".repeat(32)}`, code: "field.too_deep" }],
    [
      "of 10,001 values",
      { list: Array.from({ length: 9_999 }, () => 0) },
      { pointer: "/template_data/list", code: "field.too_many" },
    ],
    [
      "of more than 1 MB",
      { a: "x".repeat(1_048_576) },
      { pointer: "/template_data", code: "field.too_long" },
    ],
  ])("%s is refused equally by HTTP and by the core", async (_, data, fault) => {
    const { status, problem } = await post(hermod, withData(data));
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([fault]);
    const direct = hermod.core.sendEmail({
      apiKey: hermod.firstRun.api_key,
      email: { to: ["ada@example.org"], template: "welcome", templateDataJson: JSON.stringify(data) },
    });
    await expect(direct).rejects.toMatchObject({ code: problem.code, errors: problem.errors });
  });

  it.each([
    "[1]",
    "1",
    "{",
    '{"a":"\\ud800"}',
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
    '{"a":9007199254740993}',
  ])("%s is refused by the core", async (templateDataJson) => {
    const { api_key: apiKey } = hermod.firstRun;
    const direct = hermod.core.sendEmail({ apiKey, email: { to: ["ada@example.org"], templateDataJson } });
    await expect(direct).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: expect.stringMatching(/^\/template_data/) }],
    });
  });
});

describe("a body of an unauthorized request", () => {
  const post24MB = "POST /v1/email/send HTTP/1.1";

  it.each([
    ["no key", [post24MB], 401, "auth.key_missing"],
    ["no key at all in it", [post24MB, "x-api-key: x"], 401, "auth.key_invalid"],
    ["an unknown key", [post24MB, `x-api-key: ${newSecret("live")}`], 401, "auth.key_invalid"],
    ["a path that there is not", ["POST /v1/nothing HTTP/1.1"], 404, "request.not_found"],
    ["a method that there is not", ["PUT /v1/email/send HTTP/1.1"], 405, "request.method_not_allowed"],
  ])("is not read, and the answer has the reason: %s", async (_, head, status, code) => {
    const { answer, failures, taken } = await upload(head, 400_000_000);
    expect(failures).toEqual([]);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain("connection: close");
    expect(answer).toContain(`"code":"${code}"`);
    // The system can buffer tens of megabytes of a connection on both sides (tcp_rmem, tcp_wmem).
    expect(taken).toBeLessThan(100_000_000);
  });

  it("is not read with a key without permission to send, a revoked key or a key of another kind", async () => {
    const { keys } = hermod.core;
    const alerts = await keys.createKey({ scopeMode: "alerts_only" });
    const revoked = await keys.createKey({});
    await keys.revokeKey({ key: revoked.key?.id ?? "" });
    for (const [key, code] of [
      [alerts.secret, "auth.scope_missing"],
      [revoked.secret, "auth.key_invalid"],
      [hermod.firstRun.deliverability_api_key, "auth.key_wrong_kind"],
    ]) {
      const { answer } = await upload([post24MB, `x-api-key: ${key}`]);
      expect(answer).toContain(`"code":"${code}"`);
    }
  });

  it("is not sent by a client that asks first", async () => {
    const { answer } = await upload([post24MB, "x-api-key: x", "expect: 100-continue"], 9);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    const body = JSON.stringify(email());
    const { hostname, port } = new URL(hermod.firstRun.base_url);
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `${post24MB}\r\nhost: x\r\nx-api-key: ${hermod.firstRun.api_key}\r\nexpect: 100-continue\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    const [goOn] = await once(socket, "data");
    expect(String(goOn)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    const [answered] = await once(socket, "data");
    expect(String(answered)).toMatch(/^HTTP\/1.1 202 /);
    socket.destroy();
  });
});
