import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAuthenticated, type SmtpWire } from "../harness/smtp-wire.ts";
import {
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { allMessages, tally } from "../harness/stored.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const SESSIONS = 20;
const REPEAT_MS = 100;
const RECIPIENTS = ["a", "b", "c"].map((name) => `${name}@example.net`);
/** Number of answers before each kill. */
const ANSWERS = [60, 200];

let core: Hermod;
let smtp: HermodProcess;

beforeAll(async () => {
  const token = randomBytes(32).toString("base64url");
  core = await startHermod({
    roles: "core,worker",
    settings: { HERMOD_GRPC_TOKEN: token, HERMOD_GRPC_PORT: String(await freePort()) },
  });
  smtp = await startProcess(
    {
      ...(await newSettings()),
      MONGODB_URL: "",
      HERMOD_GRPC_TOKEN: token,
      HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address,
      HERMOD_CORE_DEADLINE_MS: "3000",
    },
    "smtp",
  );
});
afterAll(async () => {
  await smtp.kill();
  await removeData({ HERMOD_DATA_DIR: smtp.env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
  await core.dispose();
});

async function send(wire: SmtpWire, subject: string, recipients: readonly string[]): Promise<string> {
  const commands = ["MAIL FROM:<hello@example.com>", ...recipients.map((to) => `RCPT TO:<${to}>`), "DATA"];
  for (const command of commands) {
    const answer = await wire.say(command);
    if (!/^[23]/.test(answer)) {
      await wire.say("RSET");
      return answer;
    }
  }
  return wire.say(`From: hello@example.com\r\nSubject: ${subject}\r\n\r\nx\r\n.`);
}

it("stores every message once despite kills, if clients repeat after 451", async () => {
  const port = Number(/SMTP +127\.0\.0\.1:(\d+)/.exec(smtp.stdout())?.[1]);
  const { username, password } = core.firstRun.smtp;
  const wires: SmtpWire[] = [];
  for (let n = 0; n < SESSIONS; n++) wires.push(await openAuthenticated(port, username, password));
  const acknowledged = new Map<string, number>();
  const refused: string[] = [];
  let goOn = true;
  let serving: Promise<unknown> = Promise.resolve();
  let onAnswer: () => void = () => undefined;

  const clients = wires.map(async (wire, client) => {
    for (let i = 0; goOn; i++) {
      const subject = `${client}-${i}`;
      // A single recipient and several recipients use different paths into the store.
      const recipients = client % 2 ? RECIPIENTS : RECIPIENTS.slice(0, 1);
      for (let taken = false; !taken; ) {
        const answer = await send(wire, subject, recipients);
        taken = answer.startsWith("250 2.0.0 ");
        if (taken) continue;
        if (answer === "") throw new Error("The session has ended.");
        refused.push(answer);
        await serving;
        // A session with repeated refusals is closed.
        await sleep(REPEAT_MS);
      }
      acknowledged.set(subject, recipients.length);
      onAnswer();
    }
  });

  for (const answers of ANSWERS) {
    const answered = new Promise<void>((resolve) => {
      onAnswer = () => void (acknowledged.size >= answers && resolve());
    });
    await Promise.race([answered, Promise.all(clients)]);
    serving = core.kill().then(async () => {
      core = await core.restart();
    });
    await serving;
  }
  goOn = false;
  await Promise.all(clients);

  const stored = tally((await allMessages(core)).map(({ subject }) => subject));
  expect(new Map([...stored].sort())).toEqual(new Map([...acknowledged].sort()));
  expect(refused.filter((answer) => !/^45[14] /.test(answer))).toEqual([]);
  expect(refused.filter((answer) => answer.includes("may have been accepted"))).toEqual([]);
});
