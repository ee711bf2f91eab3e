import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRelay, type TestRelay } from "../harness/relay.ts";
import { repetitions } from "../harness/repetitions.ts";
import { openAuthenticated, openWire } from "../harness/smtp-wire.ts";

let relay: TestRelay;
/** A relay for unauthenticated clients. A submission may arrive after its session, and must not count as another's. */
let strangers: TestRelay;
const unexpected: unknown[] = [];
const note = (error: unknown) => void unexpected.push(error);

beforeAll(async () => {
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  [relay, strangers] = await Promise.all([startRelay(), startRelay()]);
});
afterAll(async () => {
  process.off("uncaughtException", note);
  process.off("unhandledRejection", note);
  await Promise.all([relay.close(), strangers.close()]);
});

const MAIL = "MAIL FROM:<hello@example.com>\r\n";
const RCPT = "RCPT TO:<ann@example.net>\r\n";

const pieces = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(MAIL, RCPT, "DATA\r\n", "RSET\r\n", "EHLO a.test\r\n", "\r\n.\r\n", ".\r\n"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "\r",
      "\n",
      ".",
      "\0",
      "\r\n",
      "..\r\n",
      "BDAT 9 LAST\r\n",
      "AUTH PLAIN\r\n",
      "*\r\n",
      "QUIT\r\n",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(999), "RCPT TO:<\u00fc@a.test>\r\n", "MAIL FROM:<> SIZE=+2B\r\n"),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const streams = fc.record({
  parts: fc.array(pieces, { maxLength: 30 }),
  cuts: fc.array(fc.nat(40), { maxLength: 20 }),
  authenticated: fc.boolean(),
});

/** In a complete message, every line has an end, and no octet makes the message ambiguous. */
function isWhole(source: Buffer): boolean {
  const text = source.toString("latin1");
  return !/\0|\r(?!\n)|(?<!\r)\n/.test(text) && (text === "" || text.endsWith("\r\n"));
}

it("no mix of commands and contents ends the server or delivers an incomplete message", async () => {
  await fc.assert(
    fc.asyncProperty(streams, async ({ parts, cuts, authenticated }) => {
      const wire = await (authenticated ? openAuthenticated(relay.port) : openWire(strangers.port));
      const bytes = Buffer.from(parts.join(""));
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        wire.write(bytes.subarray(at, at + cut + 1));
        at += cut + 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
      wire.close();
      const { submitted } = relay.core;
      expect(strangers.core.submitted).toEqual([]);
      expect(submitted.every(({ source }) => isWhole(source))).toBe(true);
      for (const line of wire.heard().split("\r\n").filter(Boolean)) expect(line).toMatch(/^[2345]\d\d[ -]/);
      submitted.splice(0);
    }),
    { numRuns: repetitions(100, 250) },
  );
  await Promise.all([relay.untilSessions(0), strangers.untilSessions(0)]);
  expect(unexpected).toEqual([]);
  const wire = await openAuthenticated(relay.port);
  expect(await wire.say("NOOP")).toMatch(/^250 /);
  wire.close();
});
