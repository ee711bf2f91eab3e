import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/shared/ids.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { captured, credentialOf, envelopeTo, plainSource, sourceOf } from "../harness/submission.ts";
import { verified } from "../harness/verify-dkim.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_KEY_CACHE_MS: "200", HERMOD_MAX_HOPS: "5" } });
});
afterAll(() => hermod.dispose());

const submit = (source: Buffer, recipients = ["ann@example.net"], changes = {}) =>
  hermod.core.submissions.submit(envelopeTo(hermod, recipients, changes), source);
const countMessages = () => withStore(hermod, (db) => db.collection("messages").countDocuments());

describe("a sending key", () => {
  it("is accepted only with its password", async () => {
    const credential = credentialOf(hermod);
    const opened = await hermod.core.submissions.authenticate(credential);
    expect(opened.keyId).toMatch(/^key_/);
    const wrong = [
      { ...credential, password: "" },
      { ...credential, password: `${credential.password}x` },
      { ...credential, username: hermod.firstRun.api_key },
      { ...credential, username: "" },
    ];
    for (const one of wrong) {
      await expect(hermod.core.submissions.authenticate(one)).rejects.toMatchObject({
        code: expect.stringMatching(/^auth\.key_/),
      });
      await expect(submit(plainSource(), undefined, { credential: one })).rejects.toMatchObject({
        code: expect.stringMatching(/^auth\.key_/),
      });
    }
  });

  it("works only from its addresses, and only for its senders", async () => {
    const made = await hermod.core.keys.createKey({
      kind: "smtp",
      senders: ["other@example.com"],
      allowedAddresses: ["192.0.2.0/24"],
    });
    const credential = { username: made.secret, password: made.password, clientAddress: "192.0.2.9" };
    await hermod.core.submissions.authenticate(credential);
    const elsewhere = { ...credential, clientAddress: "203.0.113.1" };
    await expect(hermod.core.submissions.authenticate(elsewhere)).rejects.toMatchObject({
      code: "auth.address_not_allowed",
    });
    const { checkSender } = hermod.core.submissions;
    await expect(checkSender(credential, hermod.firstRun.sender)).rejects.toMatchObject({
      code: "sender.not_allowed",
    });
  });

  it("stops immediately when it is revoked, during any use", async () => {
    const { key, secret: username, password } = await hermod.core.keys.createKey({ kind: "smtp" });
    const credential = { username, password, clientAddress: "192.0.2.7" };
    await hermod.core.submissions.authenticate(credential);
    await submit(plainSource(), undefined, { credential });
    await hermod.core.keys.revokeKey({ key: key?.id ?? "" });
    await expect(submit(plainSource(), undefined, { credential })).rejects.toMatchObject({
      code: "auth.key_invalid",
    });
    await expect(
      hermod.core.submissions.checkSender(credential, hermod.firstRun.sender),
    ).rejects.toMatchObject({ code: "auth.key_invalid" });
  });
});

describe("a sender", () => {
  it.each([
    ["hello@example.com", undefined],
    ["HELLO@Example.com", undefined],
    ["", "sender.null_not_allowed"],
    ["hello@", "sender.malformed"],
    ["other@example.com", "sender.unverified"],
  ])("%j: %s", async (address, code) => {
    const checked = hermod.core.submissions.checkSender(credentialOf(hermod), address);
    if (code === undefined) await expect(checked).resolves.toBeUndefined();
    else await expect(checked).rejects.toMatchObject({ code });
    const submitted = submit(plainSource(), undefined, { mailFrom: address });
    if (code === undefined) await submitted;
    else await expect(submitted).rejects.toMatchObject({ code });
  });

  it("is checked in the From field, too", async () => {
    const source = sourceOf("From: Eve <eve@example.org>", "Subject: Hi", "", "Hello.");
    await expect(submit(source)).rejects.toMatchObject({ code: "sender.unverified" });
  });

  it.each(["Sender", "Resent-From", "Resent-Sender"])("is checked in %s, if there is one", async (name) => {
    const before = await countMessages();
    const submitted = submit(plainSource(`${name}: Eve <eve@example.org>`));
    await expect(submitted).rejects.toMatchObject({ code: "sender.unverified" });
    expect(await countMessages()).toBe(before);
    await submit(plainSource(`${name}: Hermod <hello@example.com>`));
  });
});

describe("a header beyond ASCII", () => {
  const utf8 = Buffer.from("X-U: \u00fc\r\nSubject: Gr\u00fc\u00dfe\r\n");
  const latin1 = Buffer.from(utf8.toString(), "latin1");
  const withHeader = (fields: Buffer) =>
    Buffer.concat([fields, sourceOf("From: Hermod <hello@example.com>", "", "Hello.")]);
  const stored = (id: string | undefined) =>
    withStore(hermod, (db) => db.collection<{ _id: string }>("messages").findOne({ _id: id ?? "" }));

  it.each([
    ["UTF-8", utf8],
    ["Latin-1", latin1],
  ])(
    "in %s is accepted unchanged without SMTPUTF8, and does not need it in delivery",
    async (_name, fields) => {
      const { messageIds } = await submit(withHeader(fields));
      expect((await captured(hermod, messageIds[0])).includes(fields)).toBe(true);
      expect(await stored(messageIds[0])).not.toHaveProperty("utf8Header");
    },
  );

  it("needs SMTPUTF8 if it was submitted with it", async () => {
    const protocol = "UTF8SMTPSA";
    const { messageIds } = await submit(withHeader(utf8), undefined, { protocol });
    expect(await stored(messageIds[0])).toMatchObject({ utf8Header: true });
    const ascii = await submit(plainSource(), undefined, { protocol });
    expect(await stored(ascii.messageIds[0])).not.toHaveProperty("utf8Header");
  });

  it("is refused if it was submitted with SMTPUTF8 and is not UTF-8 (RFC 6532)", async () => {
    const before = await countMessages();
    await expect(submit(withHeader(latin1), undefined, { protocol: "UTF8SMTPSA" })).rejects.toMatchObject({
      code: "message.malformed",
      public: expect.stringContaining("RFC 6532"),
    });
    expect(await countMessages()).toBe(before);
  });
});

describe("an accepted message", () => {
  it("is sent unchanged, except for the fields that are added and removed", async () => {
    const body = ["", "Grüße, bytes and dots", ".", "..", "  trailing  ", ""];
    const kept = [
      "DKIM-Signature: v=1; a=rsa-sha256;\r\n  d=example.org",
      "From: =?utf-8?Q?J=C3=B6rg?= (the boss) <hello@example.com>",
      "subject: Folded\r\n\t subject",
      "X-Empty:",
    ];
    const source = sourceOf(
      "Return-Path: <secret@example.com>",
      ...kept.slice(0, 2),
      "bCC: hidden@example.net,\r\n more@example.net",
      "x-service-POLICY:\r\n sandbox",
      ...kept.slice(2),
      ...body,
    );
    const answer = await submit(source);
    const text = (await captured(hermod, answer.messageIds[0])).toString();
    const at = text.indexOf("DKIM-Signature: v=1");
    expect(text.slice(at)).toBe(sourceOf(...kept, ...body).toString());
    const added = text.slice(0, at);
    expect(added).toMatch(
      new RegExp(
        [
          String.raw`^Received: by smtp\.example\.com with ESMTPSA id ${answer.traceId}\r\n`,
          String.raw`\tfor <ann@example\.net>;\r\n\t\w{3}, .* \+0000\r\n`,
          String.raw`Message-ID: <${answer.messageIds[0]}@example\.com>\r\nDate: .* \+0000\r\n$`,
        ].join(""),
      ),
    );
    // Neither the key nor the location of its submitter.
    for (const hidden of [hermod.firstRun.smtp.username, "client.example.org", "192.0.2.7"]) {
      expect(text).not.toContain(hidden);
    }
    const { message } = await hermod.core.messages.getMessage({ id: answer.messageIds[0] ?? "" });
    expect(message).toMatchObject({
      from: "hello@example.com",
      recipient: "ann@example.net",
      subject: "Folded  subject",
      routingPolicy: "sandbox",
      headerMessageId: `<${answer.messageIds[0]}@example.com>`,
    });
  });

  it("names its client in the Received field if HERMOD_SMTP_SHOW_CLIENT is set", async () => {
    const showing = await startHermod({ settings: { HERMOD_SMTP_SHOW_CLIENT: "true" } });
    try {
      const answer = await showing.core.submissions.submit(
        envelopeTo(showing, ["ann@example.net"]),
        plainSource(),
      );
      const text = (await captured(showing, answer.messageIds[0])).toString();
      expect(text).toMatch(
        /^Received: from client\.example\.org \(\[192\.0\.2\.7\]\)\r\n\tby smtp\.example\.com /,
      );
    } finally {
      await showing.dispose();
    }
  });

  it("keeps its own Message-ID and Date", async () => {
    const answer = await submit(plainSource("Message-ID: <own@example.org>"));
    const text = (await captured(hermod, answer.messageIds[0])).toString();
    expect(text.match(/^(?:message-id|date):/gim)).toEqual(["Message-ID:", "Date:"]);
    const { message } = await hermod.core.messages.getMessage({ id: answer.messageIds[0] ?? "" });
    expect(message?.headerMessageId).toBe("<own@example.org>");
  });

  it("reaches each of its recipients once, under one trace id", async () => {
    const recipients = ["bob@example.net", "Ann@example.net", "ann@EXAMPLE.net", "eve@example.org"];
    const answer = await submit(plainSource(), recipients);
    const [bob, ann, again, eve] = answer.messageIds;
    expect(again).toBe(ann);
    expect(new Set(answer.messageIds).size).toBe(3);
    const sources = await Promise.all([bob, ann, eve].map((id) => captured(hermod, id)));
    expect(new Set(sources.map(String)).size).toBe(1);
    expect(String(sources[0])).not.toContain("for <");
    const stored = await withStore(hermod, (db) =>
      db.collection("messages").find({ traceId: answer.traceId }).toArray(),
    );
    expect(stored.map(({ recipient }) => recipient).toSorted()).toEqual([
      "Ann@example.net",
      "bob@example.net",
      "eve@example.org",
    ]);
    expect(new Set(stored.map(({ contentId }) => contentId)).size).toBe(1);
  });

  it("accepts a thousand recipients and no more", async () => {
    const thousand = Array.from({ length: 1000 }, (_, n) => `r${n}@example.net`);
    const answer = await submit(plainSource(), thousand);
    expect(new Set(answer.messageIds).size).toBe(1000);
    const before = await countMessages();
    await expect(submit(plainSource(), [...thousand, "more@example.net"])).rejects.toMatchObject({
      code: "request.validation_failed",
    });
    expect(await countMessages()).toBe(before);
  });

  it("keeps its RFC 3461 parameters, and MAIL FROM if it is another address", async () => {
    await hermod.core.senders.addSender({ value: "bounces.example.com" });
    const answer = await hermod.core.submissions.submit(
      {
        ...envelopeTo(hermod, []),
        mailFrom: "b@bounces.example.com",
        envelopeId: "env 1",
        returnContent: "headers",
        recipients: [
          {
            address: "ann@example.net",
            notify: ["delay", "failure"],
            originalRecipient: "rfc822;a@example.org",
          },
          { address: "bob@example.net" },
        ],
      },
      plainSource(),
    );
    const stored = await withStore(hermod, (db) =>
      db.collection("messages").find({ traceId: answer.traceId }).sort({ _id: 1 }).toArray(),
    );
    const shared = {
      from: "hello@example.com",
      envelopeFrom: "b@bounces.example.com",
      envelopeId: "env 1",
      returnContent: "headers",
    };
    expect(stored).toMatchObject([
      { ...shared, notify: ["failure", "delay"], originalRecipient: "rfc822;a@example.org" },
      shared,
    ]);
    expect(stored[1]).not.toHaveProperty("notify");
    const [id = ""] = answer.messageIds;
    await captured(hermod, id);
    const { message } = await hermod.core.sandbox.getSandboxMessage({ id });
    expect(message?.envelopeFrom).toBe("b@bounces.example.com");
  });

  it("is signed for the domain of From", async () => {
    const { domain } = await hermod.core.domains.addDomain({ domain: "example.com" });
    if (!domain) throw new Error("no domain");
    const text = await eventually(async () => {
      const answer = await submit(plainSource());
      const source = (await captured(hermod, answer.messageIds[0])).toString("latin1");
      return source.includes("DKIM-Signature") ? source : undefined;
    });
    expect(verified(text, domain).toSorted()).toEqual(["ed25519-sha256", "rsa-sha256"]);
  });
});

describe("a refused message", () => {
  const from = "From: hello@example.com";
  it.each([
    ["no From", sourceOf("Subject: Hi", "", "Hi"), "message.malformed"],
    ["two From fields", sourceOf(from, from, "", "Hi"), "message.malformed"],
    ["two addresses in From", sourceOf(`${from}, a@example.com`, "", "Hi"), "message.malformed"],
    ["a group in From", sourceOf("From: us: hello@example.com;", "", "Hi"), "message.malformed"],
    [
      "another address in the name",
      sourceOf("From: ceo@bank.example <hello@example.com>", "", "Hi"),
      "message.malformed",
    ],
    [
      "another address behind Sender's",
      plainSource(`Sender: a@b.example, ${from.slice(6)}`),
      "message.malformed",
    ],
    ["a second Subject", plainSource("Subject: a"), "message.malformed"],
    ["a space before a colon", plainSource("X-Note : a"), "message.malformed"],
    ["a date that is none", sourceOf(from, "Date: 31 Feb 2026 10:00 GMT", "", "Hi"), "message.malformed"],
    ["a control character in a field", plainSource("X-Note: a\u001bb"), "message.malformed"],
    ["a bare LF", Buffer.from(`${from}\r\n\r\nHi\nthere\r\n`), "message.malformed"],
    ["a bare CR", Buffer.from(`${from}\r\n\r\nHi\rthere\r\n`), "message.malformed"],
    ["a NUL", Buffer.from(`${from}\r\n\r\nHi\0there\r\n`), "message.malformed"],
    ["a line of 999 octets", sourceOf(from, "", "x".repeat(999)), "message.malformed"],
    ["a header line that is none", sourceOf(from, "what", "", "Hi"), "message.malformed"],
    ["a fold of nothing", sourceOf(" folded", from, "", "Hi"), "message.malformed"],
    ["an unknown policy", plainSource("X-Service-Policy: fast"), "policy.unknown"],
    [
      "two policies",
      plainSource("X-Service-Policy: sandbox", "x-service-policy: sandbox"),
      "message.malformed",
    ],
    ["an idempotency key with a space", plainSource("X-Idempotency-Key: a b"), "request.malformed_header"],
    ["too many hops", plainSource(...Array.from({ length: 6 }, () => "Received: x")), "message.looping"],
    ["nothing in it", Buffer.alloc(0), "message.malformed"],
  ])("has %s", async (_name, source, code) => {
    const before = await countMessages();
    await expect(submit(source)).rejects.toMatchObject({ code });
    expect(await countMessages()).toBe(before);
  });

  it("names the unknown policy", async () => {
    await expect(submit(plainSource("X-Service-Policy: fast"))).rejects.toMatchObject({
      public: expect.stringContaining('"fast"'),
    });
  });

  it("does not affect the others of its batch", async () => {
    const settled = await Promise.allSettled([
      submit(plainSource()),
      submit(plainSource("X-Service-Policy: fast")),
      submit(plainSource(), ["no address"]),
      submit(plainSource()),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  });
});

describe("a submission id", () => {
  it.each([1, 3])(
    "makes a submission to %i recipients unique, for any number of parallel repetitions",
    async (count) => {
      const recipients = Array.from({ length: count }, (_, n) => `r${n}@example.net`);
      const submissionId = newId("sub", new Date());
      const before = await countMessages();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => submit(plainSource(), recipients, { submissionId })),
      );
      const later = await submit(plainSource(), recipients, { submissionId });
      expect(new Set([...answers, later].map(({ messageIds }) => messageIds.join())).size).toBe(1);
      expect(new Set([...answers, later].map(({ traceId }) => traceId)).size).toBe(1);
      expect(await countMessages()).toBe(before + count);
      for (const id of later.messageIds) expect((await captured(hermod, id)).toString()).toContain("Hello.");
      const { findSubmission } = hermod.core.submissions;
      expect(await findSubmission(credentialOf(hermod), submissionId)).toBe(later.traceId);
    },
  );

  it("works together with an idempotency key", async () => {
    const source = plainSource("X-Idempotency-Key: both");
    const submissionId = newId("sub", new Date());
    const first = await submit(source, undefined, { submissionId });
    expect(await submit(source, undefined, { submissionId })).toMatchObject({ messageIds: first.messageIds });
    const another = { submissionId: newId("sub", new Date()) };
    expect(await submit(source, undefined, another)).toMatchObject({ messageIds: first.messageIds });
  });

  it("that is unknown or invalid finds nothing", async () => {
    const { findSubmission } = hermod.core.submissions;
    expect(await findSubmission(credentialOf(hermod), newId("sub", new Date()))).toBeUndefined();
    expect(await findSubmission(credentialOf(hermod), "")).toBeUndefined();
    const wrong = { ...credentialOf(hermod), password: "wrong" };
    await expect(findSubmission(wrong, newId("sub", new Date()))).rejects.toMatchObject({
      code: "auth.key_invalid",
    });
    await expect(submit(plainSource(), undefined, { submissionId: "sub_1" })).rejects.toMatchObject({
      code: "request.validation_failed",
    });
  });
});

describe("an idempotency key", () => {
  it.each([1, 3])(
    "makes a submission to %i recipients unique, for any number of repetitions",
    async (count) => {
      const recipients = Array.from({ length: count }, (_, n) => `r${n}@example.net`);
      const source = plainSource(`X-Idempotency-Key: once-${count}`);
      const first = await submit(source, recipients);
      const second = await submit(source, recipients);
      expect(second).toMatchObject({ traceId: first.traceId, messageIds: first.messageIds, replayed: true });
      expect(first.replayed).toBe(false);
      const text = (await captured(hermod, first.messageIds[0])).toString();
      expect(text.toLowerCase()).not.toContain("idempotency");
    },
  );

  it("accepts one of several at once; the others are refused or get its answer", async () => {
    const source = plainSource("X-Idempotency-Key: race");
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => submit(source, ["a@example.net", "b@example.net"])),
    );
    const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(new Set(answers.map(({ traceId }) => traceId)).size).toBe(1);
    for (const one of settled) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "idempotency.in_flight" });
    }
  });

  it("cannot be used for another message, or for other recipients", async () => {
    await submit(plainSource("X-Idempotency-Key: mine"));
    await expect(submit(plainSource("X-Idempotency-Key: mine", "X-More: 1"))).rejects.toMatchObject({
      code: "idempotency.key_reused",
    });
    await expect(submit(plainSource("X-Idempotency-Key: mine"), ["other@example.net"])).rejects.toMatchObject(
      {
        code: "idempotency.key_reused",
      },
    );
  });

  it("returns no data of the message to a key that is bound to other senders", async () => {
    await hermod.core.senders.addSender({ value: "bounces@example.com" });
    const made = await hermod.core.keys.createKey({ kind: "smtp", senders: ["bounces@example.com"] });
    const credential = { username: made.secret, password: made.password, clientAddress: "192.0.2.9" };
    const source = plainSource("X-Idempotency-Key: not-theirs");
    const mailFrom = "bounces@example.com";
    const first = await submit(source, undefined, { mailFrom });
    await expect(submit(source, undefined, { mailFrom, credential })).rejects.toMatchObject({
      code: "sender.not_allowed",
      public: expect.not.stringContaining(first.messageIds[0] ?? "?"),
    });
    const own = sourceOf("X-Idempotency-Key: not-theirs", `From: ${mailFrom}`, "", "Mine.");
    await expect(submit(own, undefined, { mailFrom, credential })).rejects.toMatchObject({
      code: "idempotency.key_reused",
      public: expect.not.stringContaining(first.messageIds[0] ?? "?"),
    });
  });

  it("has the same answer even if the message would now be refused", async () => {
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await hermod.core.policies.putPolicy({ policy: { name: "brief", transports } });
    const source = plainSource("X-Idempotency-Key: gone", "X-Service-Policy: brief");
    const first = await submit(source);
    await withStore(hermod, (db) => db.collection("policies").deleteOne({ name: "brief" }));
    await eventually(() =>
      submit(plainSource("X-Service-Policy: brief")).then(
        () => undefined,
        () => true,
      ),
    );
    expect(await submit(source)).toMatchObject({ traceId: first.traceId, replayed: true });
    // With a key that was not used before, it is refused.
    const other = plainSource("X-Idempotency-Key: never", "X-Service-Policy: brief");
    await expect(submit(other)).rejects.toMatchObject({ code: "policy.unknown" });
  });
});

it("does not change signed mail: the same octets from the first kept field to the last", async () => {
  const signed = sourceOf(
    "From: hello@example.com",
    "To: ann@example.net",
    "Content-Type: multipart/signed; micalg=sha-256;",
    '\tprotocol="application/pkcs7-signature"; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Signed text with trailing spaces   ",
    "--b",
    "Content-Type: application/pkcs7-signature",
    "",
    "AAAA",
    "--b--",
    "",
    "",
  );
  const answer = await submit(signed);
  const text = await captured(hermod, answer.messageIds[0]);
  const from = text.indexOf("From: hello@example.com");
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(text.subarray(from))).toBe(hash(signed));
});
