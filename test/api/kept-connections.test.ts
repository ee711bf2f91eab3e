import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { email } from "../harness/http.ts";
import { talk } from "../harness/raw-http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

/** A request with a body; `later`: the body and a valid request after it, on the same connection. */
function exchange(line: string, fields: readonly string[], body: string) {
  const key = `x-api-key: ${hermod.firstRun.api_key}`;
  const filled = fields.map((field) => field.replace("KEY", hermod.firstRun.api_key));
  const head = [`${line} HTTP/1.1`, "host: x", `content-length: ${Buffer.byteLength(body)}`, ...filled];
  const next = JSON.stringify(email());
  const good = [
    "POST /v1/send HTTP/1.1",
    "host: x",
    key,
    "connection: close",
    "content-type: application/json",
  ];
  const second = `${[...good, `content-length: ${Buffer.byteLength(next)}`].join("\r\n")}\r\n\r\n${next}`;
  return { head: `${head.join("\r\n")}\r\n\r\n`, second };
}

const BODY = JSON.stringify(email());
const JSON_TYPE = "content-type: application/json";
const refusals = [
  ["401 without a key", "POST /v1/send", [JSON_TYPE], 401],
  ["401 with a wrong key", "POST /v1/send", [JSON_TYPE, "x-api-key: hm_live_x"], 401],
  ["404", "POST /v1/nothing", [JSON_TYPE], 404],
  ["405", "PUT /v1/send", [JSON_TYPE, "x-api-key: KEY"], 405],
  ["415 by its type", "POST /v1/send", ["content-type: text/plain", "x-api-key: KEY"], 415],
  ["415 by its coding", "POST /v1/send", [JSON_TYPE, "content-encoding: gzip", "x-api-key: KEY"], 415],
] as const;

describe("a connection", () => {
  it.each(refusals)(
    "stays open after %s with a small body that follows the answer",
    async (_, line, fields, status) => {
      const { head, second } = exchange(line, fields, BODY);
      const answers = await talk(hermod.firstRun.base_url, head, { later: BODY + second });
      expect(answers.map((answer) => answer.status)).toEqual([status, 202]);
      expect(answers[0]?.headers.get("connection")).not.toBe("close");
    },
  );

  it.each(refusals)("stays open after %s with the body in one piece", async (_, line, fields, status) => {
    const { head, second } = exchange(line, fields, BODY);
    const answers = await talk(hermod.firstRun.base_url, head + BODY, { later: second });
    expect(answers.map((answer) => answer.status)).toEqual([status, 202]);
  });

  it.each([
    ["malformed JSON", "{"],
    ["an empty body", ""],
    ["no UTF-8", "\\xff"],
    ["an unknown field", '{"nonsense":1}'],
  ])("stays open after %s", async (_, body) => {
    const { head, second } = exchange("POST /v1/send", [JSON_TYPE, "x-api-key: KEY"], body);
    const answers = await talk(hermod.firstRun.base_url, head + body, { later: second });
    expect(answers.map((answer) => Math.floor(answer.status / 100))).toEqual([4, 2]);
  });

  it.each([
    ["a body beyond 64 KiB", ["content-length: 65537"]],
    ["a body of unknown size", ["transfer-encoding: chunked"]],
    ["a body that waits for leave", ["content-length: 10", "expect: 100-continue"]],
  ])("ends with the answer to a request without a key and %s", async (_, fields) => {
    const head = ["POST /v1/send HTTP/1.1", "host: x", JSON_TYPE, ...fields].join("\r\n");
    const answers = await talk(hermod.firstRun.base_url, `${head}\r\n\r\n`);
    expect(answers.map((answer) => answer.status)).toEqual([401]);
    expect(answers[0]?.headers.get("connection")).toBe("close");
  });
});
