import { describe, expect, it } from "vitest";
import { curlOf } from "./curl.ts";

const header = (name: string, value: string, is_secret = false) => ({ name, value, is_secret });

describe("the command of curl for an attempt", () => {
  it("sends the same headers and the same body, quoted for the shell", () => {
    const attempt = {
      url: "https://shop.example.com/hooks?a=1&b=2",
      request_headers: [
        header("host", "shop.example.com"),
        header("content-type", "application/json"),
        header("content-length", "17"),
        header("webhook-id", "msg_1.1.delivered"),
      ],
    };
    expect(curlOf(attempt, `{"name":"O'Hara"}`)).toBe(
      [
        "curl -X POST 'https://shop.example.com/hooks?a=1&b=2' \\",
        "  -H 'content-type: application/json' \\",
        "  -H 'webhook-id: msg_1.1.delivered' \\",
        String.raw`  --data-binary '{"name":"O'\''Hara"}'`,
      ].join("\n"),
    );
  });

  it("marks the values that are hidden", () => {
    const attempt = { url: "https://a.example/", request_headers: [header("Authorization", "", true)] };
    expect(curlOf(attempt, "{}")).toContain("-H 'Authorization: HIDDEN'");
  });
});
