import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detailFields, phrase } from "../../src/shared/phrase.ts";
import {
  answeredOf,
  endReasonFields,
  type WebhookDeliveryDocument,
  webhookCollections,
} from "../../src/store/webhook-delivery-documents.ts";
import { disabledPhrase } from "../../src/store/webhook-documents.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";

let identity: Identity;
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
  await collection().deleteMany({});
});

const collection = () => webhookCollections(identity.db).deliveries;
const BEGIN = Date.UTC(2030, 0, 1);
const at = (second: number) => new Date(BEGIN + second * 1_000);

interface Facts {
  readonly endpoint: string;
  readonly state: WebhookDeliveryDocument["state"];
  readonly type: string;
  readonly message: string;
  /** 0: no answer; undefined: no attempt. */
  readonly status: number | undefined;
  readonly second: number;
  /** Written by an earlier release, without the answer. */
  readonly isOld: boolean;
}

function documentOf(facts: Facts, number: number): WebhookDeliveryDocument {
  const { endpoint, state, type, message, status, second, isOld } = facts;
  const eventId = `${message}.${Math.floor(number / 2)}.x`;
  const tried = { at: at(second), durationMs: 5, url: "https://a.example/", detail: "it answered" };
  const tries = status === undefined ? [] : [{ ...tried, ...(status > 0 && { status }) }];
  const [last] = tries;
  return deliveryDocument({
    _id: `${endpoint}.${eventId}`,
    accountId,
    endpointId: endpoint,
    eventId,
    messageId: message,
    type,
    at: at(second),
    state,
    tries,
    ...(!isOld && { answered: last ? answeredOf(last) : ("untried" as const) }),
  });
}

const facts: fc.Arbitrary<Facts> = fc.record({
  endpoint: fc.constantFrom("wep_1", "wep_2"),
  state: fc.constantFrom("pending", "delivered", "failed", "dropped"),
  type: fc.constantFrom("message.delivered", "message.bounced"),
  message: fc.constantFrom("msg_1", "msg_2"),
  status: fc.constantFrom(undefined, 0, 200, 302, 404, 503, 777),
  second: fc.nat(5),
  isOld: fc.boolean(),
});

const filters = fc.record(
  {
    endpointId: fc.constantFrom("wep_1", "wep_2", "wep_none"),
    state: fc.constantFrom("pending", "delivered", "failed", "dropped"),
    type: fc.constantFrom("message.delivered", "message.bounced"),
    messageId: fc.constantFrom("msg_1", "msg_2"),
    eventId: fc.constantFrom("msg_1.0.x", "msg_2.1.x"),
    status: fc.constantFrom("2xx", "3xx", "4xx", "5xx", "none"),
    from: fc.nat(4),
    until: fc.integer({ min: 5, max: 6 }),
  },
  { requiredKeys: [] },
);

/** The class of the last attempt, as the reference describes it. */
function classOf({ tries }: WebhookDeliveryDocument): string | undefined {
  const last = tries.at(-1);
  if (!last) return undefined;
  if (last.status === undefined) return "none";
  return last.status < 500 ? `${String(last.status)[0]}xx` : "5xx";
}

async function listAll(filter: object, pageSize: number): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const page = await identity.operator.deliveries.listAllDeliveries({
      accountId,
      filter,
      pageSize,
      pageToken,
    });
    expect(page.deliveries.length).toBeLessThanOrEqual(pageSize);
    ids.push(...page.deliveries.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return ids;
}

describe("the list of all deliveries", () => {
  it("has the deliveries that match every filter, newest first, for any deliveries and filters", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(facts, { minLength: 1, maxLength: 25 }),
        fc.array(filters, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, asked, pageSize) => {
          await collection().deleteMany({});
          const documents = [...new Map(all.map(documentOf).map((one) => [one._id, one])).values()];
          await collection().insertMany(documents);
          const ordered = documents.toSorted(
            (a, b) => b.at.getTime() - a.at.getTime() || (a._id < b._id ? 1 : -1),
          );
          for (const { status, from, until, ...equal } of asked) {
            const model = ordered.filter(
              (one) =>
                Object.entries(equal).every(([name, value]) => one[name as "type"] === value) &&
                (status === undefined || classOf(one) === status) &&
                (from === undefined || one.at >= at(from)) &&
                (until === undefined || one.at < at(until)),
            );
            const filter = {
              ...equal,
              ...(status !== undefined && { status }),
              ...(from !== undefined && { from: timestampFromDate(at(from)) }),
              ...(until !== undefined && { until: timestampFromDate(at(until)) }),
            };
            expect(await listAll(filter, pageSize)).toEqual(model.map(({ _id }) => _id));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("reads a bounded number of deliveries for a page, and continues after the last one read", async () => {
    const documents = Array.from({ length: 5_600 }, (_, n) =>
      deliveryDocument({
        _id: `wep_1.msg_${n}.1.delivered`,
        accountId,
        eventId: `msg_${n}.1.delivered`,
        at: at(n),
        type: n === 0 ? "message.bounced" : "message.delivered",
      }),
    );
    await collection().insertMany(documents);
    const filter = { endpointId: "wep_1", type: "message.bounced" };
    const first = await identity.operator.deliveries.listAllDeliveries({ accountId, filter });
    expect(first.deliveries).toEqual([]);
    expect(first.nextPageToken).not.toBe("");
    const { nextPageToken: pageToken } = first;
    const second = await identity.operator.deliveries.listAllDeliveries({ accountId, filter, pageToken });
    expect(second.deliveries.map(({ id }) => id)).toEqual(["wep_1.msg_0.1.delivered"]);
    expect(second.nextPageToken).toBe("");
  });

  it("shows the last attempt, and neither bodies nor attempts", async () => {
    await collection().insertOne(
      documentOf(
        {
          endpoint: "wep_1",
          state: "failed",
          type: "message.bounced",
          message: "msg_1",
          status: 503,
          second: 1,
          isOld: false,
        },
        0,
      ),
    );
    const { deliveries } = await identity.operator.deliveries.listAllDeliveries({ accountId });
    expect(deliveries).toMatchObject([
      { body: "", tries: [], lastAttempt: { status: 503, answer: "", requestHeaders: [] } },
    ]);
  });

  it("is not ended by a damaged delivery", async () => {
    const ids = Array.from({ length: 5 }, (_, n) => `wep_1.msg_${n}.1.delivered`);
    const documents = ids.map((_id, n) =>
      deliveryDocument({ _id, accountId, eventId: `msg_${n}.1.delivered`, at: at(n), endReason: "damaged!" }),
    );
    await collection().insertMany(documents);
    await damage(identity.db, "webhookDeliveries", ids[4] ?? "", invalidUtf8("damaged!"));
    await damage(identity.db, "webhookDeliveries", ids[3] ?? "", invalidUtf8("damaged!"));
    expect(await listAll({}, 1)).toEqual(ids.slice(0, 3).reverse());
  });

  it.each([
    [{ filter: { state: "lost" } }, "/filter/state"],
    [{ filter: { status: "200" } }, "/filter/status"],
    [{ filter: { type: "x".repeat(201) } }, "/filter/type"],
    [{ filter: { from: timestampFromDate(at(2)), until: timestampFromDate(at(1)) } }, "/filter/until"],
    [{ pageToken: "zzz" }, "/page_token"],
    [{ pageSize: 1_001 }, "/page_size"],
  ])("refuses %o", async (asked, pointer) => {
    const listing = identity.operator.deliveries.listAllDeliveries({ accountId, ...asked });
    await expect(listing).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("has nothing of another account", async () => {
    const other = await identity.openAccount();
    await collection().insertOne(deliveryDocument({ accountId: other }));
    for (const filter of [{}, { messageId: "msg_1" }, { eventId: "msg_1.1.delivered" }, { status: "none" }])
      expect(await listAll(filter, 10)).toEqual([]);
  });
});

describe("a delivery", () => {
  it("shows the stored headers of each attempt, and no value of a secret header", async () => {
    const tried = (second: number) => ({
      at: at(second),
      durationMs: 5,
      url: "https://a.example/",
      status: 500,
      detail: "it answered 500",
      answer: "oops",
    });
    const delivery = deliveryDocument({
      accountId,
      tries: [tried(1), tried(2)],
      exchanges: [
        {
          at: at(2),
          request: "content-type: application/json\nx-key",
          response: "Date: a: b\nX-Empty: ",
          isCut: true,
        },
      ],
    });
    await collection().insertOne(delivery);
    const found = await identity.operator.deliveries.getDelivery({ accountId, id: delivery._id });
    expect(found.delivery?.tries).toMatchObject([
      { answer: "oops", requestHeaders: [], responseHeaders: [], responseHeadersCut: false },
      {
        requestHeaders: [
          { name: "content-type", value: "application/json", isSecret: false },
          { name: "x-key", value: "", isSecret: true },
        ],
        responseHeaders: [
          { name: "Date", value: "a: b" },
          { name: "X-Empty", value: "" },
        ],
        responseHeadersCut: true,
      },
    ]);
  });

  it("has the parts of its texts, and none for texts of an earlier release", async () => {
    const tried = { at: at(1), durationMs: 5, url: "https://a.example/" };
    const timeout = phrase("webhook.timeout", { seconds: 15 });
    const end = disabledPhrase({ at: at(9), reason: "gone", detail: "it answered 410" });
    const delivery = deliveryDocument({
      accountId,
      state: "failed",
      tries: [
        { ...tried, detail: "no answer within 15 seconds" },
        { ...tried, ...detailFields(timeout) },
        { ...tried, status: 307, detail: "it answered 307: redirects are not followed" },
        { ...tried, status: 500, detail: "it answered 500" },
        { ...tried, status: 500, detail: "500 as an earlier release said it" },
      ],
      ...endReasonFields(end),
    });
    await collection().insertOne(delivery);
    const { delivery: found } = await identity.operator.deliveries.getDelivery({
      accountId,
      id: delivery._id,
    });
    expect(found?.tries.map(({ detailParts }) => detailParts.map(({ code }) => code))).toEqual([
      [],
      ["webhook.timeout"],
      ["webhook.redirected"],
      ["webhook.answered"],
      [],
    ]);
    expect(found?.endReason).toBe("the endpoint is disabled: it answered 410");
    expect(found?.endReasonParts).toMatchObject([
      { code: "webhook.disabled", params: { detail: "it answered 410", cause: "gone" } },
    ]);
    await identity.operator.deliveries.replayDelivery({ accountId, id: delivery._id });
    expect(await collection().findOne({ _id: delivery._id })).not.toHaveProperty("endReasonParts");
  });
});
