import { describe, expect, it } from "vitest";
import { parseMail } from "../../src/message/preview/parse-mail.ts";
import { parseMailApart } from "../../src/message/preview/parse-mail-apart.ts";

const MB = 1024 * 1024;

function mail(text: string, attachment = Buffer.from("a file")): Buffer {
  return Buffer.from(
    [
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/html; charset=utf-8",
      "",
      text,
      "--b",
      'Content-Type: application/octet-stream; name="ä.bin"',
      "Content-Disposition: attachment",
      "Content-Transfer-Encoding: base64",
      "",
      ...(attachment.toString("base64").match(/.{1,76}/g) ?? []),
      "--b--",
      "",
    ].join("\r\n"),
  );
}

describe("a large mail", () => {
  it("gives the same result in a separate thread", async () => {
    const source = mail("<p>ümlaut</p>\r\n".repeat(20_000), Buffer.alloc(MB, "xyz"));
    const apart = await parseMailApart(source);
    expect(apart).toEqual(await parseMail(source));
    expect(Buffer.isBuffer(apart.attachments[0]?.content)).toBe(true);
    expect(apart.attachments[0]?.content.equals(Buffer.alloc(MB, "xyz"))).toBe(true);
  });

  it("does not delay other requests", async () => {
    const source = mail("<p>x\n".repeat(3 * MB));
    const before = performance.eventLoopUtilization();
    const { html, parseError } = await parseMailApart(source);
    const { utilization } = performance.eventLoopUtilization(before);
    expect(parseError).toBeNull();
    expect(html?.length).toBeGreaterThan(3 * MB);
    // Read in place it is busy all the while.
    expect(utilization).toBeLessThan(0.5);
  });

  it("with invalid content is a finding", async () => {
    const source = Buffer.concat([
      Buffer.from("Content-Type: multipart/mixed; boundary=b\r\n\r\n"),
      Buffer.alloc(MB),
    ]);
    expect(await parseMailApart(source)).toMatchObject({ html: null, attachments: [] });
  });
});
