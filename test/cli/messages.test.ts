import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CancelMessageResponseSchema,
  EngagementSchema,
  GetMessageResponseSchema,
  ListMessagesResponseSchema,
  MessageEventSchema,
  MessageSchema,
  ResendMessageResponseSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { runHermod } from "./run-hermod.ts";

const at = (seconds: number) => timestampFromDate(new Date(Date.UTC(2026, 10, 21, 7, 0, 0) + seconds * 1000));

const message = create(MessageSchema, {
  id: "msg_1",
  traceId: "sx_1",
  accountId: "acc_1",
  state: "deferred",
  from: "hello@example.com",
  recipient: "ada@example.org",
  subject: "Welcome",
  routingPolicy: "relay",
  attempts: 1,
  createdAt: at(0),
  updatedAt: at(0.5),
  nextAttemptAt: at(300),
  headerMessageId: "<1@example.com>",
  metadata: { order: "17" },
  template: "welcome",
  templateVersion: 2,
});

const timeline = [
  { id: "msg_1.0.accepted", kind: "accepted", at: at(0) },
  {
    id: "msg_1.1.deferred",
    kind: "deferred",
    at: at(0.5),
    attempt: 1,
    via: "smtp relay.example.com:587",
    replyCode: 451,
    enhancedStatusCode: "4.3.0",
    detail: "try later",
    category: "rate_limit",
    nextAttemptAt: at(300),
    nextAttemptReason: "server",
    durationMs: 312,
    tls: "TLSv1.3 TLS_AES_256_GCM_SHA384",
    conversation: "> RCPT TO:<ada@example.org>\n< 451 4.3.0 try \u001b[31mlater",
  },
];

const messages = {
  getMessage: async () => create(GetMessageResponseSchema, { message, timeline }),
};

/** Removes the colors that the command line itself writes; any other sequence stays. */
function stripColours(text: string): string {
  const begin = String.fromCharCode(27);
  return [1, 2, 22, 31, 32, 33, 36, 39].reduce(
    (rest, code) => rest.replaceAll(`${begin}[${code}m`, ""),
    text,
  );
}

/** Fields of `--json` for an event that is neither an open nor a click. */
const noHit = {
  url: null,
  machine_reason: null,
  proxy: null,
  first: false,
  user_agent: null,
  client_address: null,
  source_address: null,
  detail_parts: [],
  decided_by: null,
};

describe("hermod message show", () => {
  it("shows the timeline of a message", async () => {
    const { out } = await runHermod(["message", "show", "msg_1"], { core: { messages } });
    expect(out).toBe(`msg_1  deferred
  From          hello@example.com
  To            ada@example.org
  Subject       Welcome
  Policy        relay
  Template      welcome version 2
  Trace id      sx_1
  Message-ID    <1@example.com>
  Metadata      order = 17
  Accepted      2026-11-21 07:00:00 UTC
  Attempts      1
  Next attempt  2026-11-21 07:05:00 UTC

Timeline
  2026-11-21 07:00:00 UTC  +0.00s  accepted
  2026-11-21 07:00:00 UTC  +0.50s  deferred  attempt 1  smtp relay.example.com:587  451 4.3.0 try later; next attempt 2026-11-21 07:05:00 UTC, as the server requested

Conversation of attempt 1  312 ms
  > RCPT TO:<ada@example.org>
  < 451 4.3.0 try  [31mlater
`);
  });

  it("shows the policy, rule and address of the last attempt", async () => {
    const reason = "Rule 2 names example.org, and is the first that names this one.";
    const decidedBy = { policy: "relay", policyRevision: "rev_1", rule: 2, pattern: "example.org", reason };
    const attempt = { ...timeline[1], at: at(1), decidedBy, sourceAddress: "198.51.100.7" };
    const getMessage = async () => create(GetMessageResponseSchema, { message, timeline: [attempt] });
    const { out } = await runHermod(["message", "show", "msg_1"], { core: { messages: { getMessage } } });
    expect(out).toContain(
      `  312 ms\n  Policy relay, revision rev_1. ${reason}\n  From 198.51.100.7.\n  > RCPT TO`,
    );
  });

  it("shows opens and clicks, and how many programs made", async () => {
    const opens = create(EngagementSchema, { count: 3, machineCount: 2 });
    const clicks = create(EngagementSchema, { count: 1 });
    const tracked = create(MessageSchema, { ...message, opens, clicks });
    const hits = [
      { kind: "opened", machineReason: "apple_mail_privacy" },
      { kind: "opened", proxy: "gmail", first: true },
      { kind: "clicked", detail: "https://example.com/", url: "https://example.com/" },
    ].map((hit) => create(MessageEventSchema, { at: at(60), ...hit }));
    const getMessage = async () => create(GetMessageResponseSchema, { message: tracked, timeline: hits });
    const { out } = await runHermod(["message", "show", "msg_1"], { core: { messages: { getMessage } } });
    expect(out).toMatch(/Opened +3 times, 2 of them by programs\n +Clicked +once\n/);
    expect(out).toMatch(/opened +a program: apple_mail_privacy\n/);
    expect(out).toMatch(/opened +proxy of gmail; the first\n/);
    expect(out).toMatch(/clicked +https:\/\/example\.com\/\n/);
  });

  it("writes JSON in the documented shape", async () => {
    const { out } = await runHermod(["message", "show", "sx_1", "--json"], { core: { messages } });
    expect(JSON.parse(out)).toEqual({
      id: "msg_1",
      sx_trace_id: "sx_1",
      account_id: "acc_1",
      state: "deferred",
      from: "hello@example.com",
      recipient: "ada@example.org",
      size_bytes: 0,
      send_at: null,
      subject: "Welcome",
      routing_policy: "relay",
      attempts: 1,
      created_at: "2026-11-21T07:00:00.000Z",
      updated_at: "2026-11-21T07:00:00.500Z",
      next_attempt_at: "2026-11-21T07:05:00.000Z",
      key_id: "",
      source: "",
      category: "",
      header_message_id: "<1@example.com>",
      tags: [],
      metadata: { order: "17" },
      resent_from: null,
      incident_id: null,
      opens: null,
      clicks: null,
      last_reply: null,
      template: { name: "welcome", version: 2 },
      timeline: [
        {
          id: "msg_1.0.accepted",
          kind: "accepted",
          at: "2026-11-21T07:00:00.000Z",
          attempt: 0,
          via: null,
          reply_code: null,
          enhanced_status_code: null,
          detail: null,
          category: null,
          next_attempt_at: null,
          next_attempt_reason: null,
          duration_ms: null,
          tls: null,
          conversation: null,
          suppression_id: null,
          ...noHit,
        },
        {
          id: "msg_1.1.deferred",
          kind: "deferred",
          at: "2026-11-21T07:00:00.500Z",
          attempt: 1,
          via: "smtp relay.example.com:587",
          reply_code: 451,
          enhanced_status_code: "4.3.0",
          detail: "try later",
          category: "rate_limit",
          next_attempt_at: "2026-11-21T07:05:00.000Z",
          next_attempt_reason: "server",
          duration_ms: 312,
          tls: "TLSv1.3 TLS_AES_256_GCM_SHA384",
          conversation: "> RCPT TO:<ada@example.org>\n< 451 4.3.0 try \u001b[31mlater",
          suppression_id: null,
          ...noHit,
        },
      ],
    });
  });

  it("protects the terminal from subjects and server replies", async () => {
    const hostile = "\u001b[2J\u001b]0;title\u0007 a\r\nb \u202egnp.exe\u009b31m";
    const getMessage = async () =>
      create(GetMessageResponseSchema, {
        message: { ...message, subject: hostile },
        timeline: [{ kind: hostile, via: hostile, detail: hostile, attempt: 1 }],
      });
    for (const tty of [true, false]) {
      const { out } = await runHermod(["message", "show", "msg_1"], {
        core: { messages: { getMessage } },
        tty,
      });
      const sequences = stripColours(out);
      expect(sequences).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    }
  });

  it("passes on the account, and shows no message of another account", async () => {
    const asked: unknown[] = [];
    const getMessage = (request: unknown) => {
      asked.push(request);
      return Promise.reject(fault("message.unknown"));
    };
    const core = { messages: { getMessage } };
    const ran = await runHermod(["message", "show", "msg_1", "--account", "acc_2"], { core });
    expect([ran.code, ran.out, asked]).toEqual([1, "", [{ id: "msg_1", accountId: "acc_2" }]]);
  });
});

describe("hermod message list", () => {
  it("passes on state, limit and page, and shows the next cursor", async () => {
    const asked: unknown[] = [];
    const listMessages = async (request: unknown) => {
      asked.push(request);
      return create(ListMessagesResponseSchema, { messages: [message], nextPageToken: "msg_1" });
    };
    const core = { messages: { listMessages } };
    const ran = await runHermod(
      ["message", "list", "--state", "deferred", "--limit", "1", "--cursor", "msg_9"],
      { core },
    );
    expect(asked).toMatchObject([
      { accountId: "", pageSize: 1, pageToken: "msg_9", filter: { states: ["deferred"] } },
    ]);
    expect(ran.out).toBe(
      "ID     STATE     CREATED                  RECIPIENT        ATTEMPTS  SUBJECT\n" +
        "msg_1  deferred  2026-11-21 07:00:00 UTC  ada@example.org  1         Welcome\n",
    );
    expect(ran.err).toBe("There may be more. To continue: --cursor msg_1\n");
    asked.length = 0;
    await runHermod(["message", "list", "--state", "deferred", "--limit", "3"], { core });
    expect(asked).toMatchObject([
      { pageSize: 3, pageToken: "" },
      { pageSize: 2, pageToken: "msg_1" },
      { pageSize: 1, pageToken: "msg_1" },
    ]);
    const asJson = JSON.parse((await runHermod(["message", "list", "--limit", "1", "--json"], { core })).out);
    expect([asJson.data.length, asJson.has_more, asJson.next_cursor]).toEqual([1, true, "msg_1"]);
  });
});

describe("hermod message list with filters", () => {
  const filterFor = async (...args: string[]) => {
    const asked: { filter?: object }[] = [];
    const listMessages = async (request: object) => {
      asked.push(request);
      return create(ListMessagesResponseSchema, {});
    };
    const ran = await runHermod(["message", "list", ...args], { core: { messages: { listMessages } } });
    return { ran, filter: asked[0]?.filter };
  };

  it("combines all filters", async () => {
    const { filter: engaged } = await filterFor("--provider", "google", "--opened", "yes", "--clicked", "no");
    expect(engaged).toMatchObject({ provider: "google", opened: "yes", clicked: "no" });
    const { filter: queried } = await filterFor("--query", "order state:bounced");
    expect(queried).toMatchObject({ q: "order state:bounced", recipient: "", states: [] });
    const { ran, filter } = await filterFor(
      ...["--recipient", "@example.com", "--subject", "order shipped", "--tag", "a", "--tag", "b"],
      ...["--metadata", "order=17=x", "--metadata", "shop=eu", "--policy", "bulk", "--key", "key_1"],
      ...["--source", "smtp", "--category", "spam", "--from", "2030-01-02T09:00:00Z"],
    );
    expect(ran.out).toBe("No messages match.\n");
    expect(filter).toMatchObject({
      recipient: "@example.com",
      subject: "order shipped",
      tags: ["a", "b"],
      metadata: { order: "17=x", shop: "eu" },
      routingPolicy: "bulk",
      keyId: "key_1",
      source: "smtp",
      category: "spam",
      from: { seconds: 1_893_574_800n },
    });
  });

  it.each([
    ["--metadata", "order"],
    ["--source", "fax"],
    ["--from", "yesterday"],
  ])("refuses invalid options (%s %s)", async (...args) => {
    const { ran, filter } = await filterFor(...args);
    expect([ran.code, filter]).toEqual([2, undefined]);
    expect(ran.err).toContain(args[0]);
  });
});

describe("hermod message cancel", () => {
  it("shows which message is cancelled", async () => {
    const asked: unknown[] = [];
    const cancelMessage = async (request: unknown) => {
      asked.push(request);
      return create(CancelMessageResponseSchema, { message: { ...message, state: "cancelled" } });
    };
    const core = { messages: { cancelMessage } };
    const ran = await runHermod(["message", "cancel", "msg_1"], { core });
    expect([ran.code, ran.out, ran.err]).toEqual([
      0,
      "Cancelled the message msg_1 to ada@example.org.\n",
      "",
    ]);
    const asJson = await runHermod(["message", "cancel", "msg_1", "--account", "acc_1", "--json"], { core });
    expect(JSON.parse(asJson.out)).toMatchObject({ id: "msg_1", state: "cancelled" });
    expect(asked).toEqual([
      { id: "msg_1", accountId: "" },
      { id: "msg_1", accountId: "acc_1" },
    ]);
  });

  it("reports that it is too late", async () => {
    const cancelMessage = () =>
      Promise.reject(
        fault("message.not_cancellable", { public: receivedText("Message msg_1 is delivered.") }),
      );
    const ran = await runHermod(["message", "cancel", "msg_1"], { core: { messages: { cancelMessage } } });
    expect([ran.code, ran.out, ran.err]).toEqual([1, "", "hermod: Message msg_1 is delivered.\n"]);
  });
});

describe("hermod message resend", () => {
  it("shows the id of the new message", async () => {
    const asked: unknown[] = [];
    const resendMessage = async (request: unknown) => {
      asked.push(request);
      const copy = { ...message, id: "msg_2", resentFrom: "msg_1" };
      return create(ResendMessageResponseSchema, { message: copy });
    };
    const core = { messages: { resendMessage } };
    const ran = await runHermod(["message", "resend", "msg_1"], { core });
    expect([ran.code, ran.out, ran.err]).toEqual([
      0,
      "Resending the message msg_1 to ada@example.org as msg_2.\n",
      "",
    ]);
    const keyed = ["message", "resend", "msg_1", "--idempotency-key", "k", "--account", "acc_1", "--json"];
    const asJson = await runHermod(keyed, { core });
    expect(JSON.parse(asJson.out)).toMatchObject({ id: "msg_2", resent_from: "msg_1" });
    expect(asked).toEqual([
      { id: "msg_1", accountId: "", idempotencyKey: "" },
      { id: "msg_1", accountId: "acc_1", idempotencyKey: "k" },
    ]);
  });

  it("is shown with the original message", async () => {
    const copy = { ...message, resentFrom: "msg_0" };
    const getMessage = async () => create(GetMessageResponseSchema, { message: copy, timeline });
    const ran = await runHermod(["message", "show", "msg_1"], { core: { messages: { getMessage } } });
    expect(stripColours(ran.out)).toMatch(/Resent from +msg_0/);
  });
});
