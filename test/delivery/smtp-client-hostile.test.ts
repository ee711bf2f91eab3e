import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  openSmtpConnection,
  type SmtpConnection,
  type SmtpConnectionOptions,
} from "../../src/smtp-client/connection.ts";
import { SmtpError } from "../../src/smtp-client/smtp-error.ts";
import { type SmtpTimeouts, smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import {
  hangUp,
  offering,
  type Peer,
  reset,
  type Script,
  type ScriptedServer,
  type Step,
  silence,
  startScriptedServer,
  thenSilence,
} from "../harness/scripted-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(script: Script = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  closing.push(server.close);
  return server;
}

async function connect(
  { host, port }: { readonly host: string; readonly port: number },
  changes: Partial<SmtpConnectionOptions> = {},
): Promise<SmtpConnection> {
  const timeouts = smtpTimeouts(5000);
  const connection = await openSmtpConnection({
    host,
    port,
    tls: "none",
    serverName: "mx.test",
    timeouts,
    ...changes,
  });
  closing.push(connection.close);
  return connection;
}

const envelope = { from: "hello@example.com", to: ["ada@example.org"] };
const source = Buffer.from("Subject: x\r\n\r\nA line.\r\n");

/** How connecting and sending one message fails. */
async function failure(server: ScriptedServer, changes: Partial<SmtpConnectionOptions> = {}) {
  const error = await connect(server, changes)
    .then((connection) => connection.send(envelope, source))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (error instanceof SmtpError) return error;
  throw new Error(`not an SmtpError: ${error}`);
}

const phases: readonly (readonly [Step, string])[] = [
  ["greeting", "connect"],
  ["EHLO", "ehlo"],
  ["STARTTLS", "starttls"],
  ["AUTH", "auth"],
  ["MAIL", "mail"],
  ["RCPT", "rcpt"],
  ["DATA", "data"],
  ["end", "data"],
];
const ways = [
  ["pipelined", offering("PIPELINING", "STARTTLS", "AUTH PLAIN")],
  ["step by step", offering("STARTTLS", "AUTH PLAIN")],
] as const;
const secured = { tls: "required", auth: { username: "u", password: "p" } } as const;

describe.each(ways)("a server to which the client speaks %s", (_way, EHLO) => {
  it.each(phases)(
    "and that hangs up at %s does not have the message before the final dot",
    async (step, phase) => {
      for (const leave of [hangUp, reset]) {
        const error = await failure(await serve({ EHLO, [step]: leave }), secured);
        expect(error).toMatchObject({ reply: undefined, dataBegun: step === "end", tls: false });
        // A reset discards the reply that was sent just before it.
        if (leave === hangUp) expect(error.phase).toBe(phase);
      }
    },
  );

  it.each(phases)(
    "and that replies 421 at %s is respected, and left without waiting for more",
    async (step, phase) => {
      const server = await serve({ EHLO, [step]: thenSilence("421 4.3.2 closing") });
      const error = await failure(server, { ...secured, timeouts: smtpTimeouts() });
      expect(error).toMatchObject({
        phase,
        reply: { code: 421, text: "421 4.3.2 closing" },
        dataBegun: false,
      });
    },
  );

  it.each(phases)("and that refuses permanently at %s is respected", async (step, phase) => {
    const HELO = "550 5.0.0 nor this";
    const error = await failure(
      await serve({ EHLO, HELO, [step]: "550-5.7.1 no\r\n550 5.7.1 never" }),
      secured,
    );
    expect(error.phase).toBe(phase);
    expect(error.reply?.text).toBe(step === "EHLO" ? HELO : "550-5.7.1 no\n550 5.7.1 never");
    expect(error.dataBegun).toBe(false);
  });

  it.each(phases)("and that is silent at %s is waited for up to the timeout", async (step, phase) => {
    const error = await failure(await serve({ EHLO, [step]: silence }), {
      ...secured,
      timeouts: { ...smtpTimeouts(5000), ...shortAt(step) },
    });
    expect(error).toMatchObject({ phase, reply: undefined, dataBegun: step === "end" });
    expect(error.message).toContain(`within ${shortMs(step)} ms`);
    expect(error.down).toBe(step === "greeting");
  });

  it.each(phases)("and that answers %s with an invalid reply is left", async (step, phase) => {
    const connection = failure(await serve({ EHLO, [step]: "399 perhaps" }), secured);
    expect(await connection).toMatchObject({ phase, reply: undefined, dataBegun: step === "end" });
  });
});

/** The steps with a timeout of their own; EHLO, STARTTLS and AUTH share one. */
const ownTimeouts: Partial<Record<Step, keyof SmtpTimeouts>> = {
  greeting: "greetingMs",
  MAIL: "mailMs",
  RCPT: "rcptMs",
  DATA: "dataInitiationMs",
  end: "dataTerminationMs",
};

/** Longer for a shared timeout, because the server must answer the earlier steps in time, even on a busy machine. */
const shortMs = (step: Step) => (ownTimeouts[step] ? 60 : 1_500);

/** A short timeout for this step, so that no other step times out first. */
function shortAt(step: Step): Partial<SmtpTimeouts> {
  return { [ownTimeouts[step] ?? "ehloMs"]: shortMs(step) };
}

describe("a server that refuses and then hangs up", () => {
  it.each(["MAIL", "RCPT"] as const)("at %s has refused", async (step) => {
    const answer = (peer: Peer) => {
      peer.say("550 5.7.1 go away");
      peer.hangUp();
    };
    const error = await failure(await serve({ [step]: answer }));
    expect(error).toMatchObject({ phase: step.toLowerCase(), reply: { code: 550 }, dataBegun: false });
  });
});

describe("DATA answered with a reply other than 354", () => {
  it("is never followed by the message", async () => {
    const server = await serve({ DATA: "250 sure" });
    expect(await failure(server)).toMatchObject({ phase: "data", reply: undefined, dataBegun: false });
    expect(server.peers[0]?.commands).not.toContain("Subject: x");
  });
});

describe("a server that replies more than 354", () => {
  it.each(["250 2.0.0 queued", "garbage"])("as %j does not receive the message", async (more) => {
    const server = await serve({ DATA: `354 go on\r\n${more}` });
    expect(await failure(server)).toMatchObject({ phase: "data", reply: undefined, dataBegun: false });
    expect(server.messages).toEqual([]);
  });
});

describe("a server that replies during the message", () => {
  const large = Buffer.from(`Subject: x\r\n\r\n${"line\r\n".repeat(4_000_000)}`);

  async function amid(say: string): Promise<SmtpError> {
    const server = await serve({
      EHLO: offering("PIPELINING"),
      DATA: (peer) => {
        peer.stopReading();
        peer.say("354 go on");
        setTimeout(() => peer.say(say), 30);
      },
    });
    const connection = await connect(server);
    return connection.send(envelope, large).then(
      () => expect.unreachable(),
      (error) => error,
    );
  }

  it("is respected when it refuses", async () => {
    expect(await amid("552 5.3.4 enough")).toMatchObject({
      phase: "data",
      reply: { code: 552 },
      dataBegun: false,
    });
  });

  it("is not believed when it accepts, because the message was not complete", async () => {
    expect(await amid("250 2.0.0 queued")).toMatchObject({ reply: undefined, dataBegun: false });
  });

  it("and reads no octet of it is waited for up to the timeout", async () => {
    const DATA = (peer: Peer) => {
      peer.stopReading();
      peer.say("354 go on");
    };
    const timeouts = { ...smtpTimeouts(5000), dataBlockMs: 60 };
    const connection = await connect(await serve({ EHLO: offering(), DATA }), { timeouts });
    await expect(connection.send(envelope, large)).rejects.toMatchObject({
      phase: "data",
      dataBegun: false,
      message: "the server did not answer within 60 ms",
    });
  });
});

describe("timeouts", () => {
  it("are those of RFC 5321 section 4.5.3.2, none longer than the setting", () => {
    expect(smtpTimeouts()).toMatchObject({
      connectMs: 30_000,
      greetingMs: 300_000,
      ehloMs: 300_000,
      mailMs: 300_000,
      rcptMs: 300_000,
      dataInitiationMs: 120_000,
      dataBlockMs: 180_000,
      dataTerminationMs: 600_000,
    });
    expect(new Set(Object.values(smtpTimeouts(3000)))).toEqual(new Set([3000]));
  });

  it("do not restart with each octet of a tarpit", async () => {
    const drip = (text: string) => (peer: Peer) => {
      const timer = setInterval(() => peer.say(Buffer.from(text)), 10);
      closing.push(() => clearInterval(timer));
      return new Promise<void>(() => undefined);
    };
    for (const MAIL of [drip("2"), drip("250-wait\r\n")]) {
      // A timeout that restarts would never end.
      const error = await failure(await serve({ MAIL }), {
        timeouts: { ...smtpTimeouts(5000), mailMs: 100 },
      });
      expect(error.phase).toBe("mail");
    }
  });

  it("limit connecting", async () => {
    // This server accepts no connection, and the timeout of the kernel is minutes.
    const server = net.createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 });
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as net.AddressInfo;
    server.close();
    const refused = await connect({ host: "127.0.0.1", port }).catch((error) => error);
    expect(refused).toMatchObject({ phase: "connect", down: true, reply: undefined });
    expect(refused.message).toContain("ECONNREFUSED");
    // A documentation address: packets to it go nowhere, or the system says so at once.
    const timeouts = { ...smtpTimeouts(), connectMs: 60 };
    const lost = await connect({ host: "192.0.2.1", port: 25 }, { timeouts }).catch((error) => error);
    expect(lost).toMatchObject({ phase: "connect", down: true });
  });
});

describe("invalid replies", () => {
  const flood = (line: string) => async (peer: Peer) => {
    const lines = Buffer.from(`${line}\r\n`.repeat(1000));
    for (let i = 0; i < 100; i++) peer.say(lines);
  };
  const odd: readonly (readonly [string, Script[Step], RegExp])[] = [
    ["megabytes of continuation lines", flood(`250-${"x".repeat(60)}`), /reply that is too long/],
    ["a line without end", Buffer.alloc(3_000_000, "2"), /line that is too long/],
    ["a greeting of another protocol", "HTTP/1.1 400 Bad Request", /does not speak SMTP: "HTTP/],
    ["an empty line", "", /does not speak SMTP/],
    ["NUL and other controls", Buffer.from("\0\x01\x1b[31m\x9b\r\n"), /does not speak SMTP/],
    ["binary", Buffer.from([0xff, 0xfe, 0x16, 0x03, 0x01, 0x0d, 0x0a]), /does not speak SMTP/],
    ["a code out of range", "999 what", /does not speak SMTP/],
    ["a code too long", "2500 ok", /does not speak SMTP/],
    ["a code of the wrong first digit", "150 ok", /does not speak SMTP/],
    ["a yes and a no in one", "250-fine\r\n550 not fine", /contradict/],
    ["a no and a yes in one", "550-not fine\r\n250 fine", /contradict/],
    ["a line without code in a reply", "250-fine\r\nfine\r\n250 fine", /does not speak SMTP/],
  ];

  it.each(odd)("%s: the connection is closed with a clear reason", async (_name, answer, reason) => {
    for (const step of ["greeting", "RCPT"] as const) {
      const error = await failure(await serve({ [step]: answer ?? "" }));
      expect(error.message).toMatch(reason);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(error.message.length).toBeLessThan(200);
      expect(error).toMatchObject({ reply: undefined, dataBegun: false });
    }
  });

  it("after the final dot leave the message in doubt", async () => {
    const error = await failure(await serve({ end: "garbage" }));
    expect(error).toMatchObject({ phase: "data", dataBegun: true });
  });

  it("are distinguished from unusual ones", async () => {
    const said = async (end: string | Buffer) => {
      const connection = await connect(await serve({ end }));
      return (await connection.send(envelope, source)).text;
    };
    expect(await said("250")).toBe("250");
    expect(await said(Buffer.from("250 lone LF\n"))).toBe("250 lone LF");
    expect(await said("250-one\r\n251 two")).toBe("250-one\n251 two");
    expect(await said("250-\r\n250 ")).toBe("250-\n250 ");
    expect(await said(Buffer.from([0x32, 0x35, 0x30, 0x20, 0xff, 0x00, 0x0d, 0x0a]))).toBe("250 \ufffd\0");
    expect(await said(`250 ${"x".repeat(6000)}`)).toHaveLength(6004);
  });

  it("are distinguished from replies that arrive octet by octet", async () => {
    const EHLO = async (peer: Peer) => {
      for (const octet of Buffer.from(`${offering("SIZE 77")}\r\n`)) {
        peer.say(Buffer.from([octet]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const { capabilities } = await connect(await serve({ EHLO }));
    expect(capabilities.maxSizeBytes).toBe(77);
  });
});

describe("unsolicited replies", () => {
  it("421 between messages ends the connection", async () => {
    const server = await serve();
    const connection = await connect(server);
    await connection.send(envelope, source);
    const ended = new Promise<void>((resolve) => connection.onClosed(resolve));
    server.peers[0]?.say("421 4.4.2 idle for too long");
    await ended;
    expect(connection.isUsable()).toBe(false);
    const error = await connection.send(envelope, source).catch((error) => error);
    expect(error).toMatchObject({ reply: { code: 421 }, dataBegun: false });
    expect(server.messages).toHaveLength(1);
  });

  it.each(["250 one more", "2"])(
    "%j between messages also does: the next replies would be shifted",
    async (more) => {
      const server = await serve();
      const connection = await connect(server);
      await connection.send(envelope, source);
      server.peers[0]?.say(Buffer.from(more.length > 1 ? `${more}\r\n` : more));
      await expect.poll(() => connection.isUsable()).toBe(false);
    },
  );

  it("two replies to one command are never treated as the answer to the next", async () => {
    const server = await serve({ end: "550 5.7.1 refused\r\n250 2.0.0 queued" });
    expect(await failure(server)).toMatchObject({ reply: { code: 550 } });
    const connection = await connect(await serve({ greeting: "220 a\r\n250 b" })).catch((error) => error);
    expect(connection).toBeInstanceOf(SmtpError);
  });

  it("a second reply together with the last one makes the connection unusable", async () => {
    const server = await serve({ end: "250 queued\r\n250 queued" });
    const connection = await connect(server);
    expect(await connection.send(envelope, source)).toMatchObject({ text: "250 queued" });
    expect(connection.isUsable()).toBe(false);
  });
});

describe("failed TLS", () => {
  const EHLO = offering("STARTTLS");
  /** TLS itself would follow. */
  const inject = (text: string) => async (peer: Peer) => {
    peer.say(Buffer.from(text));
    await peer.startTls();
  };
  const broken: readonly (readonly [string, Script[Step]])[] = [
    [
      "garbage instead of a handshake",
      (peer) => {
        peer.say("220 go");
        setTimeout(() => peer.say("this is no TLS at all"), 20);
      },
    ],
    [
      "a connection that ends in the handshake",
      (peer) => {
        peer.say("220 go");
        peer.hangUp();
      },
    ],
    [
      "a connection that is reset in the handshake",
      (peer) => {
        peer.say("220 go");
        peer.resetWhenTold();
      },
    ],
    ["a reply put in before the handshake", inject("220 go\r\n250 injected\r\n")],
    ["half a reply put in before the handshake", inject("220 go\r\n250-inj")],
  ];

  it.each(broken)("%s is a failure of TLS", async (_name, STARTTLS) => {
    const server = await serve({ EHLO, STARTTLS: STARTTLS ?? silence });
    const error = await failure(server, { tls: "opportunistic" });
    expect(error).toMatchObject({ tls: true, phase: "starttls", dataBegun: false, reply: undefined });
    expect(server.peers[0]?.commands).toEqual([expect.stringMatching(/^EHLO/), "STARTTLS"]);
  });

  it("a handshake that hangs is aborted", async () => {
    const server = await serve({ EHLO, STARTTLS: thenSilence("220 go") });
    const timeouts = { ...smtpTimeouts(5000), handshakeMs: 60 };
    const error = await failure(server, { tls: "opportunistic", timeouts });
    expect(error).toMatchObject({ tls: true, message: "TLS handshake timed out after 60 ms" });
  });

  it("TLS from the first octet with a plain-text server is a failure of TLS", async () => {
    const timeouts = { ...smtpTimeouts(5000), handshakeMs: 500 };
    expect(await failure(await serve(), { tls: "implicit", timeouts })).toMatchObject({ tls: true });
  });
});
