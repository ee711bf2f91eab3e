import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  AddSenderResponseSchema,
  ListSendersResponseSchema,
  SenderSchema,
} from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const sender = create(SenderSchema, {
  id: "snd_1",
  accountId: "acc_1",
  kind: "domain",
  value: "example.com",
});
const json = { id: "snd_1", account_id: "acc_1", kind: "domain", value: "example.com", verified_at: null };

it("hermod sender add vouches for an address or a domain", async () => {
  const asked: unknown[] = [];
  const addSender = async (request: unknown) => {
    asked.push(request);
    return create(AddSenderResponseSchema, { sender });
  };
  const core = { senders: { addSender } };
  const ran = await runHermod(["sender", "add", "example.com", "--account", "acc_1"], { core });
  expect(asked).toEqual([{ accountId: "acc_1", value: "example.com" }]);
  expect(ran.out).toBe("Mail may be sent from every address at example.com.\n");
  expect(JSON.parse((await runHermod(["sender", "add", "example.com", "--json"], { core })).out)).toEqual(
    json,
  );
});

it("hermod sender list shows them", async () => {
  const listSenders = async () => create(ListSendersResponseSchema, { senders: [sender] });
  const core = { senders: { listSenders } };
  const { out } = await runHermod(["sender", "list"], { core });
  expect(out).toBe("SENDER       KIND    VERIFIED\nexample.com  domain  not verified\n");
  expect(JSON.parse((await runHermod(["sender", "list", "--json"], { core })).out).data).toEqual([json]);
});
