import { describe, expect, it } from "vitest";
import { meetsFilter, readAddressFilter } from "./filter.ts";
import { addressParts, subjectWords, wordsOf } from "./words.ts";

describe("the words of a text", () => {
  it.each([
    ["Your order #17 has shipped!", ["your", "order", "17", "has", "shipped"]],
    ["order ORDER Ｏrder", ["order"]],
    ["l'été à Köln", ["l", "été", "à", "köln"]],
    ["注文の確認", ["注文", "文の", "の確", "確認"]],
    ["文", ["文"]],
    ["…!?", []],
    ["x".repeat(50), ["x".repeat(40)]],
  ])("of %j are these", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("of a subject are at most 32", () => {
    const subject = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
    expect(subjectWords(subject)).toHaveLength(32);
  });
});

describe("an address", () => {
  it("has its domain, and words of all but the last label", () => {
    expect(addressParts("Ada.Lovelace+shop@Mail.Example.COM")).toEqual({
      whole: "ada.lovelace+shop@mail.example.com",
      domain: "mail.example.com",
      words: ["ada", "lovelace", "shop", "mail", "example"],
    });
    expect(addressParts("")).toEqual({ whole: "", domain: "", words: [] });
  });

  it.each([
    ["Ada@Example.com", { kind: "whole", address: "ada@example.com" }],
    ["@Example.com", { kind: "domain", domain: "example.com" }],
    ["ada.lovelace", { kind: "words", words: ["ada", "lovelace"] }],
    ["ada@", { kind: "words", words: ["ada"] }],
  ] as const)("is searched for as %j specifies", (text, filter) => {
    expect(readAddressFilter(text)).toEqual(filter);
  });
});

describe("a filter", () => {
  const message = {
    _id: "msg_1",
    headerMessageId: "<msg_1@example.org>",
    recipient: "ada@example.com",
    recipientDomain: "example.com",
    from: "shop@example.org",
    subject: "Order 17",
    state: "delivered" as const,
    policy: "default",
    keyId: "key_1",
    traceId: "sx_1",
  };

  it("does not treat a property of every object as an entry of the metadata", () => {
    expect(meetsFilter({ ...message, metadata: {} }, { metadata: { constructor: "x" } })).toBe(false);
    expect(meetsFilter(message, { metadata: { toString: "x" } })).toBe(false);
    expect(meetsFilter({ ...message, metadata: { toString: "x" } }, { metadata: { toString: "x" } })).toBe(
      true,
    );
  });

  it("without conditions matches every message", () => {
    expect(meetsFilter(message, {})).toBe(true);
  });
});
