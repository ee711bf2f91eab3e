import { afterEach, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createSmtpListener, type SmtpListener } from "../../src/smtp/listener.ts";
import { openWire, type SmtpWire } from "../harness/smtp-wire.ts";

const open: SmtpWire[] = [];
let listener: SmtpListener | undefined;

afterEach(async () => {
  for (const wire of open.splice(0)) wire.close();
  await listener?.close(0);
});

/** Starts the listener for bounces, and records the addresses of its clients. */
async function listen(proxyNetworks: readonly string[]) {
  const clients: string[] = [];
  listener = createSmtpListener({
    name: "mx.test",
    tls: undefined,
    maxBytes: 10_000,
    maxRecipients: 10,
    proxyNetworks,
    disabledCommands: ["AUTH"],
    onRcptTo: (_address, { remoteAddress }, done) => {
      clients.push(remoteAddress);
      done();
    },
    onData: (stream, _session, done) => void stream.resume().on("end", () => done(null, "taken")),
    log: createLogger("silent"),
  });
  return { clients, port: await listener.listen("127.0.0.1", 0) };
}

async function arrive(port: number, client?: string): Promise<SmtpWire> {
  const wire = await openWire(port, { greeted: false });
  open.push(wire);
  if (client) wire.write(`PROXY TCP4 ${client} 198.51.100.1 4097 25\r\n`);
  expect(await wire.reply()).toMatch(/^220 /);
  return wire;
}

async function deliver(wire: SmtpWire): Promise<string> {
  for (const command of ["EHLO client.test", "MAIL FROM:<>", "RCPT TO:<x@bounces.test>", "DATA"]) {
    await wire.say(command);
  }
  return wire.say("Subject: x\r\n\r\nx\r\n.");
}

it("has capacity for another client regardless of the connections of one, also behind a proxy", async () => {
  const { clients, port } = await listen(["127.0.0.1"]);
  const waiting = await arrive(port, "192.0.2.2");
  const idle = await Promise.all(Array.from({ length: 60 }, () => arrive(port, "192.0.2.1")));
  await Promise.race(idle.map(({ ended }) => ended));
  for (const wire of [waiting, await arrive(port, "192.0.2.3")]) expect(await deliver(wire)).toMatch(/^250 /);
  expect(clients).toEqual(["192.0.2.2", "192.0.2.3"]);
});

it("accepts a proxy header only from a proxy", async () => {
  const { clients, port } = await listen([]);
  const wire = await arrive(port);
  expect(await wire.say("PROXY TCP4 192.0.2.7 198.51.100.1 4097 25")).toMatch(/^5/);
  expect(await deliver(wire)).toMatch(/^250 /);
  expect(clients).toEqual(["127.0.0.1"]);
});
