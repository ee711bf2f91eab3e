import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

it("never writes what stands under the name of a secret or a body", () => {
  const lines = new PassThrough();
  const log = createLogger("info", lines);
  const secrets = {
    apiKey: "S3",
    password: "S3",
    token: "S3",
    html: "S3",
    text: "S3",
    "x-api-key": "S3",
    authorization: "S3",
  };
  log.info({ ...secrets, request: secrets, deep: { request: secrets } }, "hello");
  const line = String(lines.read());
  expect(line).not.toContain("S3");
  expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "hello", apiKey: "[redacted]" });
});
