import { describe, expect, it } from "vitest";
import type { MessageContent } from "../content.ts";
import { composeMime } from "../mime/compose-mime.ts";
import { unsubscribeBaseFault } from "./base-url.ts";
import { createUnsubscribeUrl, sourceWithListUnsubscribe, withListUnsubscribe } from "./list-unsubscribe.ts";
import { createUnsubscribeTokens } from "./token.ts";

const tokens = createUnsubscribeTokens(Buffer.alloc(32, 1));
const subscription = { accountId: "a", policy: "p", recipient: "ada@example.org", messageId: "m" };
const content = (headers: MessageContent["headers"]): MessageContent => ({
  from: { address: "news@example.com" },
  to: [{ address: "ada@example.org" }],
  replyTo: [],
  subject: "News",
  text: "News.",
  headers,
  attachments: [],
});

describe("List-Unsubscribe", () => {
  it("uses the base URL, including its path", () => {
    for (const base of ["https://mail.example.com/hermod", "https://mail.example.com/hermod/"]) {
      const url = createUnsubscribeUrl(base, tokens)?.(subscription);
      expect(url).toBe(`https://mail.example.com/hermod/u/${tokens.encode(subscription)}`);
    }
  });

  it("requires https, except on loopback", () => {
    for (const base of [
      "https://mail.example.com",
      "http://127.0.0.1:8080",
      "http://localhost",
      "http://[::1]:1",
    ]) {
      expect(unsubscribeBaseFault(base)).toBeUndefined();
    }
    for (const base of [
      undefined,
      "",
      "mail.example.com",
      "http://mail.example.com",
      "http://127.0.0.1.example.com",
      "http://localhost.example.com",
      "ftp://127.0.0.1",
    ]) {
      expect(String(unsubscribeBaseFault(base))).toContain("HERMOD_BASE_URL");
      expect(createUnsubscribeUrl(base, tokens)).toBeUndefined();
    }
  });

  it("is written with its one-click field, in one piece of any length", () => {
    const url = `https://mail.example.com/u/${"x".repeat(690)}`;
    const added = withListUnsubscribe(content([{ name: "X-A", value: "1" }]), () => url);
    const source = composeMime({ content: added, messageId: "a@b", date: new Date(0) }).toString();
    expect(source).toContain("\r\nX-A: 1\r\n");
    expect(source.replace(/\r\n /g, " ")).toContain(
      `\r\nList-Unsubscribe: <${url}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`,
    );
    for (const line of source.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
  });

  it("of the message itself stays unchanged", () => {
    const own = content([{ name: "LIST-unsubscribe", value: "<mailto:off@example.com>" }]);
    expect(withListUnsubscribe(own, () => "https://a.example")).toBe(own);
  });

  it("has one List-Unsubscribe-Post, regardless of the fields of the message", () => {
    const own = content([{ name: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" }]);
    const names = withListUnsubscribe(own, () => "https://a.example").headers.map(({ name }) => name);
    expect(names).toEqual(["List-Unsubscribe", "List-Unsubscribe-Post"]);
  });
});

describe("List-Unsubscribe of a finished message", () => {
  const url = () => "https://example.com/u/1";
  const source = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(""));

  it("adds the two fields on top and changes nothing else", () => {
    const before = source("From: a@example.com", "Subject : x", "", "body  ", "");
    expect(String(sourceWithListUnsubscribe(before, url))).toBe(
      `List-Unsubscribe: <${url()}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${before}`,
    );
  });

  it("keeps the message's own field", () => {
    const before = source("From: a@example.com", "LIST-unsubscribe: <mailto:a@example.com>", "", "body");
    expect(sourceWithListUnsubscribe(before, url).equals(before)).toBe(true);
  });

  it("replaces a lone List-Unsubscribe-Post, which would be a duplicate", () => {
    const before = source("From: a@example.com", "List-Unsubscribe-Post: x", "", "body");
    const after = String(sourceWithListUnsubscribe(before, url));
    expect(after.match(/list-unsubscribe-post/gi)).toHaveLength(1);
  });
});
