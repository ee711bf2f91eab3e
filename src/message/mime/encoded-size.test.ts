import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageContent } from "../content.ts";
import { composeMime } from "./compose-mime.ts";
import { encodedSizeUpperBoundBytes } from "./encoded-size.ts";

const EMPTY: MessageContent = {
  from: { address: "a@example.com" },
  to: [],
  replyTo: [],
  subject: "",
  text: "",
  headers: [],
  attachments: [],
};

function sizes(change: Partial<MessageContent>): [bound: number, actual: number] {
  const content = { ...EMPTY, ...change };
  const messageId = `<${"i".repeat(900)}>`;
  return [encodedSizeUpperBoundBytes(content), composeMime({ content, messageId, date: new Date(0) }).length];
}

describe("is never exceeded by the most expensive input", () => {
  const file = { contentType: "application/pdf", disposition: "attachment" as const };
  const bodies = [
    "\n",
    "\r",
    ".\n",
    "From \n",
    " \n",
    "=",
    "\0",
    "é",
    "👩",
    "=é",
    "a=a=a",
    "aé日👩 ",
    "xxxxxxxxxxx\0",
    "ab👩 xyzabcdef",
  ];
  it.each<[string, Partial<MessageContent>]>([
    ...bodies.map((text): [string, Partial<MessageContent>] => [
      JSON.stringify(text),
      { text: text.repeat(20_000), html: text.repeat(9_999) },
    ]),
    ["subjects", { subject: "\u0800".repeat(332) }],
    [
      "names",
      { to: Array.from({ length: 50 }, () => ({ address: "a@b.c", displayName: "é日".repeat(60) })) },
    ],
    ["short names", { to: Array.from({ length: 50 }, () => ({ address: "a@b.c", displayName: "é" })) }],
    [
      "headers",
      {
        headers: Array.from({ length: 50 }, (_, i) => ({
          name: `${"X".repeat(70)}${i}`,
          value: "é?".repeat(400),
        })),
      },
    ],
    [
      "file names",
      {
        attachments: Array.from({ length: 99 }, () => ({
          ...file,
          filename: "é".repeat(127),
          content: new Uint8Array(1),
        })),
      },
    ],
    [
      "empty files",
      {
        attachments: Array.from({ length: 99 }, () => ({
          ...file,
          filename: "a",
          content: new Uint8Array(0),
        })),
      },
    ],
  ])("%s", (_, change) => {
    const [bound, actual] = sizes(change);
    expect(actual).toBeLessThanOrEqual(bound);
  });

  it("random mixtures", () => {
    const text = fc
      .array(fc.constantFrom(...bodies, "a", " ", "x".repeat(70)), { maxLength: 400 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (body) => {
        const [bound, actual] = sizes({ text: body.repeat(5) });
        expect(actual).toBeLessThanOrEqual(bound);
      }),
    );
  });
});

it("is close for large attachments", () => {
  const content = new Uint8Array(1_000_000);
  const file = {
    filename: "a.bin",
    contentType: "application/pdf",
    disposition: "attachment" as const,
    content,
  };
  const [bound, actual] = sizes({ attachments: [file, file] });
  expect(bound - actual).toBeLessThan(6_000);
});
