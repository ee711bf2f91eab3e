import { afterEach, describe, expect, it } from "vitest";
import { following, moreTelling } from "../../src/message/replies/more-telling.ts";
import type { Transcript, TransportOutcome } from "../../src/message/replies/outcome.ts";
import {
  openSmtpConnection,
  type SmtpConnection,
  type SmtpConnectionOptions,
} from "../../src/smtp-client/connection.ts";
import { SmtpError } from "../../src/smtp-client/smtp-error.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import { offering, type Script, startScriptedServer } from "../harness/scripted-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function connect(
  script: Script,
  changes: Partial<SmtpConnectionOptions> = {},
): Promise<SmtpConnection> {
  const { host, port, close } = await startScriptedServer(script);
  closing.push(close);
  const options = { host, port, tls: "none", serverName: "mx.test", heloName: "us.test" } as const;
  const connection = await openSmtpConnection({ ...options, timeouts: smtpTimeouts(2_000), ...changes });
  closing.push(connection.close);
  return connection;
}

const envelope = { from: "hello@example.com", to: ["ada@example.org"] };
const source = Buffer.from("Subject: secret\r\n\r\nA line.\r\n");

async function transcriptOf(sent: Promise<unknown>): Promise<Transcript | undefined> {
  const outcome = await sent.catch((error: unknown) => error);
  if (!(outcome instanceof SmtpError)) return (outcome as { transcript?: Transcript }).transcript;
  return outcome.transcript;
}

const greeted = ["< 220 mx.test", "> EHLO us.test"];
const offer = ["< 250-scripted.test", "< 250-PIPELINING", "< 250 HELP"];
const script: Script = { greeting: "220 mx.test", EHLO: offering("PIPELINING"), end: "250 taken" };
const mail = (reply: string) => [`> MAIL FROM:<hello@example.com>`, `< ${reply}`];
const rcpt = (reply: string) => ["> RCPT TO:<ada@example.org>", `< ${reply}`];

describe("the stored conversation", () => {
  it("has each command before its reply, and only the size of the message", async () => {
    const connection = await connect({
      ...script,
      MAIL: "250 sender",
      RCPT: "250 recipient",
      DATA: "354 go",
    });
    const said = await transcriptOf(connection.send(envelope, source));
    expect(said?.tls).toBeUndefined();
    expect(said?.sourceAddress).toBe("127.0.0.1");
    expect(said?.conversation?.split("\n")).toEqual([
      ...greeted,
      ...offer,
      ...mail("250 sender"),
      ...rcpt("250 recipient"),
      ...["> DATA", "< 354 go"],
      ...[`> (${source.length + 3} octets of the message)`, "< 250 taken"],
    ]);
  });

  it("has nothing of earlier messages", async () => {
    const replies = ["550 5.1.1 nobody", "250 recipient"];
    const connection = await connect({
      ...script,
      MAIL: "250 sender",
      RCPT: (peer) => peer.say(replies.shift() ?? ""),
      DATA: (peer) => peer.say(replies.length === 1 ? "503 no recipient" : "354 go"),
      RSET: "250 forgotten",
    });
    const refused = await transcriptOf(connection.send(envelope, source));
    expect(refused?.sourceAddress).toBe("127.0.0.1");
    expect(refused?.conversation?.split("\n").slice(5)).toEqual([
      ...mail("250 sender"),
      ...rcpt("550 5.1.1 nobody"),
      ...["> DATA", "< 503 no recipient"],
    ]);
    await connection.reset();
    const other = { from: "other@example.com", to: ["bob@example.org"] };
    const said = await transcriptOf(connection.send(other, source));
    expect(said?.conversation?.split("\n")[0]).toBe("* on a connection that was used before");
    expect(said?.conversation).not.toMatch(/ada@|hello@|RSET/);
  });

  it("names TLS, and that credentials were sent", async () => {
    const auth = { username: "ada", password: "s3cret" };
    for (const mechanism of ["PLAIN", "LOGIN"]) {
      const connection = await connect(
        {
          ...script,
          EHLO: offering("STARTTLS", `AUTH ${mechanism}`),
          AUTH: (peer) =>
            peer.say(mechanism === "PLAIN" || peer.commands.length > 5 ? "235 ok" : "334 VXNlcm5hbWU6"),
        },
        { tls: "required", auth },
      );
      const said = await transcriptOf(connection.send(envelope, source));
      expect(said?.tls).toMatch(/^TLSv1\.3 TLS_\w+$/);
      expect(said?.conversation).toContain(`\n* ${said?.tls}\n> EHLO us.test\n`);
      expect(said?.conversation).toMatch(/^> .*\(credentials\)$/m);
      expect(said?.conversation).not.toMatch(/s3cret|czNjcmV0|YWRh|AGFkYQ/);
    }
  });

  it("ends where the server ends", async () => {
    const silent = await connect({ ...script, MAIL: "250 sender", RCPT: (peer) => peer.hangUp() });
    const said = await transcriptOf(silent.send(envelope, source));
    expect(said?.conversation?.split("\n").slice(5)).toEqual([
      ...mail("250 sender"),
      ...["> RCPT TO:<ada@example.org>", "> DATA"],
    ]);
    const refused = await transcriptOf(connect({ greeting: "554 5.7.1 not you" }));
    expect(refused?.conversation).toBe("< 554 5.7.1 not you");
  });

  it("shows replies of a hostile server shortened, and as text", async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `250-${n} \u001b[31m\u202e${"x".repeat(60)}`);
    const connection = await connect({
      ...script,
      MAIL: `${lines.join("\r\n")}\r\n250 ${"y".repeat(5_000)}`,
    });
    const said = await transcriptOf(connection.send(envelope, source));
    const { conversation = "" } = said ?? {};
    expect(conversation.length).toBeLessThan(4_000);
    expect(conversation).toContain("< …");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(conversation).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe("the stored conversation of an attempt", () => {
  const outcome = (conversation: string, code?: number): TransportOutcome => ({
    kind: "unreachable",
    reply: { via: "smtp", detail: "", conversation, ...(code && { code, phase: "rcpt" as const }) },
  });

  it("has all servers in order, regardless of the decisive one", () => {
    expect(moreTelling(outcome("first", 450), outcome("second")).reply).toMatchObject({
      code: 450,
      conversation: "first\nsecond",
    });
    expect(following(undefined, outcome("only")).reply.conversation).toBe("only");
    expect(following(outcome("first"), { kind: "delivered", reply: { via: "x", detail: "" } }).reply).toEqual(
      {
        via: "x",
        detail: "",
        conversation: "first",
      },
    );
  });

  it("keeps its beginning and its end when it is long", () => {
    let whole = outcome("begin");
    for (let n = 0; n < 50; n++) whole = moreTelling(whole, outcome(`${n} ${"z".repeat(300)}`));
    const { conversation = "" } = following(whole, outcome("end")).reply;
    expect(conversation).toMatch(/^begin\n0 z+/);
    expect(conversation).toMatch(/\nend$/);
    expect(conversation.length).toBeLessThan(4_100);
    expect(conversation.match(/\(shortened\)/g)).toHaveLength(1);
  });
});
