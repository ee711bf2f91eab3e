import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { fault } from "../../src/shared/fault.ts";
import { startRelay, type TestRelay } from "../harness/relay.ts";
import { openAuthenticated, openWire, plain, type SmtpWire } from "../harness/smtp-wire.ts";

let relay: TestRelay;
const open: SmtpWire[] = [];

beforeAll(async () => {
  relay = await startRelay({ maxRecipients: 3 });
});
afterEach(() => {
  for (const wire of open.splice(0)) wire.close();
  for (const method of Object.keys(relay.core.failing)) delete relay.core.failing[method as "submit"];
  relay.core.submitted.splice(0);
});
afterAll(() => relay.close());

async function kept(wire: Promise<SmtpWire>): Promise<SmtpWire> {
  const opened = await wire;
  open.push(opened);
  return opened;
}
const authenticated = () => kept(openAuthenticated(relay.port));
const unknown = () => kept(openWire(relay.port));

describe("EHLO", () => {
  const common = [
    "relay.test",
    "PIPELINING",
    "8BITMIME",
    "SIZE 2000000",
    "SMTPUTF8",
    "ENHANCEDSTATUSCODES",
    "DSN",
  ];

  it("offers STARTTLS and no AUTH before TLS, AUTH after it, and neither after its use", async () => {
    const wire = await unknown();
    const offers = (text: string) =>
      text
        .trim()
        .split("\r\n")
        .map((line) => line.slice(4));
    expect(offers(await wire.say("EHLO client.test"))).toEqual([...common, "LIMITS RCPTMAX=3", "STARTTLS"]);
    await wire.startTls();
    expect(offers(await wire.say("EHLO client.test"))).toEqual([
      ...common,
      "LIMITS RCPTMAX=3",
      "AUTH PLAIN LOGIN",
    ]);
    await wire.say(plain("key", "secret"));
    expect(offers(await wire.say("EHLO client.test"))).toEqual([...common, "LIMITS RCPTMAX=3"]);
  });

  it("is answered without delay", async () => {
    // No timer ends while this lasts.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      await unknown();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("before authentication", () => {
  it.each([
    ["MAIL FROM:<hello@example.com>", /^530 5\.7\.0 /, false],
    ["MAIL FROM:<hello@example.com>", /^530 5\.7\.0 /, true],
    ["RCPT TO:<ann@example.net>", /^530 5\.7\.0 /, true],
    ["DATA", /^530 5\.7\.0 /, true],
    ["AUTH PLAIN AGtleQBzZWNyZXQ=", /^538 5\.7\.11 /, true],
    ["AUTH LOGIN", /^538 5\.7\.11 /, true],
    ["AUTH", /^538 5\.7\.11 /, true],
    ["STARTTLS now", /^501 5\.5\.4 /, true],
    ["EHLO", /^501 5\.5\.4 /, false],
    ["EHLO two words", /^501 5\.5\.4 /, false],
    ["BDAT 5 LAST", /^502 5\.5\.1 /, true],
    ["EXPN all", /^502 5\.5\.1 /, true],
    ["XCLIENT ADDR=127.0.0.1", /^500 5\.5\.2 /, true],
    ["WIZ please", /^500 5\.5\.2 /, true],
    ["GET / HTTP/1.1", /^421 4\.7\.0 /, false],
    ["", /^500 5\.5\.2 /, true],
    ["NOOP", /^250 2\.0\.0 /, false],
    ["HELP", /^214 2\.0\.0 /, true],
  ])("%j is answered %s", async (line, answer, hello) => {
    const wire = await unknown();
    if (hello) await wire.say("EHLO client.test");
    const heard = await wire.say(line);
    expect(heard).toMatch(answer);
  });

  it("mail is not accepted over TLS either", async () => {
    const wire = await unknown();
    await wire.say("EHLO client.test");
    await wire.startTls();
    await wire.say("EHLO client.test");
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^530 5\.7\.0 /);
  });
});

describe("MAIL", () => {
  const longId = "x".repeat(101);
  it.each([
    ["<hello@example.com>", "250 2.1.0"],
    [" <hello@example.com>", "250 2.1.0"],
    ["<@a.test,@b.test:hello@example.com>", "250 2.1.0"],
    ['<"a b"@example.com>', "250 2.1.0"],
    ["<hello@example.com> SIZE=1000 BODY=8BITMIME RET=HDRS ENVID=a+2Bb+3Dc", "250 2.1.0"],
    ["<hello@example.com> body=7bit smtputf8 ret=full", "250 2.1.0"],
    ["<hello@example.com> AUTH=<>", "250 2.1.0"],
    ["<>", "550 5.7.1"],
    ["<other@example.org>", "550 5.7.1"],
    ["hello@example.com", "501 5.5.4"],
    ["<hello@example.com", "501 5.5.4"],
    ["<hello>", "553 5.1.7"],
    ["<hello@[127.0.0.1]>", "553 5.1.7"],
    ["<h\u00e9llo@example.com>", "553 5.6.7"],
    ["<h\u00e9llo@example.com> SMTPUTF8", "250 2.1.0"],
    ["<hello@example.com> SIZE=2000001", "552 5.3.4"],
    ["<hello@example.com> SIZE=many", "501 5.5.4"],
    ["<hello@example.com> SIZE=1 SIZE=1", "501 5.5.4"],
    ["<hello@example.com> BODY=BINARYMIME", "501 5.5.4"],
    ["<hello@example.com> BODY", "501 5.5.4"],
    ["<hello@example.com> SMTPUTF8=yes", "501 5.5.4"],
    ["<hello@example.com> RET=ALL", "501 5.5.4"],
    ["<hello@example.com> ENVID=a+2", "501 5.5.4"],
    ["<hello@example.com> ENVID=a+0D+0A", "501 5.5.4"],
    ["<hello@example.com> ENVID=a=b", "501 5.5.4"],
    ["<hello@example.com> ENVID=", "501 5.5.4"],
    [`<hello@example.com> ENVID=${longId}`, "501 5.5.4"],
    ["<hello@example.com> REQUIRETLS", "555 5.5.4"],
    ["<hello@example.com> NOTIFY=NEVER", "555 5.5.4"],
  ])("MAIL FROM:%s is answered %s", async (rest, answer) => {
    const wire = await authenticated();
    expect(await wire.say(`MAIL FROM:${rest}`)).toMatch(new RegExp(`^${answer.replaceAll(".", "\\.")} `));
  });

  it("a second one is out of order", async () => {
    const wire = await authenticated();
    await wire.say("MAIL FROM:<hello@example.com>");
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^503 5\.5\.1 /);
    await wire.say("RSET");
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^250 /);
  });

  it("is answered 451 while the core is unavailable, and the session continues", async () => {
    const wire = await authenticated();
    relay.core.failing.checkSender = fault("core.unavailable");
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^451 4\.3\.0 /);
    delete relay.core.failing.checkSender;
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^250 /);
  });

  it("with a revoked key is refused, and the session must authenticate again", async () => {
    const wire = await authenticated();
    relay.core.failing.checkSender = fault("auth.key_invalid");
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^535 5\.7\.8 /);
    delete relay.core.failing.checkSender;
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^530 5\.7\.0 /);
    expect(await wire.say(plain("key", "secret"))).toMatch(/^235 /);
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^250 /);
  });
});

describe("RCPT", () => {
  it.each([
    ["<ann@example.net>", "250 2.1.5"],
    ['<"a<b>@c"@example.net>', "250 2.1.5"],
    ["<ann@EXAMPLE.net> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;ann+2B1@example.net", "250 2.1.5"],
    ["<ann@example.net> NOTIFY=never", "250 2.1.5"],
    ["<b\u00fccher@example.net>", "553 5.6.7"],
    ["<ann@b\u00fccher.example>", "553 5.6.7"],
    ["<ann>", "553 5.1.3"],
    ["<postmaster>", "553 5.1.3"],
    ["<ann@@example.net>", "553 5.1.3"],
    ["<>", "553 5.1.3"],
    ["<ann@example.net,bob@example.net>", "553 5.1.3"],
    ["ann@example.net", "501 5.5.4"],
    ["<ann@example.net> NOTIFY=NEVER,SUCCESS", "501 5.5.4"],
    ["<ann@example.net> NOTIFY=SUCCESS,SUCCESS", "501 5.5.4"],
    ["<ann@example.net> NOTIFY=ALWAYS", "501 5.5.4"],
    ["<ann@example.net> NOTIFY", "501 5.5.4"],
    ["<ann@example.net> ORCPT=ann@example.net", "501 5.5.4"],
    ["<ann@example.net> ORCPT=rfc822;a+zz", "501 5.5.4"],
    ["<ann@example.net> ORCPT=rfc822;a ORCPT=rfc822;b", "501 5.5.4"],
    ["<ann@example.net> RET=FULL", "555 5.5.4"],
  ])("RCPT TO:%s is answered %s", async (rest, answer) => {
    const wire = await authenticated();
    await wire.say("MAIL FROM:<hello@example.com>");
    expect(await wire.say(`RCPT TO:${rest}`)).toMatch(new RegExp(`^${answer.replaceAll(".", "\\.")} `));
  });

  it("comes after MAIL and before DATA", async () => {
    const wire = await authenticated();
    expect(await wire.say("RCPT TO:<ann@example.net>")).toMatch(/^503 5\.5\.1 /);
    expect(await wire.say("DATA")).toMatch(/^503 5\.5\.1 /);
    await wire.say("MAIL FROM:<hello@example.com>");
    expect(await wire.say("DATA")).toMatch(/^503 5\.5\.1 /);
    expect(await wire.say("DATA now")).toMatch(/^501 5\.5\.4 /);
  });

  it("is answered 452 beyond the limit, and the earlier recipients receive the message", async () => {
    const wire = await authenticated();
    await wire.say("MAIL FROM:<hello@example.com>");
    const answers: string[] = [];
    for (const name of ["a", "b", "c", "d", "a"])
      answers.push(await wire.say(`RCPT TO:<${name}@example.net>`));
    expect(answers.map((text) => text.slice(0, 9))).toEqual([
      "250 2.1.5",
      "250 2.1.5",
      "250 2.1.5",
      "452 4.5.3",
      "250 2.1.5",
    ]);
    await wire.say("DATA");
    await wire.say("Subject: x\r\n\r\nx\r\n.");
    expect(relay.core.submitted[0]?.envelope.recipients?.map(({ address }) => address)).toEqual([
      "a@example.net",
      "b@example.net",
      "c@example.net",
    ]);
  });
});

describe("a transaction", () => {
  it("passes on the envelope unchanged", async () => {
    const wire = await authenticated();
    await wire.say("MAIL FROM:<h\u00e9llo@example.com> SMTPUTF8 RET=HDRS ENVID=a+2Bb");
    await wire.say("RCPT TO:<b\u00fccher@EXAMPLE.net> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;x+2By@example.net");
    await wire.say("DATA");
    const answer = await wire.say("Subject: x\r\n\r\n..dot\r\n.");
    const [submitted] = relay.core.submitted;
    expect(answer).toBe(`250 2.0.0 queued as ${submitted?.envelope.traceId}\r\n`);
    expect(submitted?.source.toString()).toBe("Subject: x\r\n\r\n.dot\r\n");
    expect(submitted?.envelope).toEqual({
      credential: { username: "key", password: "secret", clientAddress: "127.0.0.1" },
      traceId: expect.stringMatching(/^sx_/),
      submissionId: expect.stringMatching(/^sub_/),
      mailFrom: "h\u00e9llo@example.com",
      recipients: [
        {
          address: "b\u00fccher@example.net",
          notify: ["success", "delay"],
          originalRecipient: "rfc822;x+y@example.net",
        },
      ],
      envelopeId: "a+b",
      returnContent: "headers",
      clientName: "client.test",
      protocol: "UTF8SMTPSA",
      serverName: "relay.test",
    });
  });

  it("may be sent in two writes, and several follow each other", async () => {
    const wire = await authenticated();
    for (let n = 0; n < 2; n++) {
      wire.write("MAIL FROM:<hello@example.com>\r\nRCPT TO:<ann@example.net>\r\nRCPT TO:<bad>\r\nDATA\r\n");
      const answers = [await wire.reply(), await wire.reply(), await wire.reply(), await wire.reply()];
      expect(answers.map((text) => text.slice(0, 3))).toEqual(["250", "250", "553", "354"]);
      expect(await wire.say("Subject: x\r\n\r\nx\r\n.")).toMatch(/^250 2\.0\.0 queued as sx_/);
    }
    expect(relay.core.submitted.map(({ envelope }) => envelope.protocol)).toEqual(["ESMTPSA", "ESMTPSA"]);
  });

  it.each([
    ["store.unavailable", "451 4.3.0"],
    ["core.timeout", "451 4.3.0"],
    ["sender.unverified", "550 5.7.1"],
    ["policy.unknown", "550 5.7.1"],
    ["rate.limited", "454 4.7.1"],
    ["message.too_large", "552 5.3.4"],
  ] as const)(
    "that the core refuses with %s is answered %s, and the session continues",
    async (code, answer) => {
      const wire = await authenticated();
      relay.core.failing.submit = fault(code);
      for (const expected of [answer, "250 2.0.0"]) {
        await wire.say("MAIL FROM:<hello@example.com>");
        await wire.say("RCPT TO:<ann@example.net>");
        await wire.say("DATA");
        expect(await wire.say("Subject: x\r\n\r\nx\r\n.")).toMatch(new RegExp(`^${expected} `));
        delete relay.core.failing.submit;
      }
    },
  );

  it("over implicit TLS needs no STARTTLS", async () => {
    const wire = await kept(openWire(relay.tlsPort, { secure: true }));
    expect(await wire.say("EHLO client.test")).toMatch(/AUTH PLAIN LOGIN/);
    expect(await wire.say(plain("key", "secret"))).toMatch(/^235 2\.7\.0 /);
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^250 /);
  });
});

describe("a message with a lost answer", () => {
  const sent = async (wire: SmtpWire, content = "Subject: x\r\n\r\nx") => {
    await wire.say("MAIL FROM:<hello@example.com>");
    await wire.say("RCPT TO:<ann@example.net>");
    await wire.say("DATA");
    return wire.say(`${content}\r\n.`);
  };
  const large = `Subject: x\r\n\r\n${`${"x".repeat(98)}\r\n`.repeat(12_000)}x`;

  it.each([
    ["in memory", "Subject: x\r\n\r\nx"],
    ["streamed", large],
  ])("%s is answered 250 when it turns out to be stored", async (_, content) => {
    const patient = await startRelay({ repeatForMs: 30_000 });
    try {
      const { submit, submitStream } = patient.core;
      patient.core.submit = async (...given) => {
        await submit(...given);
        throw fault("core.connection_lost");
      };
      patient.core.submitStream = async (...given) => {
        await submitStream(...given);
        throw fault("core.timeout");
      };
      const wire = await openAuthenticated(patient.port);
      expect(await sent(wire, content)).toMatch(/^250 2\.0\.0 queued as sx_/);
      expect(patient.core.submitted).toHaveLength(1);
      wire.close();
    } finally {
      await patient.close();
    }
  });

  it("that the core still processes after the drain time is not reported as refused", async () => {
    const ending = await startRelay();
    const [whole, begun] = await Promise.all([
      openAuthenticated(ending.port),
      openAuthenticated(ending.port),
    ]);
    const taken = new Promise<() => void>((submitted) => {
      ending.core.submit = () => new Promise((_, reject) => submitted(() => reject(fault("core.timeout"))));
    });
    const answer = sent(whole);
    const release = await taken;
    await begun.say("MAIL FROM:<ada@example.com>");
    await begun.say("RCPT TO:<bob@example.net>");
    await begun.say("DATA");
    const refusal = begun.say("Subject: begun");
    const closed = ending.close();
    expect(await answer).toMatch(/^421 4\.3\.2 .*may have been accepted/);
    expect(await refusal).toMatch(/^421 4\.3\.2 Server shutting down/);
    release();
    await closed;
  });

  it("reports whether it was accepted, as far as known", async () => {
    const wire = await authenticated();
    relay.core.failing.submit = fault("core.timeout");
    expect(await sent(wire)).toMatch(/^451 4\.3\.0 .*may have been accepted/);
    relay.core.failing.submit = fault("core.unavailable");
    expect(await sent(wire)).toMatch(/^451 4\.3\.0 .*was not accepted/);
    delete relay.core.failing.submit;
    // An incomplete message is not stored.
    relay.core.failing.submitStream = fault("store.unavailable");
    expect(await sent(wire, large)).toMatch(/^451 4\.3\.0 .*was not accepted/);
    delete relay.core.failing.submitStream;
  });
});
