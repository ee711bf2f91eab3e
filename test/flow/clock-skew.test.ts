import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { type Config, loadConfig } from "../../src/config.ts";
import { type Clock, systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { newSettings, removeData } from "../harness/start-hermod.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const log = createLogger("silent");
/** The built program: the embedded engine's thread runs compiled code. */
const built = new URL("../../dist/src/roles/start.js", import.meta.url).href;
const { start }: typeof import("../../src/roles/start.ts") = await import(built);

const made: NodeJS.ProcessEnv[] = [];
afterEach(async () => {
  for (const env of made.splice(0)) await removeData(env);
});

/** Settings of a separate installation: its store uses this machine's clock. */
async function settings(changes: Readonly<Record<string, string>> = {}): Promise<Config> {
  const env = await newSettings();
  made.push(env);
  // The passed clock is that of this thread.
  return loadConfig({ ...env, HERMOD_FRONT_END_THREAD: "never", ...changes });
}

function ahead(ms: number): Clock {
  return { ...systemClock, now: () => new Date(Date.now() + ms) };
}

async function metric(adminUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

it.each([
  ["ahead", HOUR_MS],
  ["behind", -HOUR_MS],
])("does not start with a clock an hour %s the store's clock, and reports both times", async (word, ms) => {
  const started = start(await settings(), "all", log, ahead(ms));
  const error: unknown = await started.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "StartupError" });
  const { message } = error as Error;
  expect(message).toMatch(/^HERMOD_CLOCK_SKEW_MAX_MS: /);
  expect(message).toMatch(new RegExp(`36\\d\\d s ${word}|35\\d\\d s ${word}`));
  const [own = "", stores = ""] = message.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  const apartMs = Date.parse(own) - Date.parse(stores);
  expect(Math.abs(apartMs - ms)).toBeLessThan(MINUTE_MS);
});

it("starts with such a clock if the setting allows it, or the difference", async () => {
  for (const [most, ms] of [
    ["0", HOUR_MS],
    [String(2 * HOUR_MS), HOUR_MS],
    ["300000", 2 * MINUTE_MS],
  ] as const) {
    const started = await start(await settings({ HERMOD_CLOCK_SKEW_MAX_MS: most }), "all", log, ahead(ms));
    const skewSeconds = await metric(started.addresses.adminUrl, "hermod_clock_skew_seconds");
    expect(Math.abs(skewSeconds * 1000 - ms)).toBeLessThan(MINUTE_MS);
    await started.stop();
  }
});

it("dates nothing with a stepped wall clock that the store does not confirm", async () => {
  let steppedMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + steppedMs) };
  const env = await settings();
  const started = await start(env, "all", log, clock);
  const { adminUrl, baseUrl } = started.addresses;
  const { api_key: key, sender } = JSON.parse(
    await readFile(path.join(env.dataDir, "first-run.json"), "utf8"),
  );
  const send = async (changes: object) => {
    const answer = await fetch(`${baseUrl}/v1/email/send`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({
        from: sender,
        to: ["a@example.com"],
        subject: "Hello",
        text: "Hello",
        ...changes,
      }),
    });
    return { status: answer.status, body: await answer.text() };
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
  expect(await metric(adminUrl, "hermod_clock_steps_total")).toBe(0);

  steppedMs = HOUR_MS;
  // Still in the future, although past by the wall clock.
  const scheduled = await send({ send_at: inMinutes(30) });
  expect(scheduled).toMatchObject({ status: 202 });
  expect(scheduled.body).toContain('"status":"scheduled"');
  const { body } = await send({});
  const createdMs = Date.parse(/"created_at":"([^"]+)"/.exec(body)?.[1] ?? "");
  expect(Math.abs(createdMs - Date.now())).toBeLessThan(10 * MINUTE_MS);
  expect(await metric(adminUrl, "hermod_clock_steps_total")).toBe(1);
  // The store is queried, and does not confirm it.
  const skewSeconds = await metric(adminUrl, "hermod_clock_skew_seconds");
  expect(Math.abs(skewSeconds)).toBeLessThan(600);
  await started.stop();
});
