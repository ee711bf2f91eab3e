import { describe, expect, it } from "vitest";
import { withParts } from "../../../test/harness/text-parts.ts";
import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import { evaluateAlignment, type MailFacts } from "./evaluate-alignment.ts";

const NO_MAIL: MailFacts["own"] = { messages: 0, alignedBy: "nothing" };

function source(
  sourceIp: string,
  [aligned, lost]: readonly [number, number],
  { sender, overridden = 0 }: { readonly sender?: string; readonly overridden?: number } = {},
): DailyRollup {
  const messages = aligned + lost;
  return {
    policyDomain: "example.com",
    day: "2026-11-20",
    sourceIp,
    messages,
    overridden,
    senders: sender === undefined ? {} : { [sender]: messages },
    dispositions: { none: messages, quarantine: 0, reject: 0, other: 0 },
    alignment: { both: aligned, dkim: 0, spf: 0, none: lost },
  };
}

const evaluate = (
  sources: readonly DailyRollup[],
  { own = NO_MAIL, addresses = [] as readonly string[] } = {},
) => withParts(evaluateAlignment({ domain: "example.com", addresses, sources, own }));

describe("alignment according to reports of receivers", () => {
  it.each([
    [[980, 20], "pass"],
    [[979, 21], "warn"],
    [[900, 100], "warn"],
    [[899, 101], "fail"],
    [[0, 500], "fail"],
    [[5, 14], "warn"],
    [[0, 1], "warn"],
    [[1, 0], "pass"],
  ] as const)("%j aligned and not: %s", (counts, status) => {
    expect(evaluate([source("192.0.2.1", counts, { sender: "SendGrid" })]).status).toBe(status);
  });

  it("counts only the domain's own senders, not mail that others send in its name", () => {
    const own = source("192.0.2.1", [1_000, 0]);
    const forged = source("198.51.100.9", [0, 50_000]);
    const evaluated = evaluate([own, forged]);
    expect(evaluated).toMatchObject({ status: "pass" });
    expect(evaluated.observed).toContain("Mail from other sources does not count: 50,000 messages.");
    expect(evaluate([own, forged], { addresses: ["198.51.100.9"] }).status).toBe("fail");
    expect(evaluate([forged])).toMatchObject({ status: "not_tested", lines: [] });
    expect(evaluate([forged], { own: { messages: 3, alignedBy: "signature" } }).status).toBe("pass");
  });

  it("names the source with the largest loss", () => {
    const { status, observed, fix, lines } = evaluate([
      source("192.0.2.1", [10_000, 20]),
      source("192.0.2.2", [0, 700], { sender: "Mailchimp" }),
      source("192.0.2.3", [100, 800], { sender: "Mailchimp" }),
    ]);
    expect(status).toBe("fail");
    expect(observed).toContain("86.9 %");
    expect(observed).toContain("Most of the unaligned mail came from Mailchimp: 1,500 of 1,600 messages.");
    expect(fix?.text).toContain("Configure Mailchimp to sign with DKIM as example.com");
    expect(lines).toEqual(["Mailchimp: 100 of 1,600 aligned", "192.0.2.1: 10,000 of 10,020 aligned"]);
  });

  it("excludes mail that receivers classified as forwarded", () => {
    const forwarded = source("192.0.2.1", [100, 50], { sender: "Google", overridden: 50 });
    expect(evaluate([forwarded])).toMatchObject({ status: "pass" });
    expect(evaluate([source("192.0.2.1", [0, 50], { sender: "Google", overridden: 80 })]).status).toBe(
      "not_tested",
    );
  });

  it("never rounds the share up", () => {
    expect(evaluate([source("192.0.2.1", [999_999, 1])]).observed).toContain("99.9 %");
  });
});

describe("alignment without reports, according to mail sent by Hermod", () => {
  it.each([
    ["signature", "pass"],
    ["return_path", "warn"],
    ["nothing", "warn"],
  ] as const)("aligned by %s: %s", (alignedBy, status) => {
    const evaluated = evaluate([], { own: { messages: 1_200, alignedBy } });
    expect(evaluated.status).toBe(status);
    expect(evaluated.observed).toContain("1,200 messages");
    expect(evaluated.fix === undefined).toBe(status === "pass");
  });

  it("is not judged if Hermod sent nothing", () => {
    expect(evaluate([])).toMatchObject({ status: "not_tested", lines: [] });
  });
});
