import { afterEach, expect, it } from "vitest";
import { startDnsServer } from "../harness/dns-server.ts";
import { email, post } from "../harness/http.ts";
import { silence, startScriptedServer } from "../harness/scripted-server.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { envelopeTo, plainSource } from "../harness/submission.ts";

const DOMAINS = 60;
const RECIPIENTS_EACH = 10;

const ending: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** Two mail servers: one is silent after RCPT, the other accepts everything. */
async function startServers() {
  const silent = await startScriptedServer({ RCPT: silence }, "127.0.0.2");
  ending.push(silent.close);
  const quick = await startScriptedServer({}, "127.0.0.3", silent.port);
  ending.push(quick.close);
  const slow = Array.from({ length: DOMAINS }, (_, i) => `slow${i}.example`);
  const zones = [...slow.map((domain) => [domain, silent.host]), ["quick.example", quick.host]].flatMap(
    ([domain = "", address = ""]) => [
      [domain, { MX: [`10 mx.${domain}`] }] as const,
      [`mx.${domain}`, { A: [address] }] as const,
    ],
  );
  const dns = await startDnsServer(Object.fromEntries(zones));
  ending.push(dns.close);
  const settings = {
    HERMOD_DNS_SERVERS: dns.address,
    HERMOD_MX_PORT: String(silent.port),
    HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    HERMOD_MTA_STS: "false",
    HERMOD_DRAIN_MS: "0",
  };
  return { silent, quick, slow, settings };
}

async function untilDelivered(hermod: Hermod, id: string): Promise<void> {
  await eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id });
    return message?.state === "delivered" ? true : undefined;
  });
}

it("600 recipients at 60 domains with silent servers delay no other message", async () => {
  const { silent, quick, slow, settings } = await startServers();
  const hermod = await startHermod({ settings });
  ending.push(hermod.dispose);
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const recipients = slow.flatMap((domain) =>
    Array.from({ length: RECIPIENTS_EACH }, (_, i) => `user${i}@${domain}`),
  );
  await hermod.core.submissions.submit(envelopeTo(hermod, recipients), plainSource());
  const asked = () => silent.peers.filter(({ commands }) => commands.some((line) => line.startsWith("RCPT")));
  // As many as allowed.
  await eventually(async () => (asked().length >= DOMAINS ? true : undefined));
  const delaysMs: number[] = [];
  for (let i = 0; i < 3; i++) {
    const startedMs = performance.now();
    const { accepted } = await post(hermod, email({ to: "ada@quick.example", subject: `Innocent ${i}` }));
    await untilDelivered(hermod, accepted.message_id);
    delaysMs.push(performance.now() - startedMs);
  }
  // A fraction of a second on an idle machine, but five minutes if they wait for the others.
  expect(Math.max(...delaysMs)).toBeLessThan(10_000);
  expect(quick.messages).toHaveLength(3);
  expect(asked().length).toBeLessThan(250 / 2);
});
