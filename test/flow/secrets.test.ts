import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { BSON } from "mongodb";
import { afterEach, expect, it } from "vitest";
import { newSecretKey, parseSecretKey } from "../../src/shared/secret-keys.ts";
import { type Hermod, runToEnd, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";

const run = promisify(execFile);
const password = "s3cret-of-the-relay";

let hermod: Hermod | undefined;
afterEach(async () => {
  await hermod?.dispose();
  hermod = undefined;
});

async function storeSecrets({ core }: Hermod) {
  const servers = [{ host: "relay.example.com" }];
  const smtp = { kind: { case: "smtp", value: { servers, username: "ada", password } } } as const;
  await core.policies.putPolicy({ policy: { name: "relay", transports: [smtp] } });
  await core.domains.addDomain({ domain: "example.com" });
  const headers = [{ name: "Authorization", value: password }];
  await core.webhooks.createWebhook({ settings: { url: "https://receiver.example/", headers } });
}

/** Public records of the keys, which are derived from the private ones. */
const records = async ({ core }: Hermod) =>
  (await core.domains.getDomain({ domain: "example.com" })).domain?.keys.map(
    ({ recordValue }) => recordValue,
  );

/** Every document of the database as octets, like in a dump. */
const dump = (running: Hermod) =>
  withStore(running, async (db) => {
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    const documents = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
    return documents
      .flat()
      .map((document) => Buffer.from(BSON.serialize(document)).toString("latin1"))
      .join("\n");
  });

/** The view of an attacker with the database, or with its files. */
async function expectNoSecretIn(running: Hermod) {
  const names = (await readdir(running.dataDir)).filter((name) => name.startsWith("hermod.sqlite"));
  const files = await Promise.all(names.map((name) => readFile(path.join(running.dataDir, name), "latin1")));
  const everything = [await dump(running), ...files, running.log()].join("\n");
  expect(everything).toContain("relay.example.com");
  expect(everything).not.toContain(password);
  expect(everything).not.toContain("PRIVATE KEY");
}

const idOf = (key: string) => parseSecretKey(key)?.id;

it("keeps secrets under its own key, accepts another one while it runs, and names a missing one", async () => {
  hermod = await startHermod({ roles: "core" });
  await storeSecrets(hermod);
  const published = await records(hermod);
  await expectNoSecretIn(hermod);
  const file = path.join(hermod.dataDir, "secret-keys");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const former = (await readFile(file, "utf8")).trim();
  await hermod.stop();
  await rm(file);

  const next = newSecretKey();
  hermod = await hermod.restart({ HERMOD_SECRET_KEYS: `${next},${former}` });
  const { stdout, stderr } = await run(process.execPath, ["bin/hermod.js", "secrets", "rotate"], {
    env: hermod.env,
  });
  // The policy, two keys of the domain, an endpoint, and Hermod's own secrets.
  expect(stdout).toMatch(
    new RegExp(
      `^All secrets are encrypted with the key ${idOf(next)}\\. Re-encrypted: ([6-9]|1\\d) documents\\.\n$`,
    ),
  );
  expect(stderr).toContain(", 100 %\n");
  expect(await records(hermod)).toEqual(published);
  await hermod.stop();

  const missing = `hermod: HERMOD_SECRET_KEYS: secrets in the database are encrypted with the key ${idOf(next)}`;
  const withFormer = await runToEnd({ ...hermod.env, HERMOD_SECRET_KEYS: former }, "core");
  expect(withFormer).toMatchObject({ code: 2, stdout: "" });
  expect(withFormer.stderr).toContain(`${missing}, but HERMOD_SECRET_KEYS has ${idOf(former)}.`);
  const withNone = await runToEnd({ ...hermod.env, HERMOD_SECRET_KEYS: "" }, "core");
  expect(withNone).toMatchObject({ code: 2, stdout: "" });
  expect(withNone.stderr).toContain(`${missing}, but ${file} does not exist.`);
  await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });

  hermod = await hermod.restart({ HERMOD_SECRET_KEYS: next });
  expect(await records(hermod)).toEqual(published);
  // This reads the whole endpoint, including its secret and headers.
  const { webhooks } = await hermod.core.webhooks.listWebhooks({});
  const id = webhooks[0]?.id ?? "";
  const rotated = await hermod.core.webhooks.rotateWebhookSecret({ id, overlapSeconds: 60 });
  expect(rotated.webhook?.secrets).toHaveLength(2);
});
