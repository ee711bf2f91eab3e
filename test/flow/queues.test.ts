import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue } from "../harness/store-client.ts";

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");

const onMongodb = process.env.MONGODB_URL !== undefined;

let hermod: Hermod;
beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

const stateOf = async (id: string) => (await hermod.core.messages.getMessage({ id })).message?.state;
const until = (id: string, state: string) =>
  eventually(async () => ((await stateOf(id)) === state ? true : undefined));
const send = async (to: string) => (await post(hermod, email({ to }))).accepted.message_id;

it("holds messages for a destination while others are delivered, and delivers them after the release", async () => {
  const selection = { destination: "Held.Example" };
  const { hold } = await hermod.core.queues.holdQueue({ selection, reason: "its server is down" });
  expect(hold).toMatchObject({ selection: { destination: "held.example" }, reason: "its server is down" });
  expect((await hermod.core.queues.holdQueue({ selection })).hold).toEqual(hold);
  await eventually(async () =>
    (await fetch(`${hermod.adminUrl}/metrics`).then((answer) => answer.text())).includes(
      "hermod_queue_holds 1",
    )
      ? true
      : undefined,
  );
  const held = await send("ann@held.example");
  const free = await send("ann@free.example");
  await until(free, "captured");
  expect(await stateOf(held)).toBe("queued");
  expect((await hermod.core.queues.listHolds({})).holds).toEqual([hold]);
  await hermod.core.queues.releaseQueue({ selection });
  await until(held, "captured");
  await expect(hermod.core.queues.releaseQueue({ selection })).rejects.toMatchObject({
    code: "queue.hold_unknown",
  });
  const { entries } = await hermod.core.audits.listEntries({ installation: true });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["queue.hold", "queue.release"]),
  );
});

it("holds the messages of a policy for a member of its account, and delivers them after the release", async () => {
  const held = { name: "sandbox", destination: "paused.example" };
  const { hold } = await hermod.core.policies.holdPolicyQueue({ ...held, reason: "a wrong campaign" });
  await eventually(async () =>
    (await fetch(`${hermod.adminUrl}/metrics`).then((answer) => answer.text())).includes(
      "hermod_queue_holds 1",
    )
      ? true
      : undefined,
  );
  const id = await send("ann@paused.example");
  await until(await send("ann@running.example"), "captured");
  const found = await hermod.core.messages.getMessage({ id });
  expect(found).toMatchObject({ message: { state: "queued" }, hold });
  const { waiting, destinations } = await hermod.core.policies.getPolicyQueue({ name: "sandbox" });
  expect([waiting, destinations]).toEqual([1n, [expect.objectContaining({ waiting: 1n, held: true })]]);
  await hermod.core.policies.releasePolicyQueue(held);
  await until(id, "captured");
});

it("selects all messages, an account, a destination or a policy of an account", async () => {
  const hold = (selection: object) => hermod.core.queues.holdQueue({ selection });
  const refused = { code: expect.stringMatching(/^(?:request\.validation_failed|field\.)/) };
  await expect(hold({})).rejects.toMatchObject(refused);
  await expect(hold({ all: true, destination: "a.example" })).rejects.toMatchObject(refused);
  await expect(hold({ policy: "sandbox" })).rejects.toMatchObject(refused);
  await expect(hold({ destination: "no domain" })).rejects.toMatchObject(refused);
  await expect(hold({ accountId: "acc_unknown" })).rejects.toMatchObject({ code: "account.unknown" });
});

it("purges only the waiting messages of a destination, by a job", async () => {
  await hermod.core.queues.holdQueue({ selection: { all: true } });
  await eventually(async () =>
    (await fetch(`${hermod.adminUrl}/metrics`).then((answer) => answer.text())).includes(
      "hermod_queue_holds 1",
    )
      ? true
      : undefined,
  );
  const [first, second, other] = [
    await send("a@purged.example"),
    await send("b@purged.example"),
    await send("c@kept.example"),
  ];
  const { job } = await hermod.core.queues.purgeQueue({ destination: "purged.example" });
  await eventually(async () => {
    const found = await hermod.core.jobs.getJob({ id: job?.id ?? "" });
    return found.job?.state === "succeeded" ? true : undefined;
  });
  expect([await stateOf(first), await stateOf(second), await stateOf(other)]).toEqual([
    "cancelled",
    "cancelled",
    "queued",
  ]);
  await hermod.core.queues.releaseQueue({ selection: { all: true } });
  await until(other, "captured");
});

it.skipIf(onMongodb)(
  "sends nothing from a restored backup with held delivery until it is released",
  async () => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const { accepted } = await post(hermod, email({ to: "ann@left.example", send_at }));
    const file = path.join(hermod.dataDir, "copy");
    expect(spawnSync(process.execPath, [MAIN, "backup", file], { env: hermod.env }).status).toBe(0);
    await makeDue(hermod);
    await until(accepted.message_id, "captured");
    await hermod.stop();
    copyFileSync(file, path.join(hermod.dataDir, "hermod.sqlite"));
    for (const end of ["-commits", "-wal", "-shm"])
      rmSync(path.join(hermod.dataDir, `hermod.sqlite${end}`), { force: true });
    hermod = await hermod.restart({ HERMOD_HOLD_DELIVERY: "true" });
    await makeDue(hermod);
    const fresh = await send("ann@fresh.example");
    // The message was sent after the backup, and must not be sent again.
    const { job } = await hermod.core.queues.purgeQueue({ destination: "left.example" });
    await eventually(async () => {
      const found = await hermod.core.jobs.getJob({ id: job?.id ?? "" });
      return found.job?.state === "succeeded" ? true : undefined;
    });
    expect([await stateOf(accepted.message_id), await stateOf(fresh)]).toEqual(["cancelled", "queued"]);
    await hermod.core.queues.releaseQueue({ selection: { all: true } });
    await until(fresh, "captured");
  },
);

it("holds delivery after a start with --hold-delivery, until an operator releases it", async () => {
  const held = await startHermod({ args: ["--hold-delivery"] });
  try {
    const stateIn = async (id: string) => (await held.core.messages.getMessage({ id })).message?.state;
    const { holds } = await held.core.queues.listHolds({});
    expect(holds).toMatchObject([{ selection: { all: true }, reason: "held by the start" }]);
    expect(held.log()).toContain("delivery of all messages is held");
    const id = (await post(held, email())).accepted.message_id;
    // The worker has searched for due messages since: it counts them, and sends none.
    await eventually(async () => {
      const text = await fetch(`${held.adminUrl}/metrics`).then((answer) => answer.text());
      return /^hermod_queue_depth_messages\{state="waiting"\} 1$/m.test(text) || undefined;
    });
    expect(await stateIn(id)).toBe("queued");
    const released = spawnSync(process.execPath, [MAIN, "queue", "release", "--all"], {
      env: held.env,
      encoding: "utf8",
    });
    expect([released.status, released.stderr]).toEqual([0, ""]);
    await eventually(async () => (await stateIn(id)) === "captured" || undefined);
  } finally {
    await held.dispose();
  }
});
