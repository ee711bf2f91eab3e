import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  DropQuarantinedMessageResponseSchema,
  GetQuarantinedMessageResponseSchema,
  ListQuarantinedMessagesResponseSchema,
  ReleaseQuarantinedMessageResponseSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2026-11-21T07:43:01Z"));
const message = {
  id: "msg_1",
  reason: "subject: Invalid UTF-8 string in BSON document",
  quarantinedAt: at,
  accountId: "acc_1",
  traceId: "sx_1",
  from: "hello@example.com",
  recipient: "ada@example.org",
  subject: "",
};
const asked: unknown[] = [];
const core = {
  messages: {
    listQuarantinedMessages: async (request: unknown) => {
      asked.push(request);
      return create(ListQuarantinedMessagesResponseSchema, { messages: [message], nextPageToken: "msg_1" });
    },
    getQuarantinedMessage: async () => {
      const timeline = [{ id: "e", kind: "quarantined", at, detail: "the stored message cannot be read" }];
      return create(GetQuarantinedMessageResponseSchema, { message, timeline });
    },
    releaseQuarantinedMessage: async () => create(ReleaseQuarantinedMessageResponseSchema, { message }),
    dropQuarantinedMessage: async () => create(DropQuarantinedMessageResponseSchema, { message }),
  },
};
const run = (...argv: string[]) => runHermod(["message", "quarantine", ...argv], { core });
const json = {
  id: "msg_1",
  reason: message.reason,
  quarantined_at: "2026-11-21T07:43:01.000Z",
  account_id: "acc_1",
  sx_trace_id: "sx_1",
  from: "hello@example.com",
  recipient: "ada@example.org",
  subject: null,
};

describe("hermod message quarantine", () => {
  it("lists quarantined messages with the reason", async () => {
    const { code, out, err } = await run("list", "--limit", "1");
    expect([code, err]).toEqual([0, "There may be more. To continue: --cursor msg_1\n"]);
    expect(out).toMatch(/msg_1 +2026-11-21 07:43:01 UTC +ada@example.org +subject: Invalid UTF-8/);
    const asJson = await run("list", "--account", "acc_1", "--cursor", "msg_0", "--limit", "1", "--json");
    expect(JSON.parse(asJson.out)).toEqual({ data: [json], has_more: true, next_cursor: "msg_1" });
    expect(asked).toEqual([
      { accountId: "", pageSize: 1, pageToken: "" },
      { accountId: "acc_1", pageSize: 1, pageToken: "msg_0" },
    ]);
  });

  it("shows readable fields, and marks unreadable ones", async () => {
    const { code, out } = await run("show", "msg_1");
    expect(code).toBe(0);
    expect(out).toMatch(/^msg_1 {2}in quarantine\n/);
    expect(out).toMatch(/Reason +subject: Invalid UTF-8/);
    expect(out).toMatch(/Subject +unreadable/);
    expect(out).toMatch(/quarantined +the stored message cannot be read/);
    const asJson = JSON.parse((await run("show", "msg_1", "--json")).out);
    expect(asJson).toMatchObject({ ...json, timeline: [{ kind: "quarantined" }] });
  });

  it("reports a released or dropped message", async () => {
    expect((await run("release", "msg_1")).out).toBe("Released the message msg_1: it is due now.\n");
    expect((await run("drop", "msg_1")).out).toBe("Dropped the message msg_1: it is never delivered.\n");
    expect(JSON.parse((await run("drop", "msg_1", "--json")).out)).toEqual(json);
  });

  it("reports why a message stays", async () => {
    const said = "The stored message msg_1 cannot be read: subject: Invalid UTF-8.";
    const releaseQuarantinedMessage = () =>
      Promise.reject(fault("message.unreadable", { public: receivedText(said) }));
    const refused = { core: { messages: { releaseQuarantinedMessage } } };
    const ran = await runHermod(["message", "quarantine", "release", "msg_1"], refused);
    expect([ran.code, ran.out, ran.err]).toEqual([1, "", `hermod: ${said}\n`]);
  });
});
