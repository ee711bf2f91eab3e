import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  AddSenderResponseSchema,
  ListSendersResponseSchema,
  RemoveSenderResponseSchema,
  SenderSchema,
  VerifySenderResponseSchema,
} from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-01T00:00:00Z"));
const sender = create(SenderSchema, {
  id: "snd_1",
  accountId: "acc_1",
  kind: "domain",
  value: "example.com",
  verifiedAt: at,
  verifiedBy: "operator",
});
const pending = create(SenderSchema, {
  id: "snd_2",
  accountId: "acc_1",
  kind: "address",
  value: "ada@example.org",
  linkExpiresAt: at,
});
it("hermod sender add verifies an address or a domain", async () => {
  const asked: unknown[] = [];
  const addSender = async (request: unknown) => {
    asked.push(request);
    return create(AddSenderResponseSchema, { sender });
  };
  const core = { senders: { addSender } };
  const ran = await runHermod(["sender", "add", "example.com", "--account", "acc_1"], { core });
  expect(asked).toEqual([{ accountId: "acc_1", value: "example.com" }]);
  expect(ran.out).toBe("Mail may be sent from every address at example.com.\n");
});

it("hermod sender list shows them", async () => {
  const listSenders = async () => create(ListSendersResponseSchema, { senders: [sender, pending] });
  const core = { senders: { listSenders } };
  const { out } = await runHermod(["sender", "list"], { core });
  expect(out).toBe(
    "SENDER           KIND     VERIFIED                 BY\n" +
      "example.com      domain   2030-01-01 00:00:00 UTC  operator\n" +
      "ada@example.org  address  not verified             link mailed\n",
  );
});

it("hermod sender verify mails a link and reports it; remove removes the sender", async () => {
  const asked: unknown[] = [];
  const core = {
    senders: {
      verifySender: async (request: { value?: string }) => {
        asked.push(request);
        return create(VerifySenderResponseSchema, {
          sender: request.value === sender.value ? sender : pending,
        });
      },
      removeSender: async (request: object) => {
        asked.push(request);
        return create(RemoveSenderResponseSchema);
      },
    },
  };
  const run = async (...argv: string[]) => (await runHermod(["sender", ...argv], { core })).out;
  expect(await run("verify", "ada@example.org")).toBe(
    "Mailed a link to ada@example.org. It is valid until 2030-01-01 00:00:00 UTC.\n",
  );
  expect(await run("verify", "example.com")).toBe("example.com is already verified.\n");
  expect(await run("remove", "ada@example.org")).toBe("Removed the sender ada@example.org.\n");
  expect(asked).toEqual([
    { accountId: "", value: "ada@example.org" },
    { accountId: "", value: "example.com" },
    { accountId: "", value: "ada@example.org", force: false },
  ]);
});

it("hermod sender remove --force lists the resources that stop working", async () => {
  const users = [{ kind: "alert_rule", id: "rul_1", name: "pager" }];
  const asked: unknown[] = [];
  const core = {
    senders: {
      removeSender: async (request: object) => {
        asked.push(request);
        return create(RemoveSenderResponseSchema, { use: { users, count: 3 } });
      },
    },
  };
  const command = ["sender", "remove", "ada@example.org", "--force"];
  expect((await runHermod(command, { core })).out).toBe(
    "Removed the sender ada@example.org.\nThese resources stop working without it:\n  alert_rule pager (rul_1)\n  and 2 more\n",
  );
  expect(JSON.parse((await runHermod([...command, "--json"], { core })).out)).toEqual({
    removed: "ada@example.org",
    used_by: users,
    used_by_count: 3,
  });
  expect(asked[0]).toEqual({ accountId: "", value: "ada@example.org", force: true });
});
