import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import type { Attachment } from "../content.ts";
import {
  checkAttachments,
  checkContentId,
  checkContentType,
  checkFilename,
  decodeBase64,
} from "./attachments.ts";

describe("checkFilename", () => {
  it.each(["a.pdf", "Résumé 2026.pdf", "報告.xlsx", 'say "hi";.txt', ".htaccess", "é".repeat(127)])(
    "accepts %j",
    (filename) => {
      expect(checkFilename(filename)).toBeUndefined();
    },
  );

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "..\\b",
    "a\r\nX: y",
    "a\0.pdf",
    "a\u007f",
    " a",
    "a ",
    "\u202efdp.exe",
    "\ud800",
  ])("refuses %j", (filename) => {
    expect(checkFilename(filename)?.code).toBe("attachment.filename_invalid");
  });

  it("refuses a name that readers would decode to another", () => {
    expect(checkFilename("=?utf-8?Q?..=2Fpasswd?=")?.code).toBe("attachment.filename_invalid");
  });

  it("counts octets, not characters", () => {
    expect(checkFilename("é".repeat(128))?.code).toBe("attachment.filename_too_long");
  });
});

describe("checkContentType", () => {
  it.each([
    "application/pdf",
    "text/csv; charset=utf-8",
    'text/plain;name="a b.txt"',
    "image/svg+xml",
    "message/rfc822",
  ])("accepts %j", (contentType) => {
    expect(checkContentType(contentType)).toBeUndefined();
  });

  it.each([
    "",
    "pdf",
    "a/b/c",
    "text/plain;",
    "text/plain; x",
    "text/plain; x=a b",
    'text/plain; x="a"; "',
    'text/plain; x="\\""',
    "text/plain\r\nX: y",
    "text/plain; x=a\r\n y",
    "text/plain; x=é",
    "text/plain\0",
    `text/plain; x=${"a".repeat(255)}`,
  ])("refuses %j", (contentType) => {
    expect(checkContentType(contentType)?.code).toBe("attachment.content_type_invalid");
  });

  it("refuses messages that must not be encoded", () => {
    expect(checkContentType("Multipart/mixed; boundary=x")?.code).toBe("attachment.content_type_not_allowed");
  });

  it("takes no longer for hostile input", () => {
    const took = cpuSecondsOf(() => {
      for (const piece of ["; a=b", '"', ";", "a/", '; a="', "a"]) {
        checkContentType(`a/b${piece.repeat(200_000)}`);
        for (let i = 0; i < 100; i++) checkContentType(`a/b${piece.repeat(60)}`.slice(0, 255));
      }
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});

describe("unencoded parts", () => {
  const attached = (contentType: string, content: string | Buffer) =>
    checkAttachments([
      { filename: "a.eml", contentType, content: Buffer.from(content), disposition: "attachment" },
    ]).map(({ field, code }) => [field, code]);
  const refused = [["contentType", "attachment.content_type_not_allowed"]];

  it.each(["message/rfc822", "Message/Partial; id=1", "message/delivery-status"])(
    "%s is ASCII in lines",
    (type) => {
      expect(attached(type, "Subject: x\r\n\r\nHello.\r\n")).toEqual([]);
      expect(attached(type, "Subject: x\r\n\r\nHällo.\r\n")).toEqual(refused);
      expect(attached(type, "Subject: x\n\nHello.\n")).toEqual(refused);
      expect(attached(type, `Subject: x\r\n\r\n${"x".repeat(999)}\r\n`)).toEqual(refused);
    },
  );

  it("accepts messages of types that may be encoded", () => {
    expect(attached("message/global", "Subject: ü\n\nHällo.\n")).toEqual([]);
    expect(attached("text/rfc822-headers", "Subject: ü\n")).toEqual([]);
  });
});

it("accepts a content id without brackets, with characters that a cid: URL allows", () => {
  for (const id of ["logo", "logo@example.com", "a.b-c_d+e=f"]) expect(checkContentId(id)).toBeUndefined();
  for (const id of ["", "<logo>", "a b", "a\r\nb", "é", "a>b", "a".repeat(129)]) {
    expect(checkContentId(id)?.code).toBe("attachment.content_id_invalid");
  }
});

it("reports every fault with its position, and requires an id for inline parts of the html", () => {
  const part: Attachment = {
    filename: "a.png",
    contentType: "image/png",
    content: new Uint8Array(),
    disposition: "inline",
    contentId: "a",
  };
  const { contentId: _, ...withoutId } = part;
  expect(checkAttachments([part, { ...withoutId, disposition: "attachment" }])).toEqual([]);
  const faults = checkAttachments([
    part,
    withoutId,
    part,
    { ...part, contentId: "b", filename: "/", contentType: "x" },
  ]);
  expect(faults.map(({ index, field, code }) => [index, field, code])).toEqual([
    [1, "contentId", "attachment.content_id_missing"],
    [2, "contentId", "attachment.content_id_duplicate"],
    [3, "filename", "attachment.filename_invalid"],
    [3, "contentType", "attachment.content_type_invalid"],
  ]);
});

describe("decodeBase64", () => {
  it("returns every encoded octet", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (content) => {
        const result = decodeBase64(Buffer.from(content).toString("base64"));
        expect(result.ok && Buffer.from(result.content)).toEqual(Buffer.from(content));
      }),
    );
  });

  it("accepts the output of encoders with lines of any length", () => {
    const lineEnd = fc.constantFrom("\n", "\r\n");
    const length = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(fc.uint8Array(), lineEnd, length, fc.boolean(), (content, end, width, endsLast) => {
        const lines =
          Buffer.from(content)
            .toString("base64")
            .match(new RegExp(`.{1,${width}}`, "g")) ?? [];
        const result = decodeBase64(lines.join(end) + (endsLast ? end : ""));
        expect(result.ok && Buffer.from(result.content)).toEqual(Buffer.from(content));
      }),
    );
  });

  it.each([
    "a",
    "ab",
    "abc",
    "ab=",
    "a===",
    "====",
    "abc=d",
    "YQ",
    "YR==",
    "YQ==\r",
    "YW\rJj",
    "YW Jj",
    "YQ\n=",
    "\nYQ",
    "-_-_",
    "YQ==YQ==",
    "é===",
  ])("refuses %j", (input) => {
    expect(decodeBase64(input)).toMatchObject({ ok: false, code: "attachment.content_not_base64" });
  });
});
