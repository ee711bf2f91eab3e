import { describe, expect, it } from "vitest";
import { relayProviderOf } from "../../shared/relay-providers.ts";
import { createReturnPaths } from "../dsn/return-path.ts";
import { relayMark } from "./relay-mark.ts";

const returnPath = createReturnPaths({ domain: "bounce.example.com", secret: "s" }).encode(
  "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
);
const local = returnPath.slice(0, returnPath.indexOf("@"));
const source = (header = "From: a@example.com\r\n") => Buffer.from(`${header}\r\nX-SMTPAPI: in the body\r\n`);

describe("the provider of a relay", () => {
  it.each([
    ["email-smtp.eu-west-1.amazonaws.com", "ses"],
    ["Email-SMTP-FIPS.us-gov-west-1.amazonaws.com.", "ses"],
    ["smtp.postmarkapp.com", "postmark"],
    ["smtp-broadcasts.postmarkapp.com", "postmark"],
    ["smtp.eu.mailgun.org", "mailgun"],
    ["smtp.sendgrid.net", "sendgrid"],
    ["smtp.example.com", undefined],
    ["email-smtp.eu-west-1.amazonaws.com.example.org", undefined],
    ["xsmtp.sendgrid.net", undefined],
  ])("is recognized by its server: %s", (host, provider) => {
    expect(relayProviderOf(host)).toBe(provider);
  });
});

describe("the mark of a message", () => {
  it("names its return path in the form that each provider repeats", () => {
    expect(relayMark("postmark", returnPath, source())).toBe(`X-PM-Metadata-hermod: ${local}\r\n`);
    expect(local.length).toBeLessThanOrEqual(80);
    expect(relayMark("mailgun", returnPath, source())).toBe(`X-Mailgun-Variables: {"hermod":"${local}"}\r\n`);
    expect(relayMark("sendgrid", returnPath, source())).toBe(
      `X-SMTPAPI: {"unique_args":{"hermod":"${local}"}}\r\n`,
    );
    expect(relayMark("ses", returnPath, source())).toBe("");
  });

  it("is omitted without a return path, and does not replace a field of the sender", () => {
    expect(relayMark("postmark", "hello@example.com", source())).toBe("");
    expect(relayMark("postmark", "", source())).toBe("");
    const own = source("From: a@example.com\r\nx-smtpapi : {}\r\n");
    expect(relayMark("sendgrid", returnPath, own)).toBe("");
    expect(relayMark("sendgrid", returnPath, source("X-SMTPAPI: {}\r\n"))).toBe("");
    expect(relayMark("sendgrid", returnPath, source("A: X-SMTPAPI: {}\r\n"))).not.toBe("");
  });
});
