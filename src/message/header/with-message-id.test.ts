import { describe, expect, it } from "vitest";
import { withMessageId } from "./with-message-id.ts";

const ID = "<new@example.com>";
const lines = (...all: string[]) => Buffer.from(all.join("\r\n"), "latin1");

function renamed(source: Buffer): string {
  const result = withMessageId(source, ID);
  if (!result.ok) throw new Error(result.message.text);
  return result.source.toString("latin1");
}

describe("a finished message under another Message-ID", () => {
  it.each([
    ["as it stands mostly", "Message-ID: <old@example.com>"],
    ["in other letters", "message-id:<old@example.com>"],
    ["on two lines", "Message-Id:\r\n <old@example.com>"],
  ])("keeps every other octet (%s)", (_, field) => {
    const body = ["", "Message-ID: <in the body>", "caf\xe9 \x00", ""];
    const source = lines("From:  Ada <ada@example.com>", field, "SUBJECT: x\t", ...body);
    expect(renamed(source)).toBe(
      lines("From:  Ada <ada@example.com>", `Message-ID: ${ID}`, "SUBJECT: x\t", ...body).toString("latin1"),
    );
  });

  it("is found within a larger buffer, and as a header only", () => {
    const source = lines("Message-ID: <old@example.com>", "From: ada@example.com");
    const within = Buffer.concat([Buffer.from("before"), source]).subarray("before".length);
    expect(renamed(within)).toBe(`Message-ID: ${ID}\r\nFrom: ada@example.com`);
  });

  it.each(["DKIM-Signature", "ARC-Message-Signature"])("is unchanged if it has a %s", (name) => {
    const source = lines(`${name}: v=1; h=from:message-id`, "Message-ID: <old@example.com>", "", "Hello");
    expect(withMessageId(source, ID)).toEqual({ ok: true, source, isRenamed: false });
  });

  it("is refused without one, and with several", () => {
    expect(withMessageId(lines("From: ada@example.com", "", ""), ID)).toMatchObject({ ok: false });
    const two = lines("Message-ID: <a@b.example>", "Message-ID: <c@d.example>", "", "");
    expect(withMessageId(two, ID)).toMatchObject({ ok: false });
  });
});
