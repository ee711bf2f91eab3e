import { isAscii } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { afterEach, expect, it } from "vitest";
import { DomainSchema } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { createDeliver } from "../../src/delivery/deliver.ts";
import { createSmtpTransport } from "../../src/delivery/transports/smtp.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { offering, type ScriptedServer, startScriptedServer } from "../harness/scripted-server.ts";
import { signatures, verified } from "../harness/verify-dkim.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const point = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
const domain = create(DomainSchema, {
  keys: [{ selector: "one", algorithm: "ed25519-sha256", recordValue: `v=DKIM1; k=ed25519; p=${point}` }],
});

/** A server that offers these in EHLO. */
async function serve(...offered: string[]): Promise<ScriptedServer> {
  const server = await startScriptedServer({ EHLO: offering("SIZE 1000000", ...offered) });
  closing.push(server.close);
  return server;
}

/** Delivers a signed message to the first of these servers that accepts it. */
async function deliver(
  servers: readonly ScriptedServer[],
  lines: readonly string[],
  changes: Partial<MessageDocument> = {},
) {
  const transport = createSmtpTransport({
    settings: {
      kind: "smtp",
      servers: servers.map(({ host, port }) => ({ host, port })),
      tls: "none",
      maxConnections: 1,
    },
    heloName: "out.example.com",
    timeouts: smtpTimeouts(3_000),
    clock,
  });
  closing.push(transport.close);
  const attempt = createDeliver({
    checkSuppression: async () => undefined,
    suppressionMs: undefined,
    returnPathOf: (message) => message.from,
    loadBody: async () => undefined,
    findPolicy: async () => ({
      _id: "acc_test.default",
      accountId: "acc_test",
      name: "default",
      default: true,
      transports: [{ kind: "sandbox" }],
      updatedAt: clock.now(),
    }),
    findSigners: async () => [{ selector: "one", algorithm: "ed25519-sha256", privateKey }],
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: () => transport,
    clock,
    maxAgeMs: 3_600_000,
    maxHops: 10,
    retentionMs: 1_000,
  });
  const source = Buffer.from(lines.map((line) => `${line}\r\n`).join(""));
  const message = queuedMessage(clock.now(), { operation: "smtp.submit", ...changes });
  return attempt(message, { body: { kind: "raw", source } });
}

const header = ["From: Ada <ada@example.com>", "To: bob@example.net", "Subject: Plans"];
const plain = [...header, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"];
const legacy = [...header.slice(0, 2), "Subject: Pl\u00e4ne", "X-U: \u00fc", "", "Hello."];

/** The first received message, without Hermod's own signature. */
function arrived({ messages: [message] }: ScriptedServer) {
  const [signed = "", mail = ""] = [message?.raw, message?.mail];
  return { mail, signed, source: signed.slice(signed.indexOf("From: ")) };
}

it("a header submitted without SMTPUTF8 is sent unchanged, also to servers without it", async () => {
  for (const offered of [[], ["8BITMIME"], ["8BITMIME", "SMTPUTF8"]]) {
    const server = await serve(...offered);
    expect((await deliver([server], legacy)).transition.to).toBe("delivered");
    const { mail, source, signed } = arrived(server);
    expect(source).toBe(legacy.map((line) => `${line}\r\n`).join(""));
    expect(mail).not.toContain("SMTPUTF8");
    expect(verified(Buffer.from(signed).toString("latin1"), domain)).toEqual(["ed25519-sha256"]);
  }
});

it("a header submitted with SMTPUTF8 is sent unchanged to servers that support it, and rewritten for others", async () => {
  const server = await serve("8BITMIME", "SMTPUTF8");
  expect((await deliver([server], legacy, { utf8Header: true })).transition.to).toBe("delivered");
  expect(arrived(server).mail).toContain(" BODY=8BITMIME SMTPUTF8");
  for (const offered of [["8BITMIME"], []]) {
    const without = await serve(...offered);
    const lines = [...legacy.slice(0, -1), "Caf\u00e9."];
    expect((await deliver([without], lines, { utf8Header: true })).transition.to).toBe("delivered");
    const { mail, source, signed } = arrived(without);
    expect(mail).not.toContain("SMTPUTF8");
    expect(source).toContain("Subject: =?UTF-8?B?UGzDpG5l?=\r\nX-U: =?UTF-8?B?w7w=?=\r\n");
    expect(source).toContain(offered.length > 0 ? "Caf\u00e9." : "Q2Fmw6kuDQo=");
    // The signature covers what was sent.
    expect(verified(Buffer.from(signed).toString("latin1"), domain)).toEqual(["ed25519-sha256"]);
  }
});

it.each([
  [
    "its sender has signed it",
    "DKIM-Signature: v=1; d=example.com; s=x; b=abc",
    "carries a signature that would break (dkim-signature)",
  ],
  [
    "ASCII cannot say it",
    "References: <\u00fc@example.com>",
    "has a references field that only SMTPUTF8 carries",
  ],
])("a header submitted with SMTPUTF8 bounces at servers without it if %s", async (_why, line, reason) => {
  const without = await serve("8BITMIME");
  const { event } = await deliver([without], [line, ...legacy], { utf8Header: true });
  expect(event).toMatchObject({ kind: "bounced", enhancedStatusCode: "5.6.7" });
  expect(event.detail).toContain(
    `internationalized header, which the server does not accept (no SMTPUTF8), and the message ${reason}`,
  );
  expect(without.messages).toEqual([]);
});

it("an address beyond ASCII bounces at servers without SMTPUTF8, regardless of the header", async () => {
  const without = await serve("8BITMIME");
  const { event } = await deliver([without], legacy, {
    utf8Header: true,
    recipient: "j\u00f6rg@example.net",
  });
  expect(event).toMatchObject({ kind: "bounced", enhancedStatusCode: "5.6.7" });
});

const parted = (disposition: string) => [
  ...header,
  "MIME-Version: 1.0",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: text/plain",
  disposition,
  "",
  "Hello.",
  "--b--",
];

it("raw UTF-8 in the header of a part is written in ASCII for a server without 8BITMIME", async () => {
  const server = await serve();
  const lines = parted('Content-Disposition: attachment; filename="\u00fc.txt"');
  expect((await deliver([server], lines)).transition.to).toBe("delivered");
  const { source } = arrived(server);
  expect(isAscii(Buffer.from(source))).toBe(true);
  expect(source).toContain("Content-Disposition: attachment;\r\n filename*0*=utf-8''%C3%BC.txt\r\n");
});

it("the bounce names the field of a part that cannot be written in ASCII", async () => {
  const server = await serve();
  const { event } = await deliver([server], parted("Content-ID: <\u00fc@example.com>"));
  expect(event).toMatchObject({ kind: "bounced", enhancedStatusCode: "5.6.3" });
  expect(event.detail).toContain("and the message has a content-id field that only SMTPUTF8 carries");
});

it("an 8-bit body is sent octet for octet if the server supports it", async () => {
  const server = await serve("8BITMIME");
  const lines = [...plain, "", "The caf\u00e9."];
  expect((await deliver([server], lines)).transition.to).toBe("delivered");
  const { mail, source } = arrived(server);
  expect([mail.includes("BODY=8BITMIME"), source]).toEqual([
    true,
    lines.map((line) => `${line}\r\n`).join(""),
  ]);
});

it("an 8-bit body is converted for a server without 8BITMIME, and signed in its sent form", async () => {
  const server = await serve();
  const text = "The caf\u00e9 opens at eight o'clock in the evening.";
  expect((await deliver([server], [...plain, "", text])).transition.to).toBe("delivered");
  const { mail, source, signed } = arrived(server);
  expect(isAscii(Buffer.from(signed))).toBe(true);
  expect(source).toBe(
    [...plain, "Content-Transfer-Encoding: quoted-printable", "", text.replace("\u00e9", "=C3=A9"), ""].join(
      "\r\n",
    ),
  );
  expect(mail).toContain(` SIZE=${Buffer.byteLength(signed)}`);
  expect(mail).not.toContain("BODY");
  expect(signatures(signed)).toHaveLength(1);
  expect(verified(signed, domain)).toEqual(["ed25519-sha256"]);
});

it("is converted again for the next server only if that one needs it", async () => {
  const [first, second] = [await serve(), await serve("8BITMIME")];
  first.script = { ...first.script, MAIL: "452 4.3.1 no space" };
  const lines = [...plain, "", "The caf\u00e9."];
  expect((await deliver([first, second], lines)).transition.to).toBe("delivered");
  expect(arrived(second).source).toBe(lines.map((line) => `${line}\r\n`).join(""));
});

it("an 8-bit body with a foreign signature bounces at a server without 8BITMIME, with the reason", async () => {
  const server = await serve();
  const signed = ["DKIM-Signature: v=1; d=example.com; s=x; b=abc", ...plain, "", "The caf\u00e9."];
  const { event } = await deliver([server], signed);
  expect(event).toMatchObject({ kind: "bounced", enhancedStatusCode: "5.6.3", category: "policy" });
  expect(event.detail).toBe(
    "the server accepts only ASCII bodies (no 8BITMIME), and the message carries a signature that would break (dkim-signature)",
  );
  expect(server.messages).toEqual([]);
});

it("a DomainKey-Signature field does not prevent the conversion of a body, because it is no longer verified", async () => {
  const server = await serve();
  const lines = [
    "DomainKey-Signature: a=rsa-sha1; d=example.com; s=x; b=abc",
    ...plain,
    "",
    "The caf\u00e9.",
  ];
  expect((await deliver([server], lines)).transition.to).toBe("delivered");
  expect(arrived(server).source).toContain("The caf=C3=A9.");
});
