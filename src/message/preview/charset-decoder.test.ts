import { describe, expect, it } from "vitest";
import { parseMail } from "./parse-mail.ts";

const mail = (charset: string, body: string) =>
  parseMail(Buffer.from(`Content-Type: text/plain; charset=${charset}\r\n\r\n${body}`, "latin1"));

describe("a text is decoded with its character set", () => {
  it.each([
    ["iso-2022-jp", "\x1b$B$3$s$K$A$O\x1b(B", "こんにちは"],
    ["ISO-8859-1", "Gr\xf6\xdfe", "Größe"],
    ["windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"],
    ["gb2312", "\xc4\xe3\xba\xc3", "你好"],
    ["ks_c_5601-1987", "\xbe\xc8\xb3\xe7", "안녕"],
    ["shift_jis", "\x83e\x83X\x83g", "テスト"],
    ["x-nothing", "caf\xe9", "café"],
    ["utf-8", "Gr\xc3\xb6\xc3\x9fe", "Größe"],
  ])("%s", async (charset, body, text) => {
    const { text: found, parseError } = await mail(charset, body);
    expect([found?.trim(), parseError]).toEqual([text, null]);
  });

  it("although its characters arrive in pieces", async () => {
    const { text } = await mail("shift_jis", "\x83e\x83X\x83g".repeat(100_001));
    expect(text?.trim()).toBe("テスト".repeat(100_001));
  });
});
