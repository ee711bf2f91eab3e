import { expect, it } from "vitest";
import { sourceWithListUnsubscribe } from "./source-list-unsubscribe.ts";

const url = () => "https://example.com/u/1";
const source = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(""));

it("puts the two fields on top and changes nothing else", () => {
  const before = source("From: a@example.com", "Subject : x", "", "body  ", "");
  expect(String(sourceWithListUnsubscribe(before, url))).toBe(
    `List-Unsubscribe: <${url()}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${before}`,
  );
});

it("lets the message's own field stand", () => {
  const before = source("From: a@example.com", "LIST-unsubscribe: <mailto:a@example.com>", "", "body");
  expect(sourceWithListUnsubscribe(before, url).equals(before)).toBe(true);
});

it("replaces a lone List-Unsubscribe-Post, which would be there twice", () => {
  const before = source("From: a@example.com", "List-Unsubscribe-Post: x", "", "body");
  const after = String(sourceWithListUnsubscribe(before, url));
  expect(after.match(/list-unsubscribe-post/gi)).toHaveLength(1);
});
