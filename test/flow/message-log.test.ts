import { expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { startHermod } from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";

/** The lines of a process at this level about one message that is sent, sent again, and captured. */
async function linesAt(level: string) {
  const hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: level } });
  try {
    const options = { headers: { "idempotency-key": "once" } };
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

it("logs one line for a message that is accepted and one for its attempt, without the address", async () => {
  const { accepted, lines } = await linesAt("info");
  const common = { level: "info", traceId: accepted.sx_trace_id, domain: "example.org" };
  expect(lines).toEqual([
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

it("logs neither at the level warn", async () => {
  expect((await linesAt("warn")).lines).toEqual([]);
});
