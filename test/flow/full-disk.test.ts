import path from "node:path";
import nodemailer from "nodemailer";
import { afterEach, expect, it } from "vitest";
import { email, post, storedMessages } from "../harness/http.ts";
import { mountSmallDisk, type SmallDisk } from "../harness/small-disk.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

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

it("a full disk is told of as that, and all goes on by itself when there is space", async ({ skip }) => {
  if (process.env.MONGODB_URL) skip("the disk is the embedded engine's");
  disk = await mountSmallDisk(DISK_MB);
  if (!disk) return skip("this user may not mount a disk");
  hermod = await startHermod({ settings: { HERMOD_DATA_DIR: path.join(disk.directory, "data") } });
  const { status } = await post(hermod, email());
  expect([status, await readiness(hermod)]).toEqual([202, 200]);

  const makeSpace = await disk.fill();
  // What is left of the last page of the file may take some.
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
