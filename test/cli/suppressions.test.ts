import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  type AddSuppressionRequest,
  AddSuppressionResponseSchema,
  ListSuppressionsResponseSchema,
  RemoveSuppressionResponseSchema,
  SuppressionSchema,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const suppression = create(SuppressionSchema, {
  accountId: "acc_1",
  address: "ann@example.net",
  reason: "hard_bounce",
  messageId: "msg_1",
  detail: "550 5.1.1 user\u001b[2J unknown",
  createdAt: timestampFromDate(new Date("2026-01-02T03:04:05Z")),
  expireAt: timestampFromDate(new Date("2026-04-02T03:04:05Z")),
});
const json = {
  account_id: "acc_1",
  address: "ann@example.net",
  reason: "hard_bounce",
  policy: null,
  message_id: "msg_1",
  detail: "550 5.1.1 user\u001b[2J unknown",
  created_at: "2026-01-02T03:04:05.000Z",
  expire_at: "2026-04-02T03:04:05.000Z",
};

it("hermod suppression add passes everything on and says what is on the list now", async () => {
  const asked: AddSuppressionRequest[] = [];
  const addSuppression = async (request: unknown) => {
    asked.push(request as AddSuppressionRequest);
    return create(AddSuppressionResponseSchema, { suppression });
  };
  const core = { suppressions: { addSuppression } };
  const words = ["suppression", "add", "ann@example.net"];
  const { out } = await runHermod([...words, "--account", "acc_1"], { core });
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
  expect(JSON.parse((await runHermod([...words, ...options], { core })).out)).toEqual(json);
  expect(asked[1]).toMatchObject({ policy: "news", reason: "unsubscribe", detail: "by phone" });
  const { expireAt } = asked[1] ?? {};
  const days = ((expireAt ? timestampDate(expireAt).getTime() : 0) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 2);
  expect((await runHermod([...words, "--days", "0"], { core })).code).toBe(2);
  expect((await runHermod([...words, "--reason", "boredom"], { core })).code).toBe(2);
});

it("hermod suppression remove says that mail is sent again", async () => {
  const asked: unknown[] = [];
  const removeSuppression = async (request: unknown) => {
    asked.push(request);
    return create(RemoveSuppressionResponseSchema, { suppression });
  };
  const core = { suppressions: { removeSuppression } };
  const { out } = await runHermod(["suppression", "remove", "ann@example.net", "--policy", "news"], { core });
  expect(asked).toEqual([{ accountId: "", address: "ann@example.net", policy: "news" }]);
  expect(out).toBe('Mail of the policy "news" is sent to ann@example.net again (it was hard_bounce).\n');
});

it("hermod suppression list shows who, why, since and until when", async () => {
  const listSuppressions = async () =>
    create(ListSuppressionsResponseSchema, { suppressions: [suppression], nextPageToken: "more" });
  const core = { suppressions: { listSuppressions } };
  const { out, err } = await runHermod(["suppression", "list"], { core });
  expect(out.split("\n")[1]).toBe(
    "ann@example.net  hard_bounce  all mail  2026-01-02 03:04:05 UTC  2026-04-02 03:04:05 UTC  550 5.1.1 user [2J unknown",
  );
  expect(err).toContain("--cursor more");
  expect(JSON.parse((await runHermod(["suppression", "list", "--json"], { core })).out)).toEqual({
    data: [json],
    has_more: true,
    next_cursor: "more",
  });
});
