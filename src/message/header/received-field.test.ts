import { describe, expect, it } from "vitest";
import { receivedField } from "./received-field.ts";

const passage = {
  clientName: "client.example.org",
  clientAddress: "192.0.2.7",
  serverName: "smtp.example.com",
  protocol: "ESMTPSA",
  id: "sx_1",
  recipient: "ann@example.net",
  at: new Date("2026-11-21T10:00:00.000Z"),
};

it("names the client, the server and the protocol", () => {
  expect(receivedField(passage)).toBe(
    [
      "Received: from client.example.org ([192.0.2.7])",
      "\tby smtp.example.com with ESMTPSA id sx_1",
      "\tfor <ann@example.net>;",
      "\tSat, 21 Nov 2026 10:00:00 +0000",
      "",
    ].join("\r\n"),
  );
});

describe("the client in it", () => {
  it.each([
    ["host_1.example.org", "192.0.2.7", "host_1.example.org ([192.0.2.7])"],
    ["[192.0.2.7]", "192.0.2.7", "[192.0.2.7] ([192.0.2.7])"],
    ["192.0.2.7", "::ffff:192.0.2.7", "[192.0.2.7] ([192.0.2.7])"],
    ["a b; by me", "2001:db8::1", "[IPv6:2001:db8::1] ([IPv6:2001:db8::1])"],
    ["x\r\nBcc: y", "fe80::1%eth0", "[IPv6:fe80::1] ([IPv6:fe80::1])"],
    ["", "nonsense)", "unknown"],
    ["client.example.org", "", "client.example.org"],
    [`${"a".repeat(256)}`, "", "unknown"],
  ])("%j at %j is written %s", (clientName, clientAddress, written) => {
    const field = receivedField({ ...passage, clientName, clientAddress });
    expect(field.split("\r\n")[0]).toBe(`Received: from ${written}`);
  });
});

it("omits the client's name and address if they are hidden, and keeps the rest", () => {
  const field = receivedField({ ...passage, hidesClient: true });
  expect(field).toBe(
    [
      "Received: by smtp.example.com with ESMTPSA id sx_1",
      "\tfor <ann@example.net>;",
      "\tSat, 21 Nov 2026 10:00:00 +0000",
      "",
    ].join("\r\n"),
  );
});

it("names no recipient that it cannot write, and none of several", () => {
  const address = "jörg@example.net";
  expect(receivedField({ ...passage, recipient: address })).not.toContain("for");
  expect(receivedField({ ...passage, recipient: address, protocol: "UTF8SMTPSA" })).toContain(
    `for <${address}>`,
  );
  const { recipient: _, ...several } = passage;
  expect(receivedField(several)).not.toContain("for");
});

it("uses only registered protocols", () => {
  expect(receivedField({ ...passage, protocol: "ESMTP\r\nX: y" })).toContain("with ESMTP id");
  expect(receivedField({ ...passage, serverName: "bad name" })).toContain("by localhost with");
});
