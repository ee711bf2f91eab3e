import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { simpleParser } from "mailparser";
import nodemailer from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyJakartaMail, QUICK_JVM } from "../harness/maven-copy.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const FIXTURES = path.resolve("test/fixtures/clients");
const SUBJECT = "Grüße aus Kraków 😀";
const TEXT = "Zażółć gęślą jaźń.\n.a line that starts with a dot\n..and one with two\n";

let hermod: Hermod;
let folder: string;
let counter = 0;
const attachment = randomBytes(150_000);

beforeAll(async () => {
  hermod = await startHermod();
  folder = await mkdtemp(path.join(tmpdir(), "hermod-clients-"));
  await writeFile(path.join(folder, "data.bin"), attachment);
});
afterAll(async () => {
  await hermod.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Address and credentials for the clients. */
function access() {
  const { host, port, username, password } = hermod.firstRun.smtp;
  return { host, port: String(port), username, password, ca: path.join(hermod.dataDir, "smtp-tls.crt") };
}

const newRecipients = () => [
  `first-${counter}@example.net`,
  `second-${counter}@example.org`,
  `third-${counter++}@example.net`,
];

/** The message as its source, for clients that send files. */
async function messageFile(recipients: readonly string[]): Promise<string> {
  const composer = new MailComposer({
    from: hermod.firstRun.sender,
    to: [...recipients],
    subject: SUBJECT,
    text: TEXT,
    attachments: [{ filename: "data.bin", content: attachment }],
    newline: "\r\n",
  });
  const file = path.join(folder, "message.eml");
  await writeFile(file, await composer.compile().build());
  return file;
}

/** Captured messages of the sandbox, one for each recipient. */
async function capturedFor(recipients: readonly string[]): Promise<Buffer[]> {
  return eventually(async () => {
    const { messages } = await hermod.core.sandbox.listSandboxMessages({ pageSize: 100 });
    const found = recipients.map((address) =>
      messages.find(({ envelopeTo }) => envelopeTo.includes(address)),
    );
    if (found.some((message) => message === undefined)) return undefined;
    return Promise.all(
      found.map(async (message) =>
        Buffer.from((await hermod.core.sandbox.getSandboxMessage({ id: message?.id ?? "" })).source),
      ),
    );
  });
}

const bodyOf = (source: Buffer) => source.subarray(source.indexOf("\r\n\r\n"));

/** Every recipient has the message with its attachment; sent from a file, its body is the file's, octet for octet. */
async function expectArrived(recipients: readonly string[], file?: string): Promise<void> {
  for (const source of await capturedFor(recipients)) {
    if (file) expect(bodyOf(source).equals(bodyOf(await readFile(file)))).toBe(true);
    const mail = await simpleParser(source);
    expect(mail.subject).toBe(SUBJECT);
    expect(mail.text?.replaceAll("\r\n", "\n").trim()).toBe(TEXT.trim());
    expect(mail.attachments.map(({ content }) => content.equals(attachment))).toEqual([true]);
  }
}

const swaks = tool("swaks");
const msmtp = tool("msmtp");
const python = tool("python");
const go = tool("go");
const java = tool("java");

describe("a message with an attachment, to three recipients, by", () => {
  it("nodemailer arrives at each", async () => {
    const { host, port, username: user, password: pass, ca } = access();
    const to = newRecipients();
    const transport = nodemailer.createTransport({
      host,
      port: Number(port),
      requireTLS: true,
      auth: { user, pass },
      tls: { ca: await readFile(ca) },
    });
    const info = await transport.sendMail({
      from: hermod.firstRun.sender,
      to,
      subject: SUBJECT,
      text: TEXT,
      attachments: [{ filename: "data.bin", content: attachment }],
    });
    transport.close();
    expect(info.response).toMatch(/^250 2\.0\.0 queued as sx_[0-9a-z]{26}$/);
    await expectArrived(to);
  });

  it.skipIf(swaks.missing)(`swaks arrives at each${swaks.note}`, async () => {
    const { host, port, username, password } = access();
    const to = newRecipients();
    const file = await messageFile(to);
    await run("swaks", [
      ...["--server", host, "--port", port, "-tls", "--auth", "LOGIN", "-au", username, "-ap", password],
      ...["--from", hermod.firstRun.sender, "--to", to.join(","), "--data", `@${file}`, "--silent", "2"],
    ]);
    // It adds a line end of its own.
    await expectArrived(to);
  });

  it.skipIf(msmtp.missing)(`msmtp arrives at each${msmtp.note}`, async () => {
    const { host, port, username, password, ca } = access();
    const to = newRecipients();
    const file = await messageFile(to);
    const args = [
      ...[`--host=${host}`, `--port=${port}`, "--tls=on", "--tls-starttls=on", `--tls-trust-file=${ca}`],
      ...[
        "--auth=on",
        `--user=${username}`,
        `--passwordeval=echo ${password}`,
        `--from=${hermod.firstRun.sender}`,
      ],
      ...["--file=/dev/null", "--", ...to],
    ];
    await run("sh", ["-c", 'exec msmtp "$@" <"$0"', file, ...args]);
    await expectArrived(to, file);
  });

  it.skipIf(msmtp.missing)(
    `msmtp asks for notices, with the line of docs/reference/dsn.md${msmtp.note}`,
    async () => {
      const { host, port, username, password } = access();
      const line = /```sh\n(msmtp [^`]*)```/.exec(await readFile("docs/reference/dsn.md", "utf8"))?.[1] ?? "";
      const to = `notified-${counter++}@example.net`;
      const filled = [
        ["127.0.0.1", host],
        ["2587", port],
        ["hm_smtp_…", username],
        ["echo …", `echo ${password}`],
        ["bob@example.net", to],
      ] as const;
      await messageFile([to]);
      const command = filled.reduce((text, [given, meant]) => text.replace(given, meant), line);
      await run("sh", ["-ec", command], { cwd: folder });
      const stored = await withStore(hermod, (db) => db.collection("messages").findOne({ recipient: to }));
      expect(stored).toMatchObject({ notify: ["success", "failure"], returnContent: "headers" });
    },
  );

  it.skipIf(python.missing)(`Python's smtplib arrives at each${python.note}`, async () => {
    const { host, port, username, password, ca } = access();
    const to = newRecipients();
    const file = await messageFile(to);
    const args = [host, port, ca, username, password, hermod.firstRun.sender, file, ...to];
    await run("python3", [path.join(FIXTURES, "send.py"), ...args]);
    await expectArrived(to, file);
  });

  it.skipIf(go.missing)(`Go's net/smtp arrives at each${go.note}`, { timeout: 120_000 }, async () => {
    const { host, port, username, password, ca } = access();
    const to = newRecipients();
    const file = await messageFile(to);
    const args = [host, port, username, password, hermod.firstRun.sender, file, ...to];
    await run("go", ["run", path.join(FIXTURES, "send.go"), ...args], {
      env: { ...process.env, SSL_CERT_FILE: ca },
    });
    await expectArrived(to, file);
  });

  it.skipIf(java.missing)(`Jakarta Mail arrives at each${java.note}`, { timeout: 180_000 }, async () => {
    await copyJakartaMail(folder);
    const { host, port, username, password } = access();
    const to = newRecipients();
    const args = [
      host,
      port,
      username,
      password,
      hermod.firstRun.sender,
      SUBJECT,
      TEXT,
      path.join(folder, "data.bin"),
    ];
    await run(
      "java",
      [
        ...QUICK_JVM,
        "-Dfile.encoding=UTF-8",
        "-cp",
        path.join(folder, "*"),
        path.join(FIXTURES, "Send.java"),
        ...args,
        ...to,
      ],
      {
        env: { ...process.env, LC_ALL: "C.UTF-8" },
      },
    );
    await expectArrived(to);
  });
});
