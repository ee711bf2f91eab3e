import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseReport } from "../../message/dsn/parse-report.ts";
import type { RecipientReport } from "../../message/dsn/report.ts";
import { verdictOf } from "./report-verdict.ts";

const FOLDER = "test/fixtures/bounces";
const ANN = "ann@example.net";

function verdictOfFixture(name: string, recipient = ANN) {
  return verdictOf(parseReport(readFileSync(`${FOLDER}/${name}.eml`)), recipient);
}

function verdictOfRecipients(...perRecipient: RecipientReport[]) {
  return verdictOf({ kind: "dsn", perRecipient }, ANN);
}

const unknownUser: RecipientReport = {
  finalRecipient: ANN,
  action: "failed",
  status: "5.1.1",
  diagnosticCode: "550 5.1.1 user unknown",
  remoteMta: "mx.example.net",
};

describe("a report", () => {
  it("about a missing mailbox bounces the message and marks the address invalid", () => {
    expect(verdictOfFixture("postfix-failed")).toEqual({
      kind: "bounced",
      reply: {
        via: "report backend.example.net",
        code: 550,
        enhancedStatusCode: "5.1.1",
        detail: expect.stringContaining("User unknown in virtual mailbox table"),
        category: "invalid_mailbox",
        addressInvalid: true,
      },
    });
    for (const name of [
      "gmail-failed",
      "exchange-online",
      "yahoo-failed",
      "sendmail-failed",
      "exim-report",
    ]) {
      expect([name, verdictOfFixture(name)]).toMatchObject([name, { kind: "bounced" }]);
    }
  });

  it("about any other failure bounces the message and does not change the address", () => {
    const refusals: Partial<RecipientReport>[] = [
      { status: "5.7.1", diagnosticCode: "550 5.7.1 message rejected due to content" },
      { status: "5.2.2", diagnosticCode: "552 5.2.2 mailbox full" },
      { status: "4.4.7", diagnosticCode: "delivery time expired" },
      { status: "4.1.1", diagnosticCode: "450 4.1.1 user unknown" },
    ];
    for (const refusal of refusals) {
      const verdict = verdictOfRecipients({ ...unknownUser, ...refusal });
      expect(verdict).toMatchObject({ kind: "bounced" });
      expect(verdict).not.toHaveProperty("reply.addressInvalid");
    }
  });

  it("without a server reply uses its status", () => {
    const { diagnosticCode: _, ...silent } = unknownUser;
    expect(verdictOfRecipients(silent)).toMatchObject({
      kind: "bounced",
      reply: { detail: "5.1.1", addressInvalid: true },
    });
  });

  it("about another address, after forwarding, bounces the message and marks no address invalid", () => {
    const verdict = verdictOfRecipients({ ...unknownUser, finalRecipient: "bob@example.org" });
    expect(verdict).toMatchObject({ kind: "bounced" });
    expect(verdict).not.toHaveProperty("reply.addressInvalid");
    const original = {
      ...unknownUser,
      finalRecipient: "bob@example.org",
      originalRecipient: "Ann@Example.net",
    };
    expect(verdictOfRecipients(original)).toMatchObject({ reply: { addressInvalid: true } });
  });

  it("that names the recipient among others applies the status of the recipient", () => {
    const other: RecipientReport = { ...unknownUser, finalRecipient: "bob@example.org" };
    expect(verdictOfRecipients(other, { ...unknownUser, action: "delivered" })).toEqual({
      kind: "ignored",
      because: "not_a_failure",
    });
  });

  it("about a delay or a delivery changes nothing", () => {
    for (const name of ["postfix-delayed", "postfix-delivered-utf8"]) {
      expect(verdictOfFixture(name)).toEqual({ kind: "ignored", because: "not_a_failure" });
    }
  });

  it("about spam is a complaint; a not-spam or authentication report is not", () => {
    expect(verdictOfFixture("arf-yahoo")).toEqual({
      kind: "complained",
      reply: { via: "report", detail: "abuse, reported by Yahoo!-Mail-Feedback/2.0" },
    });
    for (const feedbackType of ["not-spam", "other"] as const) {
      expect(verdictOf({ kind: "arf", feedbackType, originalRecipients: [] }, ANN)).toEqual({
        kind: "ignored",
        because: "not_a_complaint",
      });
    }
  });

  it("is ignored if it is an automatic reply or a letter", () => {
    const letters = readdirSync(FOLDER).filter((name) => /^other-.*\.eml$/.test(name));
    expect(letters.length).toBeGreaterThan(3);
    for (const name of letters) {
      expect(verdictOfFixture(name.slice(0, -4))).toEqual({ kind: "ignored", because: "no_report" });
    }
  });
});
