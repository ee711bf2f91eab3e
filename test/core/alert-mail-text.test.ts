/** The text of alert mail: subject, state line, message and context. */
import type { ParsedMail } from "mailparser";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
});

const firstLine = (mail: ParsedMail | undefined) => mail?.text?.split("\n")[0];
const fieldOf = (mail: ParsedMail, name: string) =>
  mail.headerLines.find(({ key }) => key === name)?.line.replace(/\r\n(?=[ \t])/g, "");

describe("the subject of alert mail", () => {
  it("names the present severity and the alert that raised it, and stays in its thread", async () => {
    await account.putRule({ groupBy: ["source"] });
    await account.ingest({ severity: "info", source: "db", entityId: "a", message: "backup is slow" });
    identity.time.pass(MINUTE);
    await account.ingest({ severity: "critical", source: "db", entityId: "b", message: "primary is down" });
    identity.time.pass(MINUTE);
    for (const entityId of ["a", "b"]) await account.ingest({ source: "db", entityId, status: "resolved" });
    const [first, raised, last] = await account.parsed();
    expect([first?.subject, raised?.subject, last?.subject]).toEqual([
      "[info] db: backup is slow (a)",
      "Re: [critical] db: primary is down (b)",
      "Re: [critical] db: primary is down (b)",
    ]);
    expect(raised?.references).toBe(first?.messageId);
    expect(last?.references).toEqual([first?.messageId, raised?.messageId]);
    const topics = [first, raised, last].map((mail) => mail && fieldOf(mail, "thread-topic"));
    expect(new Set(topics).size).toBe(1);
    const [incident] = await account.incidents();
    expect(incident?.title).toBe("[critical] db: primary is down (b)");
  });

  it("stays the same while the severity does not change, so that Gmail groups the mails", async () => {
    await account.putRule({ groupBy: ["source"] });
    await account.ingest({ entityId: "a", message: "first" });
    identity.time.pass(MINUTE);
    await account.ingest({ entityId: "b", message: "second" });
    await account.check();
    const subjects = (await account.parsed()).map(({ subject }) => subject?.replace(/^Re: /, ""));
    expect(subjects).toEqual(["[critical] node: first (a)", "[critical] node: first (a)"]);
  });

  it("is one line for a message of several lines", async () => {
    await account.putRule();
    await account.ingest({ message: "Traceback:\r\n  File x\nBcc: victim@example.net\n\nValueError: no" });
    const [mail] = await account.parsed();
    expect(mail?.subject).toBe("[critical] node: Traceback: File x Bcc: victim@example.net ValueError: no");
  });
});

describe("the first line of alert mail", () => {
  it("names the severity, and counts active alerts and their occurrences separately", async () => {
    await account.putRule({ groupBy: ["source"] });
    for (let n = 0; n < 4; n++) await account.ingest({ severity: "warning", entityId: "a" });
    // Ids are ordered by time.
    identity.time.pass(1);
    await account.ingest({ severity: "critical", entityId: "b" });
    identity.time.pass(12 * MINUTE);
    for (const entityId of ["a", "b"]) await account.ingest({ entityId, status: "resolved" });
    const [first, raised, last] = await account.parsed();
    expect(firstLine(first)).toMatch(/^FIRING \(warning\) since .+: 1 alert\.$/);
    expect(firstLine(raised)).toMatch(
      /^FIRING \(critical\) since .+, higher severity: 2 alerts, 5 occurrences\.$/,
    );
    expect(firstLine(last)).toBe("RESOLVED (critical) after 12 min.");
  });
});

describe("the message of an alert", () => {
  const TRACEBACK =
    'Traceback (most recent call last):\r\n  File "job.py", line 3, in <module>\n\tmain()\n\n\n\nValueError: <b>no & such</b>\n';

  it("keeps its line breaks in text and HTML", async () => {
    await account.putRule();
    await account.ingest({ message: TRACEBACK });
    const [mail] = await account.parsed();
    expect(mail?.text).toContain(
      '\nTraceback (most recent call last):\n  File "job.py", line 3, in <module>\n    main()\n\nValueError: <b>no & such</b>\n',
    );
    const html = (mail?.html || "").replaceAll("&#34;", "&quot;");
    expect(html).toContain(
      "(most recent call last):<br>  File &quot;job.py&quot;, line 3, in &lt;module&gt;<br>    main()<br><br>ValueError: &lt;b&gt;no &amp; such&lt;/b&gt;</p>",
    );
    expect(html).toContain("white-space:pre-wrap");
  });

  it("shows how much is omitted, with a link to the incident", async () => {
    await account.putRule();
    await account.ingest({ message: `begin\n${"x".repeat(9_994)}` });
    const [mail] = await account.parsed();
    const link = /https:\/\/mail\.example\.com\/incident\/\S+/.exec(mail?.text ?? "")?.[0];
    expect(mail?.text).toContain(`\n4,999 more characters: ${link}\n`);
    expect(mail?.html).toContain(
      `<a class="link" href="${link}" style="color:#1f4e8c">4,999 more characters</a>`,
    );
  });

  it("shows the number of omitted lines", async () => {
    await account.putRule();
    await account.ingest({ message: Array.from({ length: 1_000 }, () => "line").join("\n") });
    const [mail] = await account.parsed();
    expect(mail?.text?.match(/^line$/gm)).toHaveLength(200);
    expect(mail?.text).toContain("\n3,200 more characters: ");
  });
});

describe("the context of an alert", () => {
  const contextOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

  it.each([
    [40, undefined],
    [41, "1 more value"],
    [60, "20 more values"],
    // 100 values are stored with an active alert.
    [150, "at least 60 more values"],
  ])("of %i values shows the number of omitted ones", async (count, more) => {
    await account.putRule();
    await account.ingest({ context: contextOf(count) });
    const [mail] = await account.parsed();
    expect(mail?.text?.match(/^k\d+: \d+$/gm)).toHaveLength(40);
    const said = /^(.*more values?): https:\/\/mail\.example\.com\/incident\/\S+$/m.exec(mail?.text ?? "");
    expect(said?.[1]).toBe(more);
    expect(/>([^<]*more values?)<\/a>/.exec(mail?.html || "")?.[1]).toBe(more);
  });
});
