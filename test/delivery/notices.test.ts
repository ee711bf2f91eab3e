import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addressKey } from "../../src/message/address/address-key.ts";
import type { SuppressionReason } from "../../src/store/documents.ts";
import type { ContentDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { dsnSetup, submittedSource } from "../harness/dsn-setup.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

vi.setConfig({ testTimeout: 60_000 });

const HOUR_MS = 3_600_000;

let opened: TestStore;
let store: Store;
let relay: FakeRelay;
let setup: ReturnType<typeof dsnSetup>;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const name of ["messages", "contents", "events", "suppressions"]) {
    await opened.db.collection(name).deleteMany({});
  }
  await start();
});
afterEach(stop);

async function start(options: { readonly hideDSN?: boolean } = {}): Promise<void> {
  relay = await startFakeRelay(options);
  setup = dsnSetup({ store, port: relay.port });
}

async function stop(): Promise<void> {
  setup.close();
  await relay.close();
}

const refuse = () => relay.answerRecipient(() => smtpReply(550, "5.1.1 <bob@example.net>: User unknown"));
const putOff = () => relay.answerRecipient(() => smtpReply(451, "4.3.0 Later"));

async function suppress(address: string, reason: SuppressionReason): Promise<void> {
  await store.forAccount("acc_test").suppressions.add(
    {
      address,
      addressKey: addressKey(address),
      reason,
      createdAt: new Date(0),
    },
    testAudit,
  );
}

describe("a refused message", () => {
  it("is reported by default, to the envelope's sender, from the null sender", async () => {
    refuse();
    const message = await setup.submit({ envelopeId: "QQ1", originalRecipient: "rfc822;robert@example.org" });
    expect((await setup.attempt(message)).state).toBe("bounced");
    const [notice, ...others] = await setup.told(message);
    expect(others).toEqual([]);
    expect(notice?.message).toMatchObject({
      operation: "dsn",
      envelopeFrom: "",
      from: "mailer-daemon@example.com",
      recipient: "ada+replies@example.com",
      recipientDomain: "example.com",
      policy: "default",
      state: "queued",
      notify: ["never"],
    });
    expect(notice?.report).toEqual({
      kind: "dsn",
      reportingMta: "mail.example.com",
      originalMessageId: "<plans@example.com>",
      originalEnvelopeId: "QQ1",
      perRecipient: [
        {
          action: "failed",
          finalRecipient: "bob@example.net",
          originalRecipient: "robert@example.org",
          status: "5.1.1",
          remoteMta: "[127.0.0.1]",
          diagnosticCode: "550 5.1.1 <bob@example.net>: User unknown",
        },
      ],
    });
    expect(notice?.source).toContain("Auto-Submitted: auto-replied");
    expect(notice?.source).toContain("Subject: Plans");
    expect(notice?.source).not.toContain("Dear Bob");
  });

  it("is returned complete on request", async () => {
    refuse();
    const message = await setup.submit({ returnContent: "full", notify: ["failure"] });
    await setup.attempt(message);
    const [notice] = await setup.told(message);
    expect(notice?.source).toContain(`Content-Type: message/rfc822\r\n`);
    expect(notice?.source).toContain(submittedSource.toString());
  });

  it("is returned as its header when it is large", async () => {
    refuse();
    const large = Buffer.concat([submittedSource, Buffer.from("line of text\r\n".repeat(60_000))]);
    const message = await setup.submit({ returnContent: "full" }, large);
    await setup.attempt(message);
    const [notice] = await setup.told(message);
    expect(notice?.source).toContain("Content-Type: text/rfc822-headers");
    expect(notice?.source.length).toBeLessThan(3_000);
  });

  it("is reported although its body is removed", async () => {
    refuse();
    const message = await setup.submit();
    await opened.db.collection<ContentDocument>("contents").deleteOne({ _id: message.contentId });
    expect((await setup.attempt(message)).state).toBe("failed");
    const [notice] = await setup.told(message);
    expect(notice?.report.perRecipient[0]).toMatchObject({ action: "failed", status: "5.3.0" });
  });

  it("is reported over the default policy if its own is removed", async () => {
    const message = await setup.submit({ policy: "gone" });
    expect((await setup.attempt(message)).state).toBe("failed");
    const [notice] = await setup.told(message);
    expect(notice?.message.policy).toBe("default");
  });

  it.each([
    ["who wants none", { notify: ["never"] }],
    ["who wants others", { notify: ["success", "delay"] }],
    ["who used HTTP", { operation: "email.send" }],
    ["who is nobody", { envelopeFrom: "" }],
  ] as const)("is not reported to a sender %s", async (_, changes) => {
    refuse();
    const message = await setup.submit(changes);
    expect((await setup.attempt(message)).state).toBe("bounced");
    expect(await setup.told(message)).toEqual([]);
  });

  it("is reported once, even if a crash kept its end from being written", async () => {
    refuse();
    const message = await setup.submit();
    const first = await setup.deliver(message);
    if (!first.notice) throw new Error("no notice");
    await setup.storeNotices([first.notice]);
    await Promise.all([setup.storeNotices([first.notice]), setup.storeNotices([first.notice])]);
    expect((await setup.attempt(message)).state).toBe("bounced");
    expect(await setup.told(message)).toHaveLength(1);
  });

  it("does not end before its notice is stored", async () => {
    refuse();
    const message = await setup.submit();
    const result = await setup.deliver(message);
    const away = await openTestStore();
    const broken = dsnSetup({
      store: withoutNotices(createStore(away.db, testSealing)),
      port: relay.port,
    });
    await away.close();
    const fenced = { ...result, transition: { ...result.transition, epoch: 1 } };
    await expect(broken.results.record(fenced)).rejects.toMatchObject({ code: "store.unavailable" });
    broken.close();
    expect((await store.acrossAccounts.messages.findById(message._id))?.state).toBe("queued");
  });

  /** All that is there but what notices need, which is away. */
  function withoutNotices(away: Store): Store {
    const { contents, messages } = away.acrossAccounts;
    return { ...store, acrossAccounts: { ...store.acrossAccounts, contents, messages } };
  }

  it("is reported to an internationalized sender in the same form", async () => {
    refuse();
    const message = await setup.submit({ envelopeFrom: "zoë@example.com" });
    await setup.attempt(message);
    const [notice] = await setup.told(message);
    expect(notice?.source).toContain("message/global-delivery-status");
  });

  it("on the suppression list is reported too", async () => {
    await suppress("bob@example.net", "unsubscribe");
    const message = await setup.submit();
    expect((await setup.attempt(message)).state).toBe("suppressed");
    const [notice] = await setup.told(message);
    expect(notice?.report.perRecipient[0]).toMatchObject({ action: "failed", status: "5.7.1" });
  });
});

describe("a deferred message", () => {
  it("is reported when it expires", async () => {
    putOff();
    const message = await setup.submit();
    expect((await setup.attempt(message)).state).toBe("deferred");
    expect(await setup.told(message)).toEqual([]);
    setup.wait(49 * HOUR_MS);
    expect((await setup.attempt(message)).state).toBe("expired");
    const [notice] = await setup.told(message);
    expect(notice?.report.perRecipient[0]).toMatchObject({
      action: "failed",
      status: "4.4.7",
      diagnosticCode: "451 4.3.0 Later",
    });
  });

  it("is reported once after four hours, to senders that requested it", async () => {
    putOff();
    const message = await setup.submit({ notify: ["delay"] });
    for (const waitMs of [0, HOUR_MS, HOUR_MS, 1.5 * HOUR_MS, 5 * HOUR_MS, 9 * HOUR_MS]) {
      setup.wait(waitMs);
      await setup.attempt(message);
    }
    const [notice, ...others] = await setup.told(message);
    expect(others).toEqual([]);
    expect(notice?.report.perRecipient[0]).toMatchObject({ action: "delayed", status: "4.3.0" });
    expect(notice?.source).toMatch(/^Will-Retry-Until: /m);
    expect(notice?.message.nextAttemptAt?.getTime()).toBe(message.createdAt.getTime() + 4 * HOUR_MS);
  });

  it("is not reported by default", async () => {
    putOff();
    const message = await setup.submit();
    for (let i = 0; i < 4; i++) {
      setup.wait(5 * HOUR_MS);
      await setup.attempt(message);
    }
    expect(await setup.told(message)).toEqual([]);
  });
});

describe("a delivered message", () => {
  const notify = ["success"] as const;

  it("is reported as relayed by a server without reports", async () => {
    const message = await setup.submit({ notify });
    expect((await setup.attempt(message)).state).toBe("delivered");
    const [notice] = await setup.told(message);
    expect(notice?.report.perRecipient[0]).toMatchObject({ action: "relayed", status: "2.0.0" });
    expect(relay.received[0]?.dsn).toEqual([undefined, undefined]);
  });

  it("is left to the next server, which receives the requests of the sender", async () => {
    await stop();
    await start({ hideDSN: false });
    const message = await setup.submit({
      notify: ["success", "failure"],
      originalRecipient: "rfc822;robert@example.org",
      envelopeId: "QQ 1",
      returnContent: "headers",
    });
    expect((await setup.attempt(message)).state).toBe("delivered");
    expect(await setup.told(message)).toEqual([]);
    expect(relay.received[0]?.dsn).toEqual([
      { ret: "HDRS", envid: "QQ 1" },
      { notify: ["SUCCESS", "FAILURE"], orcpt: "rfc822;robert@example.org" },
    ]);
  });

  it.each([undefined, ["failure"], ["never"]] as const)("is not reported for NOTIFY=%j", async (notify) => {
    const message = await setup.submit(notify && { notify });
    expect((await setup.attempt(message)).state).toBe("delivered");
    expect(await setup.told(message)).toEqual([]);
  });
});

describe("a notice", () => {
  async function notice() {
    refuse();
    const message = await setup.submit();
    await setup.attempt(message);
    relay.answerRecipient(undefined);
    const [told] = await setup.told(message);
    if (!told) throw new Error("no notice");
    return told.message;
  }

  it("is sent from the null sender, and requests no notice", async () => {
    await stop();
    await start({ hideDSN: false });
    const message = await notice();
    expect((await setup.attempt(message)).state).toBe("delivered");
    expect(relay.received).toMatchObject([
      { from: "", to: ["ada+replies@example.com"], dsn: [{}, { notify: ["NEVER"] }] },
    ]);
    expect(relay.received[0]?.source.toString()).toMatch(/^From: Mail Delivery System <mailer-daemon@/m);
  });

  it("causes no other notice, however it ends", async () => {
    const message = await notice();
    refuse();
    expect((await setup.attempt(message)).state).toBe("bounced");
    const { accountId } = message;
    expect((await store.forAccount(accountId).messages.list({ limit: 10 })).messages).toHaveLength(2);
  });

  it.each(["unsubscribe", "complaint"] as const)(
    "reaches an address that is suppressed for another reason (%s)",
    async (reason) => {
      await suppress("ada+replies@example.com", reason);
      expect((await setup.attempt(await notice())).state).toBe("delivered");
    },
  );

  it.each(["hard_bounce", "manual"] as const)("is not sent where mail is forbidden (%s)", async (reason) => {
    await suppress("ada+replies@example.com", reason);
    expect((await setup.attempt(await notice())).state).toBe("suppressed");
  });

  it("has no List-Unsubscribe, even if the policy requests it", async () => {
    const message = await notice();
    const listed = dsnSetup({ store, port: relay.port, policy: { listUnsubscribe: true } });
    expect((await listed.attempt(message)).state).toBe("delivered");
    listed.close();
    expect(relay.received.at(-1)?.source.toString()).not.toContain("List-Unsubscribe");
  });
});
