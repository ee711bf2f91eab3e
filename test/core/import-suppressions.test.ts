import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AreaClients } from "../../src/rpc/client.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let suppressions: AreaClients["suppressions"];
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  const { operator, memberOf, as } = identity;
  accountId = (await operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await operator.policies.putPolicy({ accountId, policy: { name: "news", default: true, transports } });
  suppressions = as({ session: (await memberOf(accountId)).token }).suppressions;
});

const all = async () => (await suppressions.listSuppressions({ pageSize: 1000 })).suppressions;
const auditCount = async () =>
  (await identity.operator.audits.listEntries({ accountId, filter: { action: "suppression.import" } }))
    .entries.length;
const outcomes = (report: { rows: { row: number; outcome: string; field: string; code: string }[] }) =>
  report.rows.map(({ row, outcome, field, code }) => [row, outcome, field, code].filter(Boolean).join(" "));

const CSV = [
  "\ufeffE-Mail;Reason;Note;Created;Expires At;Policy;Shoe size",
  'ann@example.net;Spam Complaint;"said; ""no""";1767225600;;;43',
  "here@example.net;unsubscribed;;2026-01-02;;;",
  "",
  "nobody;;;;;;",
  "weak@example.net;bounce;;;;;",
  "ANN@example.net;manual;;;;;",
  "bob@example.net;;;;2126-01-02 03:04:05 UTC;news;",
  "carl@example.net;550 no such user;;;;;",
  "dora@example.net;;;1/2/2026;;;",
  "emil@example.net;;;;2020-01-01;;",
  "fay@example.net;;;2126-01-01;;;",
  "gus@example.net;;;;;other;",
  "hal@example.net;;;;;;;more",
  "ida@example.net",
  "'@example.org;;;;;;",
].join("\r\n");

describe("importing a suppression list", () => {
  it("previews the result of each row without writing, and then has exactly these results", async () => {
    await suppressions.addSuppression({ address: "here@example.net" });
    await suppressions.addSuppression({ address: "weak@example.net", reason: "complaint" });
    const before = await all();
    const preview = await suppressions.importSuppressions({ csv: CSV, preview: true });
    expect(outcomes(preview)).toEqual([
      "2 added",
      "3 strengthened",
      "5 refused address address.missing_at",
      "6 already_there",
      "7 already_there",
      "8 added",
      "9 refused reason field.invalid",
      "10 refused created_at field.invalid",
      "11 refused expire_at field.invalid",
      "12 refused created_at field.invalid",
      "13 refused policy policy.unknown",
      "14 refused field.unknown",
      "15 added",
      "16 added",
    ]);
    expect(preview.counts).toMatchObject({ added: 4, strengthened: 1, alreadyThere: 2, refused: 7 });
    expect(preview.columns.map(({ name, field }) => `${name}: ${field}`)).toEqual([
      ...["E-Mail: address", "Reason: reason", "Note: detail", "Created: created_at"],
      ...["Expires At: expire_at", "Policy: policy", "Shoe size: "],
    ]);
    expect(await all()).toEqual(before);
    expect(await auditCount()).toBe(0);

    const { preview: _, ...report } = await suppressions.importSuppressions({ csv: CSV });
    expect({ ...report, preview: true }).toEqual({ ...preview });
    expect(await auditCount()).toBe(5);
    const imported = new Map((await all()).map((one) => [one.address, one]));
    expect([...imported.keys()]).toEqual([
      ...["@example.org", "ann@example.net", "bob@example.net", "here@example.net"],
      ...["ida@example.net", "weak@example.net"],
    ]);
    expect(imported.get("ann@example.net")).toMatchObject({
      reason: "complaint",
      detail: 'said; "no"',
      createdAt: { seconds: 1_767_225_600n },
    });
    expect(imported.get("bob@example.net")).toMatchObject({
      policy: "news",
      expireAt: { seconds: BigInt(Date.UTC(2126, 0, 2, 3, 4, 5) / 1000) },
    });
    const again = await suppressions.importSuppressions({ csv: CSV });
    expect(again.counts).toMatchObject({ added: 0, strengthened: 0, alreadyThere: 7, refused: 7 });
    expect(await auditCount()).toBe(5);
  });

  it("accepts a column of addresses without a heading, with the defaults of the request", async () => {
    const request = { csv: "ann@example.net\nbob@example.net\n", reason: "unsubscribe", policy: "news" };
    expect(outcomes(await suppressions.importSuppressions(request))).toEqual(["1 added", "2 added"]);
    expect(await all()).toMatchObject([
      { address: "ann@example.net", reason: "unsubscribe", policy: "news" },
      { address: "bob@example.net", reason: "unsubscribe", policy: "news" },
    ]);
  });

  it("reads the file of an export, including formulas", async () => {
    const detail = '=HYPERLINK("x"), "quoted"';
    await suppressions.addSuppression({ address: "+ann@example.net", reason: "complaint", detail });
    await suppressions.addSuppression({ address: "@example.org", detail: "-1" });
    await suppressions.addSuppression({ address: "bob@example.net", policy: "news" });
    const before = await all();
    const csv = await exported();
    expect(csv).toContain(`'+ann@example.net,complaint,,,"'=HYPERLINK(""x""), ""quoted""",`);
    expect(csv).toContain("'@example.org,manual,,,'-1,");
    for (const { id } of before) await suppressions.removeSuppression({ id });
    const report = await suppressions.importSuppressions({ csv });
    expect(report.counts).toMatchObject({ added: 3, refused: 0 });
    expect(report.columns.filter(({ field }) => field === "").map(({ name }) => name)).toEqual([
      "message_id",
    ]);
    expect(await all()).toEqual(before);
  });

  it.each([
    ["", "The CSV is empty."],
    ["\n\n", "The CSV is empty."],
    ["name,size\nann,3", "The CSV has no address column"],
    ["email,address\na@example.net,b@example.net", "The columns `email`, `address` both hold the"],
    ["email\nann@example.net\n\0", "Line 3 contains a NUL character"],
    ['email,note\nann@example.net,"never closed\n', "A quote is not closed (line"],
    ['email,note\nann@example.net,"a"b\n', "Text follows a closing quote (line 2)"],
    ['email,note\nann@example.net,a"b\n', "A quote must be at the start of a cell"],
    [`email,note\nann@example.net,${"x".repeat(70_000)}\n`, "A row exceeds 65536 octets (line"],
    [`email\n${"é".repeat(1_100_000)}`, "The CSV exceeds 2097152 octets"],
    [`email\n${"a@example.net\n".repeat(10_001)}`, "The CSV has more than 10000 rows"],
    [
      `email,policy\n${Array.from({ length: 101 }, (_, n) => `a@b.example,p${n}\n`).join("")}`,
      "more than 100",
    ],
  ])("refuses a complete file (%#)", async (csv, message) => {
    const failed = await suppressions.importSuppressions({ csv }).catch((error) => error);
    expect([failed.code, failed.errors]).toEqual([
      "request.validation_failed",
      [
        {
          pointer: "/csv",
          code: expect.any(String),
          message: expect.stringContaining(message),
          params: expect.objectContaining({ reason: expect.any(String) }),
        },
      ],
    ]);
    expect(await all()).toEqual([]);
  });

  it("refuses line breaks and NULs in notes, and shows at most the length of an address of a row", async () => {
    const csv = `email,note\nann@example.net,"two\nlines"\n${"x".repeat(3000)},\n`;
    const report = await suppressions.importSuppressions({ csv });
    expect(outcomes(report)).toEqual([
      "2 refused detail field.invalid",
      "3 refused address address.too_long",
    ]);
    expect(report.rows[1]?.address).toHaveLength(320);
  });

  it("imports a file of thousands of rows, in groups", async () => {
    const csv = `email\n${Array.from({ length: 1_700 }, (_, n) => `a${n}@example.net\n`).join("")}`;
    const { counts } = await suppressions.importSuppressions({ csv: `${csv}a3@example.net\n` });
    expect(counts).toMatchObject({ added: 1_700, alreadyThere: 1 });
  });
});

describe("exporting the suppression list", () => {
  it("contains exactly the matching entries, and is recorded in the audit log", async () => {
    const addresses = Array.from({ length: 1_000 }, (_, n) => `a${n}@${n % 2 ? "x" : "y"}.example`);
    await suppressions.addSuppressions({ addresses, reason: "unsubscribe" });
    await suppressions.addSuppressions({ addresses: addresses.slice(0, 200) });
    await suppressions.addSuppression({ address: "z@x.example", reason: "complaint" });
    const lines = (await exported({ domain: "x.example", reason: "unsubscribe" })).split("\r\n");
    expect(lines[0]).toBe("address,reason,policy,message_id,detail,created_at,expire_at");
    const found = lines.slice(1, -1).map((line) => line.split(",")[0]);
    expect(found).toEqual(addresses.filter((address) => address.endsWith("@x.example")).sort());
    const filter = { action: "suppression.export" };
    const { entries } = await identity.operator.audits.listEntries({ accountId, filter });
    expect(entries).toMatchObject([{ outcome: "read", target: { kind: "suppression" } }]);
  });
});

async function exported(filter = {}): Promise<string> {
  let text = "";
  for await (const { data } of suppressions.exportSuppressions(filter)) text += Buffer.from(data).toString();
  return text;
}
