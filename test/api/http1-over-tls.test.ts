import { once } from "node:events";
import https from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { email } from "../harness/http.ts";
import { talk } from "../harness/raw-http.ts";
import { startTestEdge, type TestEdge } from "../harness/test-edge.ts";

const goodBody = JSON.stringify(email());

let edge: TestEdge;
afterEach(() => edge.close());

const head = (line: string, ...fields: string[]) => [line, ...fields, "", ""].join("\r\n");

function sendHead(...fields: string[]): string {
  const key = `X-API-Key: ${edge.key}`;
  return head("POST /v1/send HTTP/1.1", "Host: x", key, "Content-Type: application/json", ...fields);
}

describe("HTTP/1.1 over TLS", () => {
  it("keeps connections of HTTP/1.1 open between requests", async () => {
    edge = await startTestEdge();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: edge.ca });
    for (let count = 0; count < 3; count++) {
      const request = https.get(`${edge.url}/docs`, { agent });
      const [answer] = await once(request, "response");
      expect(answer.headers["keep-alive"]).toBe("timeout=72");
      expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
      answer.resume();
      await once(answer, "end");
    }
    agent.destroy();
    expect(edge.connections.seen.length).toBe(1);
  });

  it.each([
    ["no HTTP", () => "hello\r\n\r\n", "400 request.malformed"],
    ["no Host", () => head("GET /docs HTTP/1.1"), "400 request.malformed_header"],
    ["two Hosts", () => head("GET /docs HTTP/1.1", "Host: x", "Host: y"), "400 request.malformed_header"],
    [
      "headers of 20 kB",
      () => head("GET /docs HTTP/1.1", "Host: x", `X-A: ${"a".repeat(20_000)}`),
      "431 request.header_too_large",
    ],
    [
      "a chunk that is none",
      () => `${sendHead("Transfer-Encoding: chunked")}zz\r\n`,
      "400 request.malformed",
    ],
    ["an expectation", () => sendHead("Expect: x", "Content-Length: 2"), "417 request.expectation_failed"],
    ["CONNECT", () => head("CONNECT x:1 HTTP/1.1", "Host: x:1"), "400 request.malformed"],
  ])("gets a problem document if it cannot be parsed: %s", async (_name, bytes, expected) => {
    edge = await startTestEdge();
    const answers = await talk(edge.url, bytes(), { ca: edge.ca });
    expect(answers.map(({ problem: { status, code } }) => `${status} ${code}`)).toEqual([expected]);
    expect(answers[0]?.headers.get("connection")).toBe("close");
    expect(answers[0]?.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  it("answers a request without a key, and does not read its body", async () => {
    edge = await startTestEdge();
    const refused = head("POST /v1/send HTTP/1.1", "Host: x", "Content-Length: 9000000");
    const answers = await talk(edge.url, refused + "a".repeat(9_000_000), { ca: edge.ca });
    expect(answers.map(({ status }) => status)).toEqual([401]);
    expect(answers[0]?.headers.get("connection")).toBe("close");
  });

  it("answers an accepted message before following invalid data", async () => {
    edge = await startTestEdge();
    const bytes = `${sendHead(`Content-Length: ${Buffer.byteLength(goodBody)}`)}${goodBody}nonsense\r\n\r\n`;
    const answers = await talk(edge.url, bytes, { ca: edge.ca });
    expect(answers.map(({ status }) => status)).toEqual([202, 400]);
  });

  it.each([
    ["head", () => "POST /v1/send HTTP/1.1\r\nHost: x\r\n"],
    ["body", () => `${sendHead("Content-Length: 5")}ab`],
  ])("has time limits: of a %s", async (_name, bytes) => {
    edge = await startTestEdge({ times: { requestMs: 100, headersMs: 100, checkMs: 20 } });
    const answers = await talk(edge.url, bytes(), { ca: edge.ca });
    expect(answers.map(({ problem: { status, code } }) => `${status} ${code}`)).toEqual([
      "408 request.timeout",
    ]);
  });
});
