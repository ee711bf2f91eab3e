import { readFile } from "node:fs/promises";
import path from "node:path";
import nodemailer from "nodemailer";
import { afterEach, expect, it } from "vitest";
import { email, post, storedMessages } from "../harness/http.ts";
import { mountSmallDisk, type SmallDisk } from "../harness/small-disk.ts";
import {
  eventually,
  type Hermod,
  newSettings,
  removeData,
  runToEnd,
  startHermod,
} from "../harness/start-hermod.ts";

const DISK_MB = 128;

let disk: SmallDisk | undefined;
let hermod: Hermod | undefined;

afterEach(async () => {
  await hermod?.dispose();
  await disk?.unmount();
});

async function readiness({ adminUrl }: Hermod): Promise<number> {
  return (await fetch(`${adminUrl}/readyz`)).status;
}

/** The reply to one message over SMTP. */
async function overSmtp({ firstRun: { smtp, sender } }: Hermod): Promise<string> {
  const transport = nodemailer.createTransport({
    host: smtp.host,
    port: smtp.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: smtp.username, pass: smtp.password },
  });
  try {
    const { response } = await transport.sendMail({ from: sender, to: "ada@example.org", text: "Hello." });
    return response;
  } catch (error) {
    return (error as { readonly response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

it("reports a full disk as such, and recovers when there is space", async ({ skip }) => {
  if (process.env.MONGODB_URL) skip("the disk is the embedded engine's");
  disk = await mountSmallDisk(DISK_MB);
  if (!disk) return skip("this user may not mount a disk");
  hermod = await startHermod({ settings: { HERMOD_DATA_DIR: path.join(disk.directory, "data") } });
  const { status } = await post(hermod, email());
  expect([status, await readiness(hermod)]).toEqual([202, 200]);

  const makeSpace = await disk.fill();
  // The rest of the file's last page may accept some.
  let accepted = 1;
  const refused = await eventually(async () => {
    const answer = await post(hermod as Hermod, email({ text: "x".repeat(100_000) }));
    if (answer.status !== 202) return answer;
    accepted++;
    return undefined;
  });
  expect([refused.status, refused.problem.code]).toEqual([503, "store.full"]);
  expect(refused.headers.get("retry-after")).toBe("10");
  expect(await overSmtp(hermod)).toMatch(/^452 4\.3\.1 /);
  const { adminUrl } = hermod;
  await eventually(async () => (await fetch(`${adminUrl}/readyz`)).status === 503 || undefined);
  expect(await storedMessages(hermod)).toBe(accepted);

  await makeSpace();
  await eventually(async () => ((await post(hermod as Hermod, email())).status === 202 ? true : undefined));
  await eventually(async () => (await readiness(hermod as Hermod)) === 200 || undefined);
  expect(await overSmtp(hermod)).toMatch(/^250 /);
  expect(await storedMessages(hermod)).toBe(accepted + 2);
});

/** Restarts with the known ports, and a new admin port. */
function restarted({ restart, firstRun: { base_url, smtp, grpc } }: Hermod): Promise<Hermod> {
  return restart({
    HERMOD_HTTP_PORT: new URL(base_url).port,
    HERMOD_SMTP_PORT: String(smtp.port),
    HERMOD_GRPC_PORT: grpc.address.split(":").at(-1) ?? "",
  });
}

it.each(["stop", "kill"] as const)(
  "starts on a full disk after a %s, serves reads, and goes on by itself",
  async (how) => {
    if (process.env.MONGODB_URL) return;
    disk = await mountSmallDisk(DISK_MB);
    if (!disk) return;
    hermod = await startHermod({ settings: { HERMOD_DATA_DIR: path.join(disk.directory, "data") } });
    const { accepted } = await post(hermod, email());
    const first = await disk.fill("before");
    await hermod[how]();
    // The log of the database frees space when it is merged.
    const second = await disk.fill("after");

    hermod = await restarted(hermod);
    const { core, adminUrl, firstRun, dataDir } = hermod;
    const started = hermod.log();
    expect(started).toContain("the disk of the data folder takes no writes");
    expect(started).toContain(dataDir);
    expect(started).toContain("Free space on it");
    expect(await storedMessages(hermod)).toBe(1);
    const url = `${firstRun.base_url}/v1/emails/${accepted.message_id}`;
    expect((await fetch(url, { headers: { "x-api-key": firstRun.api_key } })).status).toBe(200);
    const refused = await post(hermod, email({ text: "x".repeat(100_000) }));
    expect([refused.status, refused.problem.code]).toEqual([503, "store.full"]);
    await expect(core.keys.createKey({ kind: "smtp" })).rejects.toMatchObject({ code: "store.full" });
    expect(await readiness(hermod)).toBe(503);
    const fileOf = async () => JSON.parse(await readFile(path.join(dataDir, "first-run.json"), "utf8"));
    expect((await fileOf()).admin.url).not.toBe(adminUrl);

    await Promise.all([first(), second()]);
    await eventually(async () => ((await post(hermod as Hermod, email())).status === 202 ? true : undefined));
    await eventually(async () => (await readiness(hermod as Hermod)) === 200 || undefined);
    await eventually(async () => (await fileOf()).admin.url === adminUrl || undefined);
    expect(firstRun.api_key).toBe((await fileOf()).api_key);
  },
);

it("refuses a first start on a full disk with the folder and the remedy", async () => {
  disk = await mountSmallDisk(8);
  if (!disk || process.env.MONGODB_URL) return;
  await disk.fill("all");
  const env = await newSettings();
  const directory = path.join(disk.directory, "data");
  const { code, stderr } = await runToEnd({ ...env, HERMOD_DATA_DIR: directory });
  await removeData(env);
  expect(code).toBe(2);
  expect(stderr).toContain(`HERMOD_DATA_DIR`);
  expect(stderr).toContain(directory);
  expect(stderr).toMatch(/disk is full.*[Ff]ree space on/s);
});
