import { describe, expect, it } from "vitest";
import { targetOf } from "./relay-request.ts";

const operations = {
  server: "https://mail.example.com/hermod",
  home: "http://localhost:8080/hermod",
  paths: ["/v1/emails", "/v1/emails/{message_id}"],
};

describe("the address of a request of the reference", () => {
  it.each([
    ["/v1/emails?limit=2#top", "/v1/emails?limit=2"],
    ["/v1/emails/msg_1", "/v1/emails/msg_1"],
    ["/v1/../v1/emails", "/v1/emails"],
  ])("is at the origin of the page: %s", (path, expected) => {
    expect(targetOf(operations.server + path, operations)).toBe(operations.home + expected);
  });

  it.each([
    "https://mail.example.com/hermod/api/session",
    "https://mail.example.com/hermod/v1/emails/../../api/session",
    "https://mail.example.com/hermod/v1/emails/%2e%2e/%2e%2e/api/session",
    "https://mail.example.com/hermod/v1/emails/msg_1/cancel",
    "https://mail.example.com/v1/emails",
    "https://mail.example.com.evil.example/hermod/v1/emails",
    "http://localhost:8080/hermod/v1/emails",
    "/v1/emails",
  ])("does not exist for an address that is no operation: %s", (url) => {
    expect(targetOf(url, operations)).toBeUndefined();
  });
});
