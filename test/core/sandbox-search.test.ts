import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

let identity: Identity;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());

const recipients = ["ann@example.net", "Bob@Example.org", "carl@example.net"];
const subjects = ["Welcome", "Your invoice", "", "ÄRGER"];
const minutes = (base: Date, count: number) => new Date(base.getTime() + count * 60_000);

describe("a search of captured mail", () => {
  it("has the same result as a plain evaluation, newest first, page by page", async () => {
    const mail = fc.record({
      to: fc.uniqueArray(fc.constantFrom(...recipients), { minLength: 1, maxLength: 2 }),
      subject: fc.constantFrom(...subjects),
      // Scheduled mail is captured later than mail that was accepted after it.
      capturedAfter: fc.integer({ min: 0, max: 6 }),
    });
    const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
    const asked = fc.record({
      recipient: fc.constantFrom("", "ANN", "example.net", "@example.org", "dora"),
      subject: fc.constantFrom("", "welcome", "INVO", "ärger", " e "),
      from: maybe(fc.integer({ min: 0, max: 8 })),
      until: maybe(fc.integer({ min: 1, max: 9 })),
      pageSize: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mail, { maxLength: 10 }), asked, async (made, wanted) => {
        const { recipient, subject, from, until, pageSize } = wanted;
        if (from !== undefined && until !== undefined && from >= until) return;
        const accountId = await identity.openAccount();
        const { sandbox } = identity.as({ session: (await identity.memberOf(accountId)).token });
        identity.time.pass(60_000);
        const base = identity.time.clock.now();
        const captured = made.map(({ to, subject, capturedAfter }, index) => ({
          id: newIdInBucket("msg", new Date(base.getTime() + index), 0),
          accountId,
          traceId: `sx_${index}`,
          envelopeFrom: "b@example.com",
          envelopeTo: to,
          from: "Acme <hello@example.com>",
          subject,
          capturedAt: minutes(base, capturedAfter),
          expireAt: minutes(base, 1_000),
          source: Buffer.from(`Subject: ${index}\r\n\r\n`),
        }));
        await identity.store.acrossAccounts.sandbox.insertMissing(captured);
        const text = subject.trim().toLowerCase();
        const expected = captured
          .filter(
            (one) =>
              one.envelopeTo.some((to) => to.toLowerCase().indexOf(recipient.toLowerCase()) >= 0) &&
              one.subject.toLowerCase().indexOf(text) >= 0 &&
              (from === undefined || one.capturedAt.getTime() >= minutes(base, from).getTime()) &&
              (until === undefined || one.capturedAt.getTime() < minutes(base, until).getTime()),
          )
          .map(({ id }) => id)
          .toReversed();
        const found: string[] = [];
        let pageToken = "";
        do {
          const page = await sandbox.listSandboxMessages({
            recipient,
            subject,
            pageSize,
            pageToken,
            ...(from !== undefined && { from: timestampFromDate(minutes(base, from)) }),
            ...(until !== undefined && { until: timestampFromDate(minutes(base, until)) }),
          });
          found.push(...page.messages.map(({ id }) => id));
          pageToken = page.nextPageToken;
        } while (pageToken !== "");
        expect(found).toEqual(expected);
      }),
      { numRuns: repetitions(25, 200) },
    );
  });

  it("reads a limited number of messages for a page, and continues after it", async () => {
    const accountId = await identity.openAccount();
    const { sandbox } = identity.as({ session: (await identity.memberOf(accountId)).token });
    const base = identity.time.clock.now();
    const captured = Array.from({ length: 1_100 }, (_, index) => ({
      id: newIdInBucket("msg", new Date(base.getTime() + index), 0),
      accountId,
      traceId: "sx_1",
      envelopeFrom: "b@example.com",
      envelopeTo: [index === 0 ? "first@example.net" : "other@example.net"],
      from: "hello@example.com",
      subject: "Many",
      capturedAt: base,
      expireAt: minutes(base, 1_000),
      source: Buffer.from("Subject: Many\r\n\r\n"),
    }));
    await identity.store.acrossAccounts.sandbox.insertMissing(captured);
    const first = await sandbox.listSandboxMessages({ recipient: "first@" });
    expect(first.messages).toEqual([]);
    expect(first.nextPageToken).not.toBe("");
    const next = await sandbox.listSandboxMessages({ recipient: "first@", pageToken: first.nextPageToken });
    expect(next).toMatchObject({ messages: [{ id: captured[0]?.id }], nextPageToken: "" });
  });

  it("begins at the end of the time range, for any number of later messages", async () => {
    const accountId = await identity.openAccount();
    const { sandbox } = identity.as({ session: (await identity.memberOf(accountId)).token });
    const base = identity.time.clock.now();
    const captured = Array.from({ length: 1_101 }, (_, index) => {
      const at = minutes(base, index === 0 ? 0 : 24 * 60);
      return {
        id: newIdInBucket("msg", new Date(at.getTime() + index), 0),
        accountId,
        traceId: "sx_1",
        envelopeFrom: "b@example.com",
        envelopeTo: ["other@example.net"],
        from: "hello@example.com",
        subject: "Many",
        capturedAt: minutes(at, 1),
        expireAt: minutes(at, 1_000),
        source: Buffer.from("Subject: Many\r\n\r\n"),
      };
    });
    await identity.store.acrossAccounts.sandbox.insertMissing(captured);
    const until = timestampFromDate(minutes(base, 60));
    const first = await sandbox.listSandboxMessages({ until });
    expect(first).toMatchObject({ messages: [{ id: captured[0]?.id }], nextPageToken: "" });
  });

  it("is refused for an end before the start, and for text that is too long", async () => {
    const accountId = await identity.openAccount();
    const { sandbox } = identity.as({ session: (await identity.memberOf(accountId)).token });
    const [from, until] = [2, 1].map((count) => timestampFromDate(new Date(count)));
    const call = sandbox.listSandboxMessages({ subject: "x".repeat(321), from, until } as object);
    await expect(call).rejects.toMatchObject({ errors: [{ pointer: "/until" }, { pointer: "/subject" }] });
  });
});
