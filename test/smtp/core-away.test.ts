import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { email, post } from "../harness/http.ts";
import { openSmtpSession, type SmtpSession } from "../harness/smtp-session.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const token = randomBytes(32).toString("base64url");
let mx: FakeMx;
let core: Hermod;
let smtp: HermodProcess;

beforeAll(async () => {
  mx = await startFakeMx();
  const shared = {
    HERMOD_BOUNCE_DOMAIN: "bounce.example.com",
    HERMOD_POSTMASTER_ADDRESS: "ops@example.net",
    HERMOD_GRPC_TOKEN: token,
  };
  core = await startHermod({
    roles: "core,worker,edge",
    settings: { ...mx.settings, ...shared, HERMOD_GRPC_PORT: String(await freePort()) },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  const policy = { name: "direct", default: true, transports };
  await core.core.policies.putPolicy({ policy });
  // Mail to postmaster leaves as mail of Hermod's own.
  await core.core.policies.putPolicy({ accountId: "system", policy });
  smtp = await startProcess(
    {
      ...(await newSettings()),
      ...shared,
      MONGODB_URL: "",
      HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address,
      HERMOD_BOUNCE_HOST: "127.0.0.1",
      HERMOD_BOUNCE_PORT: "0",
      HERMOD_CORE_DEADLINE_MS: "1500",
    },
    "smtp",
  );
});
afterAll(async () => {
  await smtp.kill();
  await removeData({ HERMOD_DATA_DIR: smtp.env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
  await core.dispose();
  await mx.close();
});

function openSession(): Promise<SmtpSession> {
  return openSmtpSession(Number(/Bounces +port (\d+)/.exec(smtp.stdout())?.[1]));
}

it("a separate SMTP front end replies 451 while the core is unavailable, and its sessions continue", async () => {
  const { accepted } = await post(core, email({ to: "ann@example.net" }));
  const returnPath = (await eventually(async () => mx.received[0])).from;
  const fixture = readFileSync("test/fixtures/bounces/postfix-failed.eml", "latin1");
  const report = fixture.replace(/\r?\n/g, "\r\n");
  const session = await openSession();
  await session.say("EHLO mx.example.net");
  const recipient = async () => {
    await session.say("MAIL FROM:<>");
    const answer = await session.say(`RCPT TO:<${returnPath}>`);
    return answer.startsWith("250") ? session.say("RCPT TO:<postmaster>") : answer;
  };
  const data = async () => {
    expect(await session.say("DATA")).toMatch(/^354 /);
    return session.say(`${report}\r\n.`);
  };

  expect(await recipient()).toMatch(/^250 /);
  await core.kill();
  expect(await data()).toMatch(/^451 4\.3\.0 /);
  expect(await recipient()).toMatch(/^451 4\.3\.0 /);
  await session.say("RSET");

  core = await core.restart();
  await eventually(async () => {
    const accepted = (await recipient()).startsWith("250");
    if (!accepted) await session.say("RSET");
    return accepted || undefined;
  });
  process.kill(core.pid, "SIGSTOP");
  try {
    expect(await data()).toMatch(/^451 4\.3\.0 /);
  } finally {
    process.kill(core.pid, "SIGCONT");
  }
  expect(await recipient()).toMatch(/^250 /);
  expect(await data()).toMatch(/^250 /);
  const { message, timeline } = await core.core.messages.getMessage({ id: accepted.message_id });
  expect([message?.state, ...timeline.map(({ kind }) => kind)]).toEqual([
    "bounced",
    "accepted",
    "delivered",
    "bounced",
  ]);
  // Mail with the reply 451 was not forwarded.
  const forwarded = () => mx.received.filter(({ to }) => to.includes("ops@example.net"));
  await eventually(async () => forwarded()[0]);
  expect(forwarded()).toHaveLength(1);
  session.close();
});

it("it ends orderly, with open sessions", async () => {
  const session = await openSession();
  await session.say("EHLO mx.example.net");
  expect(await smtp.stop()).toBe(0);
  session.close();
});
