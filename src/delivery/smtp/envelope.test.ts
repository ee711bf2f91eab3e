import { describe, expect, it } from "vitest";
import { readCapabilities } from "./capabilities.ts";
import { type Envelope, envelopeCommands } from "./envelope.ts";
import { messageData } from "./message-data.ts";

const data = messageData(Buffer.from("Subject: Hello\r\n\r\nHello\r\n"));
const commands = (envelope: Envelope, ...offered: string[]) =>
  envelopeCommands(envelope, data, readCapabilities(["250-mx.example.net", ...offered].join("\n")));

describe("quoted local parts", () => {
  it.each(['"a b"@example.net', '"a<b>"@example.net', '"a\\"b\\\\"@example.net', '"a@b"@example.net'])(
    "%s goes as it is",
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
      expect(() => commands({ from: "ada@example.com", to: [address] })).toThrow(/no command may hold/);
    },
  );
});
