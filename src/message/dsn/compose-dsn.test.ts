import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ComposeDsnInput, composeDsn } from "./compose-dsn.ts";
import type { DsnFacts, DsnOriginal } from "./dsn.ts";
import { parseReport } from "./parse-report.ts";
import type { DeliveryAction, DeliveryReport } from "./report.ts";
import { MAX_RETURNED_BYTES } from "./returned-message.ts";
import { safeText } from "./safe-text.ts";

const GOLDEN = new URL("../../../test/fixtures/dsn/", import.meta.url);
const at = new Date("2026-11-21T11:30:00Z");
const source = Buffer.from(
  "Received: from laptop by mail.example.com\r\nFrom: Ada <ada@example.com>\r\nTo: bob@example.net\r\nSubject: Plans\r\nMessage-ID: <plans@example.com>\r\n\r\nDear Bob,\r\n.\r\n",
);

const failed: DsnFacts = {
  action: "failed",
  status: "5.1.1",
  recipient: "bob@example.net",
  originalRecipient: "rfc822;robert@example.org",
  remoteMta: "mx.example.net",
  diagnostic: { type: "smtp", text: "550 5.1.1 <bob@example.net>: Recipient address rejected: User unknown" },
  lastAttemptAt: new Date("2026-11-21T11:31:00Z"),
};

const original: DsnOriginal = {
  arrivedAt: at,
  subject: "Plans",
  messageId: "<plans@example.com>",
  envelopeId: "QQ314159",
  source,
};

function compose(
  facts: Partial<DsnFacts> = {},
  about: Partial<DsnOriginal> = {},
  more: Partial<ComposeDsnInput> = {},
): Buffer {
  return composeDsn({
    facts: { ...failed, ...facts },
    original: { ...original, ...about },
    to: "ada@example.com",
    from: "mailer-daemon@example.com",
    messageId: "<msg_1@example.com>",
    date: new Date("2026-11-21T11:31:01Z"),
    reportingMta: "mail.example.com",
    ...more,
  });
}

function read(message: Buffer): DeliveryReport {
  const report = parseReport(message);
  if (report.kind !== "dsn") throw new Error(`not read as a report: ${message}`);
  return report;
}

describe("a notice", () => {
  const golden: readonly (readonly [string, Buffer])[] = [
    ["failed-headers", compose()],
    ["failed-full", compose({}, { returnContent: "full" })],
    [
      "delayed",
      compose({ action: "delayed", status: "4.3.0", willRetryUntil: new Date("2026-11-23T11:30:00Z") }),
    ],
    [
      "relayed",
      compose({ action: "relayed", status: "2.0.0", diagnostic: { type: "smtp", text: "250 2.0.0 queued" } }),
    ],
    [
      "global",
      compose(
        { recipient: "jürgen@example.net", originalRecipient: "utf-8;jürgen@example.net" },
        { returnContent: "full", source: Buffer.from(`Subject: Grüße\r\n${source}`) },
        { to: "zoë@example.com" },
      ),
    ],
  ];

  it.each(golden)("%s equals the fixture", (name, message) => {
    expect(message.toString("latin1")).toBe(readFileSync(new URL(`${name}.eml`, GOLDEN), "latin1"));
  });

  it("is parsed back to the same facts", () => {
    expect(read(compose())).toEqual({
      kind: "dsn",
      reportingMta: "mail.example.com",
      originalEnvelopeId: "QQ314159",
      originalMessageId: "<plans@example.com>",
      perRecipient: [
        {
          finalRecipient: "bob@example.net",
          originalRecipient: "robert@example.org",
          action: "failed",
          status: "5.1.1",
          diagnosticCode: failed.diagnostic?.text,
          remoteMta: "mx.example.net",
        },
      ],
    });
  });

  it("of addresses beyond ASCII is one of RFC 6533", () => {
    const message = compose({ recipient: "jürgen@example.net" });
    expect(message.toString()).toContain("Content-Type: message/global-delivery-status");
    expect(read(message).perRecipient[0]?.finalRecipient).toBe("jürgen@example.net");
  });

  it("keeps a quoted local part that resembles an escape", () => {
    const recipient = '"é \\\\x{41}"@example.net';
    expect(read(compose({ recipient })).perRecipient[0]?.finalRecipient).toBe(recipient);
  });

  it.each(["delivered", "relayed", "expanded", "delayed"] as const)(
    "of %s returns only the header, regardless of RET",
    (action) => {
      const text = compose({ action }, { returnContent: "full" }).toString();
      expect(text).toContain("text/rfc822-headers");
      expect(text).not.toContain("Dear Bob");
    },
  );

  it("returns the whole message on request, except a large one", () => {
    expect(compose({}, { returnContent: "full" }).includes(source)).toBe(true);
    const large = Buffer.concat([source, Buffer.from("x\r\n".repeat(MAX_RETURNED_BYTES / 3))]);
    const message = compose({}, { returnContent: "full", source: large });
    expect(message.toString()).toContain("text/rfc822-headers");
    expect(message.length).toBeLessThan(5_000);
  });

  it("of a removed message has two parts", () => {
    const { source: _, ...rest } = original;
    const message = composeDsn({
      facts: failed,
      original: rest,
      to: "ada@example.com",
      from: "mailer-daemon@example.com",
      messageId: "<msg_1@example.com>",
      date: at,
      reportingMta: "mail.example.com",
    });
    expect(read(message).perRecipient).toHaveLength(1);
    expect(message.toString()).not.toContain("rfc822-headers");
  });

  it("has a boundary that the returned message does not contain", () => {
    const boundary = /boundary="([^"]+)"/.exec(compose().toString())?.[1] ?? "";
    const hostile = Buffer.concat([source, Buffer.from(`--${boundary}--\r\n\r\nand more\r\n`)]);
    const message = compose({}, { returnContent: "full", source: hostile });
    const used = /boundary="([^"]+)"/.exec(message.toString())?.[1] ?? "";
    expect(used).not.toBe(boundary);
    expect(message.toString().split(`--${used}`)).toHaveLength(5);
  });

  it.each(["ada@example.com>\r\nBcc: x@example.org", "", "ada"])("is refused for the recipient %j", (to) => {
    expect(() => compose({}, {}, { to })).toThrow(TypeError);
  });
});

describe("foreign text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(
      "\r\n",
      "\n\n",
      "\r\nFinal-Recipient: rfc822; eve@example.org",
      "\r\n\r\n--=_",
      "Action: delivered",
      "\u2028",
      "\u202e",
      "=?utf-8?q?x?=",
      "\x1b[2J",
      "smtp; 250",
      "é",
      "\ud800",
      "\\x{41}",
      "x".repeat(400),
    ),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const actions: readonly DeliveryAction[] = ["failed", "delayed", "delivered", "relayed", "expanded"];
  const recipients = ["bob@example.net", "jürgen@example.net", '"a b"@example.net'];

  it("stays in its field: the notice is parsed back with three parts and one recipient", () => {
    fc.assert(
      fc.property(
        fc.record({ said: text, host: text, subject: text, envelopeId: text, orcpt: text, body: text }),
        fc.constantFrom(...actions),
        fc.constantFrom(...recipients),
        fc.constantFrom("full" as const, "headers" as const),
        ({ said, host, subject, envelopeId, orcpt, body }, action, recipient, returnContent) => {
          const message = compose(
            {
              action,
              recipient,
              remoteMta: host,
              originalRecipient: `rfc822;${orcpt}`,
              diagnostic: { type: "smtp", text: said },
            },
            { subject, envelopeId, returnContent, source: Buffer.from(`Subject: x\r\n${body}`) },
          );
          const report = read(message);
          expect(report.perRecipient).toHaveLength(1);
          expect(report.reportingMta).toBe("mail.example.com");
          expect(report.perRecipient[0]).toMatchObject({
            finalRecipient: recipient,
            action,
            status: "5.1.1",
          });
          expectWellFormed(message);
          const heard = report.perRecipient[0]?.diagnosticCode;
          const isGlobal = message.includes("message/global-delivery-status");
          if (isGlobal && Buffer.byteLength(said) < 800) expect(heard).toBe(safeText(said));
          if (safeText(said) === undefined) expect(heard).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  function expectWellFormed(message: Buffer): void {
    const lines = message.toString("latin1").split("\r\n");
    expect(lines.filter((line) => /[\r\n\0]/.test(line) || line.length > 998)).toEqual([]);
    const end = lines.indexOf("");
    for (const line of lines.slice(0, end)) expect(line).toMatch(/^(?:[\w-]+:|[ \t])[\t -~]*$/);
    const boundary = /boundary="([^"]+)"/.exec(lines.slice(0, end).join("\r\n"))?.[1] ?? "";
    expect(lines.filter((line) => line === `--${boundary}`)).toHaveLength(3);
    expect(lines.filter((line) => line === `--${boundary}--`)).toHaveLength(1);
  }
});
