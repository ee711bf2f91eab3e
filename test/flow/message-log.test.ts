import nodemailer from "nodemailer";
import { expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { startHermod } from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";

/** Log lines at this level about one message that is sent, repeated, and captured. */
async function linesAt(level: string) {
  const hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: level } });
  try {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const options = { headers: { "idempotency-key": "once", traceparent } };
    const { accepted } = await post(hermod, email({ to: "bob.secret@example.org" }), options);
    await post(hermod, email({ to: "bob.secret@example.org" }), options);
    await untilAllCaptured(hermod);
    await hermod.stop();
    const lines = hermod
      .log()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { accepted, lines: lines.filter(({ message }) => message === accepted.message_id) };
  } finally {
    await hermod.dispose();
  }
}

it("logs a line of the edge, of the core and of the worker, with one trace id and without the address", async () => {
  const { accepted, lines } = await linesAt("info");
  const common = { level: "info", traceId: accepted.sx_trace_id, domain: "example.org" };
  const isOfEdge = ({ msg }: { readonly msg: string }) => msg === "submission accepted";
  const ofEdge = {
    level: "info",
    traceId: accepted.sx_trace_id,
    account: expect.stringMatching(/^acc_/),
    clientTraceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  };
  expect(lines.filter(isOfEdge)).toEqual([
    expect.not.objectContaining({ replayed: true }),
    expect.objectContaining({ replayed: true }),
  ]);
  for (const line of lines.filter(isOfEdge)) expect(line).toMatchObject(ofEdge);
  expect(lines.filter((line) => !isOfEdge(line))).toEqual([
    expect.objectContaining({ ...common, msg: "message accepted", account: expect.stringMatching(/^acc_/) }),
    expect.objectContaining({
      ...common,
      msg: "delivery attempted",
      state: "captured",
      server: "sandbox",
      ms: expect.any(Number),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});

it("logs a line of the relay for a submission, with the trace id of the reply and the messages", async () => {
  const hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: "info" } });
  try {
    const { smtp, sender } = hermod.firstRun;
    const transport = nodemailer.createTransport({
      host: smtp.host,
      port: smtp.port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user: smtp.username, pass: smtp.password },
    });
    const to = ["ann.secret@example.org", "bob.secret@example.org"];
    const { response } = await transport.sendMail({ from: sender, to, text: "Hello." });
    transport.close();
    await hermod.stop();
    const lines = hermod
      .log()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const traceId = /queued as (\S+)/.exec(response)?.[1];
    const stored = lines.filter((line) => line.msg === "message accepted");
    const ids = stored.map(({ message }) => message);
    expect(ids).toHaveLength(2);
    expect(lines.filter((line) => line.msg === "submission accepted")).toEqual([
      expect.objectContaining({ traceId, messageCount: 2, account: stored[0].account }),
    ]);
    const [{ messages }] = lines.filter((line) => line.msg === "submission accepted");
    expect([...messages].sort()).toEqual([...ids].sort());
    expect(hermod.log()).not.toContain("secret@");
  } finally {
    await hermod.dispose();
  }
});

it("logs neither at the level warn", async () => {
  expect((await linesAt("warn")).lines).toEqual([]);
});
