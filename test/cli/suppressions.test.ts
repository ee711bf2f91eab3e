import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  type AddSuppressionRequest,
  AddSuppressionResponseSchema,
  ExportSuppressionsResponseSchema,
  ImportSuppressionsResponseSchema,
  ListSuppressionsResponseSchema,
  RemoveSuppressionResponseSchema,
  SuppressionSchema,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { runHermod, stdin } from "./run-hermod.ts";

const suppression = create(SuppressionSchema, {
  accountId: "acc_1",
  address: "ann@example.net",
  reason: "hard_bounce",
  messageId: "msg_1",
  id: "sup_1",
  detail: "550 5.1.1 user\u001b[2J unknown",
  createdAt: timestampFromDate(new Date("2026-01-02T03:04:05Z")),
  expireAt: timestampFromDate(new Date("2026-04-02T03:04:05Z")),
});
it("hermod suppression add passes on its arguments and shows the new entry", async () => {
  const asked: AddSuppressionRequest[] = [];
  const addSuppression = async (request: unknown) => {
    asked.push(request as AddSuppressionRequest);
    return create(AddSuppressionResponseSchema, { suppression, alertRules: ["pager"], alertRulesCount: 3 });
  };
  const core = { suppressions: { addSuppression } };
  const words = ["suppression", "add", "ann@example.net"];
  const { out, err } = await runHermod([...words, "--account", "acc_1"], { core });
  expect(err).toBe("Alert rules with this recipient no longer reach it: pager, and 2 more.\n");
  expect(out).toBe("No mail is sent to ann@example.net until 2026-04-02 03:04:05 UTC (hard_bounce).\n");
  expect(asked).toEqual([
    { accountId: "acc_1", address: "ann@example.net", reason: "manual", policy: "", detail: "" },
  ]);
  const options = [
    "--policy",
    "news",
    "--reason",
    "unsubscribe",
    "--detail",
    "by phone",
    "--days",
    "7",
    "--json",
  ];
  expect(JSON.parse((await runHermod([...words, ...options], { core })).out)).toMatchObject({
    address: "ann@example.net",
    alert_rules: ["pager"],
    alert_rules_count: 3,
  });
  expect(asked[1]).toMatchObject({ policy: "news", reason: "unsubscribe", detail: "by phone" });
  const { expireAt } = asked[1] ?? {};
  const days = ((expireAt ? timestampDate(expireAt).getTime() : 0) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 2);
  expect((await runHermod([...words, "--days", "0"], { core })).code).toBe(2);
  expect((await runHermod([...words, "--reason", "boredom"], { core })).code).toBe(2);
});

it("hermod suppression remove shows the notice of the core", async () => {
  const asked: unknown[] = [];
  const removeSuppression = async (request: unknown) => {
    asked.push(request);
    return create(RemoveSuppressionResponseSchema, { suppression, notice: "Mail is sent again." });
  };
  const core = { suppressions: { removeSuppression } };
  const { out } = await runHermod(["suppression", "remove", "ann@example.net", "--policy", "news"], { core });
  expect(asked).toEqual([{ accountId: "", address: "ann@example.net", policy: "news" }]);
  expect(out).toBe("Mail is sent again.\n");
});

it("hermod suppression list shows address, reason, begin and end", async () => {
  const listSuppressions = async () =>
    create(ListSuppressionsResponseSchema, { suppressions: [suppression], nextPageToken: "more" });
  const core = { suppressions: { listSuppressions } };
  const { out, err } = await runHermod(["suppression", "list", "--limit", "1"], { core });
  expect(out.split("\n")[1]).toBe(
    "ann@example.net  hard_bounce  all mail  2026-01-02 03:04:05 UTC  2026-04-02 03:04:05 UTC  550 5.1.1 user [2J unknown",
  );
  expect(err).toContain("--cursor more");
});

it("hermod suppression import reads a file, and shows the result of its rows", async () => {
  const asked: unknown[] = [];
  const importSuppressions = async (request: unknown) => {
    asked.push(request);
    const { preview = false } = request as { preview?: boolean };
    return create(ImportSuppressionsResponseSchema, {
      preview,
      counts: { added: 1, refused: 1 },
      columns: [{ name: "email", field: "address" }, { name: "size" }],
      rows: [
        { row: 2, address: "ann@example.net", outcome: "added" },
        {
          row: 3,
          address: "nobody",
          outcome: "refused",
          code: "address.missing_at",
          field: "address",
          message: "There is no @.",
        },
      ],
      alertRules: ["pager"],
      alertRulesCount: 3,
    });
  };
  const core = { suppressions: { importSuppressions } };
  const words = ["suppression", "import", "-"];
  const input = () => ({ core, input: stdin("\ufeffemail\n") });
  const preview = await runHermod([...words, "--preview", "--policy", "news"], input());
  expect(asked).toEqual([{ accountId: "", csv: "email\n", preview: true, reason: "manual", policy: "news" }]);
  expect(preview.out.split("\n").slice(1, -1)).toEqual([
    "2    ann@example.net  added",
    "3    nobody           refused  address: There is no @.",
    "Nothing was changed: 1 would be added, 0 strengthened, 0 already existed, 1 would be refused.",
  ]);
  expect(preview.err).toBe(
    'Ignored the columns "size". Alert rules with these recipients would not reach them: pager, and 2 more.\n',
  );
  const done = await runHermod(words, input());
  expect(done.err).toContain("Alert rules with these recipients no longer reach them: pager, and 2 more.");
  expect(done.out).not.toContain("ann@example.net");
  expect(done.out).toContain("Imported: 1 are added");
  expect(JSON.parse((await runHermod([...words, "--json"], input())).out)).toMatchObject({
    counts: { added: 1, strengthened: 0, already_there: 0, refused: 1 },
    columns: [{ field: "address" }, { name: "size", field: null }],
    rows: [
      { row: 2, code: null },
      { row: 3, code: "address.missing_at" },
    ],
    alert_rules: ["pager"],
    alert_rules_count: 3,
  });
});

it("hermod suppression export streams the entries of a filter", async () => {
  const asked: unknown[] = [];
  async function* exportSuppressions(request: unknown) {
    asked.push(request);
    for (const text of ["address\r\n", "ann@example.net\r\n"])
      yield create(ExportSuppressionsResponseSchema, { data: Buffer.from(text) });
  }
  const core = { suppressions: { exportSuppressions } };
  const words = ["suppression", "export", "--domain", "example.net", "--account-wide", "--message", "msg_1"];
  const { out } = await runHermod(words, { core });
  expect(out).toBe("address\r\nann@example.net\r\n");
  expect(asked).toMatchObject([{ domain: "example.net", accountWide: true, messageId: "msg_1" }]);
});
