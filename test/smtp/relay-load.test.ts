import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAuthenticated } from "../harness/smtp-wire.ts";
import {
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";

/** Fewer than the front end is built for: 200 of them in less than 600 MB. */
const SESSIONS = Number(process.env.HERMOD_TEST_LARGE_SESSIONS ?? 8);
const MESSAGE_BYTES = 25 * 1024 * 1024 - 1024;
const HEADER = "From: hello@example.com\r\nSubject: large\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\n";

let core: Hermod;
let smtp: HermodProcess;

beforeAll(async () => {
  const HERMOD_GRPC_TOKEN = randomBytes(32).toString("base64url");
  core = await startHermod({ roles: "core,worker", settings: { HERMOD_GRPC_TOKEN } });
  const HERMOD_GRPC_ADDRESS = core.firstRun.grpc.address;
  smtp = await startProcess(
    { ...(await newSettings()), MONGODB_URL: "", HERMOD_GRPC_TOKEN, HERMOD_GRPC_ADDRESS },
    "smtp",
  );
});
afterAll(async () => {
  await smtp.kill();
  await removeData({ HERMOD_DATA_DIR: smtp.env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
  await core.dispose();
});

/** Resident memory of the front end's process, in megabytes. */
async function memory(): Promise<number> {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${smtp.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

it("many large messages at once need memory for only a few pieces of each", async () => {
  const { username, password } = core.firstRun.smtp;
  const port = Number(/SMTP +127\.0\.0\.1:(\d+)/.exec(smtp.stdout())?.[1]);
  const line = `${"x".repeat(76)}\r\n`;
  const block = Buffer.from(line.repeat(800));
  const before = await memory();
  let peak = before;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memory());
  }, 100);

  async function sendOne(n: number): Promise<string> {
    const wire = await openAuthenticated(port, username, password);
    await wire.say("MAIL FROM:<hello@example.com>");
    await wire.say(`RCPT TO:<person-${n}@example.net>`);
    await wire.say("DATA");
    wire.write(HEADER);
    for (let sent = HEADER.length; sent + block.length < MESSAGE_BYTES; sent += block.length) {
      if (!wire.socket.write(block)) await once(wire.socket, "drain");
    }
    const answer = await wire.say(".");
    wire.close();
    return answer;
  }

  try {
    const answers = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => sendOne(n)));
    expect(answers.filter((answer) => !answer.startsWith("250 2.0.0 queued as sx_"))).toEqual([]);
  } finally {
    clearInterval(timer);
  }
  // Memory of the idle process, 150 MB for garbage, and 2 MB for each session.
  expect(peak).toBeLessThan(before + 150 + 2 * SESSIONS);
}, 300_000);
