import { describe, expect, it } from "vitest";
import { readCapabilities } from "./capabilities.ts";
import { type Envelope, envelopeCommands } from "./envelope.ts";
import { messageData } from "./message-data.ts";

const data = messageData(Buffer.from("Subject: Hello\r\n\r\nHello\r\n"));
const commands = (envelope: Envelope, ...offered: string[]) =>
  envelopeCommands(envelope, data, readCapabilities(["250-mx.example.net", ...offered].join("\n")));

describe("quoted local parts", () => {
  it.each(['"a b"@example.net', '"a<b>"@example.net', '"a\\"b\\\\"@example.net', '"a@b"@example.net'])(
    "%s is sent unchanged",
    (address) => {
      expect(commands({ from: address, to: [address] })).toEqual({
        mail: `MAIL FROM:<${address}>\r\n`,
        rcpt: [`RCPT TO:<${address}>\r\n`],
      });
    },
  );

  it.each(['"a\r\nb"@example.net', '"a\u0000b"@example.net', '"a" b@example.net', '"a>"b"@example.net'])(
    "%j is refused before anything is sent",
    (address) => {
      expect(() => commands({ from: "ada@example.com", to: [address] })).toThrow(
        /not allowed in SMTP commands/,
      );
    },
  );
});

describe("the sender's request for notices", () => {
  const from = "ada@example.com";
  const to = ["bob@example.net"];
  const dsn = {
    notify: ["success", "delay"],
    originalRecipient: "rfc822;bob+news=a@example.org",
    envelopeId: "QQ 314+159",
    returnContent: "headers",
  } as const;

  it("is passed on to a server that supports DSN", () => {
    expect(commands({ from, to, dsn }, "250 DSN")).toEqual({
      mail: "MAIL FROM:<ada@example.com> RET=HDRS ENVID=QQ+20314+2B159\r\n",
      rcpt: ["RCPT TO:<bob@example.net> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;bob+2Bnews+3Da@example.org\r\n"],
    });
  });

  it("is not sent to other servers", () => {
    expect(commands({ from, to, dsn })).toEqual(commands({ from, to }));
  });

  it("has only the requested parameters", () => {
    expect(commands({ from: "", to, dsn: { notify: ["never"] } }, "250 DSN")).toEqual({
      mail: "MAIL FROM:<>\r\n",
      rcpt: ["RCPT TO:<bob@example.net> NOTIFY=NEVER\r\n"],
    });
  });

  it("names internationalized addresses in ASCII", () => {
    const { rcpt } = commands(
      { from, to, dsn: { originalRecipient: "utf-8;jürgen+x@example.net" } },
      "250 DSN",
    );
    expect(rcpt).toEqual(["RCPT TO:<bob@example.net> ORCPT=utf-8;j\\x{FC}rgen\\x{2B}x@example.net\r\n"]);
  });

  it.each([
    { envelopeId: "x\r\nRCPT TO:<eve@example.org>" },
    { envelopeId: "é" },
    { envelopeId: "x".repeat(101) },
    { originalRecipient: "rfc822;a\r\nDATA" },
    { originalRecipient: "bob@example.net" },
    { originalRecipient: `rfc822;${"x".repeat(500)}@example.net` },
  ])("is left out where no command may hold it: %j", (dsn) => {
    expect(commands({ from, to, dsn }, "250 DSN")).toEqual(commands({ from, to }, "250 DSN"));
  });
});
