import { domainToASCII } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessageFilter, readAddressFilter } from "../../src/message/search/filter.ts";
import { readQuery } from "../../src/message/search/query.ts";
import { subjectWords } from "../../src/message/search/words.ts";
import { idBound, newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageState } from "../../src/shared/message-state.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { candidates } from "../../src/store/search/candidates.ts";
import { searchCollections } from "../../src/store/search/search-documents.ts";
import { termsOfFilter } from "../../src/store/search/terms.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { messageDocument } from "../harness/message-document.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const MINE = "acc_mine";
const THEIRS = "acc_theirs";
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2030, 0, 1);
const NEVER = new AbortController().signal;

let opened: TestStore;
let store: Store;
let stored: MessageDocument[] = [];
let seed = 0;

const people = [
  "ada.lovelace@example.com",
  "grace@mail.example.org",
  "Alan-Turing@example.com",
  "ü.ö@bücher.example",
];
const subjects = [
  "Your order has shipped",
  "Order 17: receipt",
  "Reset your password",
  "注文の確認",
  "ÉTÉ à Paris",
  "…",
];
const states = ["queued", "delivered", "captured", "bounced", "deferred", "cancelled", "scheduled"] as const;
const categories = ["spam", "mailbox_full"];
const pick = <T>(of: readonly T[], number: number): T => of[number % of.length] as T;

/** Without engagement, with actions of programs, or of a person. */
function engagementOf(number: number): Pick<MessageDocument, "engagement"> {
  const lastAt = new Date(START_MS);
  const first = { hitId: "h1", at: lastAt };
  const byPerson = { count: 2, machineCount: 1, first, lastAt };
  return pick(
    [
      {},
      { engagement: { opened: { count: 1, machineCount: 1, lastAt } } },
      { engagement: { opened: byPerson } },
      { engagement: { opened: byPerson, clicked: byPerson } },
    ],
    number,
  );
}

/** A message of one of three days. */
function anyMessage(number: number): MessageDocument {
  const recipient =
    number % 11 === 0 ? pick(["ada@gmail.com", "ada@googlemail.com"], number) : pick(people, number);
  const at = new Date(START_MS + (number % 3) * DAY_MS + ((number * 7919) % DAY_MS));
  const state = pick<MessageState>(states, number * 5);
  return messageDocument({
    _id: newIdInBucket("msg", at, number % 65_536),
    bucket: number % 65_536,
    accountId: number % 4 === 0 ? THEIRS : MINE,
    traceId: `sx_${number % 50}`,
    ...(number % 9 === 0 && { headerMessageId: `<order-${number % 40}@shop.example>` }),
    recipient,
    recipientDomain: domainToASCII(recipient.slice(recipient.lastIndexOf("@") + 1)).toLowerCase(),
    ...engagementOf(Math.floor(number / 5)),
    from: pick(people, Math.floor(number / 3)),
    subject: pick(subjects, Math.floor(number / 2)),
    tags: [pick(["a", "b"], number), pick(["c", "d", "e"], number)],
    metadata: number % 5 === 0 ? { order: String(number % 20), constructor: "x" } : {},
    policy: pick(["default", "bulk"], Math.floor(number / 7)),
    keyId: pick(["key_1", "key_2", ""], number),
    source: pick(["http", "smtp", "system"] as const, number),
    state,
    ...(state === "bounced" && { category: pick(categories, number) }),
    ...(number % 6 === 0 && { template: { name: "welcome", version: 1 } }),
    createdAt: at,
  });
}

/** Stores some messages, in several batches. */
async function storeSome(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 40) {
    const some = Array.from({ length: Math.min(left, 40) }, () => anyMessage(seed++));
    await store.acrossAccounts.messages.insertMany(some);
    stored.push(...some);
  }
}

/** A simple reference implementation. */
function reference(filter: Asked): string[] {
  const words = (text: string) => text.normalize("NFKC").toLowerCase();
  const has = (address: string, wanted: string) => {
    const own = words(address);
    if (wanted.startsWith("@")) return own.endsWith(words(wanted));
    return wanted.includes("@") ? own === words(wanted) : own.includes(words(wanted));
  };
  return stored
    .filter(
      (message) =>
        message.accountId === MINE &&
        (filter.recipient === undefined || has(message.recipient, filter.recipient)) &&
        (filter.sender === undefined || has(message.from, filter.sender)) &&
        (filter.subject ?? []).every((word) => words(message.subject).includes(words(word))) &&
        (filter.tags ?? []).every((tag) => message.tags.includes(tag)) &&
        (filter.order === undefined || message.metadata.order === filter.order) &&
        (filter.states?.includes(message.state) ?? true) &&
        (filter.policy ?? message.policy) === message.policy &&
        (filter.keyId ?? message.keyId) === message.keyId &&
        (filter.source === undefined || filter.source === message.source) &&
        (filter.template === undefined || filter.template === message.template?.name) &&
        (filter.category === undefined || filter.category === message.category) &&
        (filter.traceId ?? message.traceId) === message.traceId &&
        (filter.from ?? message.createdAt) <= message.createdAt &&
        (filter.until === undefined || message.createdAt < filter.until) &&
        (filter.provider === undefined || providers[filter.provider]?.test(message.recipient)) &&
        (filter.opened ?? message.engagement?.opened?.first !== undefined) ===
          (message.engagement?.opened?.first !== undefined) &&
        (filter.clicked ?? message.engagement?.clicked?.first !== undefined) ===
          (message.engagement?.clicked?.first !== undefined) &&
        (filter.parts ?? []).every((part) => parts[part]?.(message)),
    )
    .map(({ _id }) => _id)
    .sort()
    .reverse();
}

const inText = (message: MessageDocument, word: string) =>
  [message.recipient, message.from, message.subject].some((text) => text.toLowerCase().includes(word));

/** Parts of a query with their meanings. */
const parts: Readonly<Record<string, (message: MessageDocument) => boolean>> = {
  order: (message) => inText(message, "order"),
  ada: (message) => inText(message, "ada"),
  '"turing shipped"': (message) => inText(message, "turing") && inText(message, "shipped"),
  "grace@mail.example.org": ({ recipient, from }) => [recipient, from].includes("grace@mail.example.org"),
  "@example.com": ({ recipient, from }) => [recipient, from].some((one) => one.endsWith("@example.com")),
  "to:lovelace": ({ recipient }) => recipient.includes("lovelace"),
  "from:@example.com": ({ from }) => from.endsWith("@example.com"),
  'subject:"order 17"': ({ subject }) => subject.startsWith("Order 17"),
  "tag:a": ({ tags }) => tags.includes("a"),
  "state:bounced state:deferred": ({ state }) => ["bounced", "deferred"].includes(state),
  "state:delivered": ({ state }) => state === "delivered",
  "policy:bulk": ({ policy }) => policy === "bulk",
  "key:key_1 key:key_2": ({ keyId }) => ["key_1", "key_2"].includes(keyId),
  "template:welcome": ({ template }) => template?.name === "welcome",
  "meta:order=5": ({ metadata }) => metadata.order === "5",
  "<order-9@shop.example>": ({ headerMessageId }) => headerMessageId === "<order-9@shop.example>",
};

const providers: Readonly<Record<string, RegExp>> = {
  google: /@(gmail|googlemail)\.com$/,
  "mail.example.org": /@mail\.example\.org$/,
  "xn--bcher-kva.example": /@bücher\.example$/,
  "gmail.com": /^$/,
};

interface Asked {
  readonly provider?: string;
  readonly opened?: boolean;
  readonly clicked?: boolean;
  /** Parts of the query. */
  readonly parts?: readonly string[];
  readonly recipient?: string;
  readonly sender?: string;
  readonly subject?: readonly string[];
  readonly tags?: readonly string[];
  readonly order?: string;
  readonly states?: readonly MessageState[];
  readonly policy?: string;
  readonly keyId?: string;
  readonly source?: string;
  readonly template?: string;
  readonly category?: string;
  readonly traceId?: string;
  readonly from?: Date;
  readonly until?: Date;
}

function filterOf({ recipient, sender, subject, order, parts: query, ...others }: Asked): MessageFilter {
  return {
    ...others,
    ...(query && { query: readQuery(query.join(" ")).conditions }),
    ...(recipient !== undefined && { recipient: readAddressFilter(recipient) }),
    ...(sender !== undefined && { sender: readAddressFilter(sender) }),
    ...(subject && { subject: subjectWords(subject.join(" ")) }),
    ...(order !== undefined && { metadata: { order } }),
  };
}

const addresses = [
  ...people,
  "@example.com",
  "@MAIL.example.org",
  "lovelace",
  "Turing",
  "nobody@example.com",
  "ada",
];
const moment = fc.integer({ min: 0, max: 3 * DAY_MS }).map((ms) => new Date(START_MS + ms));
const asked: fc.Arbitrary<Asked> = fc
  .record(
    {
      recipient: fc.constantFrom(...addresses),
      sender: fc.constantFrom(...addresses),
      subject: fc.subarray(["order", "Your", "ÉTÉ", "注文", "17"], { minLength: 1, maxLength: 2 }),
      tags: fc.subarray(["a", "c", "d", "nothing"], { minLength: 1 }),
      order: fc.constantFrom("0", "5", "99"),
      states: fc.subarray([...states], { minLength: 1 }),
      policy: fc.constantFrom("default", "bulk", "other"),
      keyId: fc.constantFrom("key_1", "key_2"),
      source: fc.constantFrom("http", "smtp", "grpc"),
      template: fc.constantFrom("welcome", "other"),
      category: fc.constantFrom(...categories),
      traceId: fc.constantFrom("sx_1", "sx_2"),
      from: moment,
      until: moment,
      provider: fc.constantFrom(...Object.keys(providers)),
      opened: fc.boolean(),
      clicked: fc.boolean(),
      // Two `state:` parts are alternatives.
      parts: fc.subarray(
        Object.keys(parts).filter((part) => part !== "state:delivered"),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  )
  // Fewer conditions match more messages.
  .chain((all) => fc.subarray(Object.keys(all), { maxLength: 4 }).map((kept) => only(all, kept)));

function only(all: object, kept: readonly string[]): Asked {
  return Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))) as Asked;
}

/** All pages of a search, with a call between two of them. */
async function pages(filter: MessageFilter, limit: number, between = async () => {}): Promise<string[][]> {
  const found: string[][] = [];
  for (let beforeId: string | undefined; ; await between()) {
    const page = await store
      .forAccount(MINE)
      .messages.list({ filter, limit, ...(beforeId !== undefined && { beforeId }) });
    found.push(page.messages.map(({ _id }) => _id));
    beforeId = page.nextBeforeId;
    if (beforeId === undefined) return found;
  }
}

const compact = (at = START_MS + 2.5 * DAY_MS) => store.acrossAccounts.search.compact(new Date(at), NEVER);

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

describe("a search", () => {
  it("finds the results of a plain filter, page by page and in order, before and after compaction", async () => {
    await storeSome(600);
    const compare = fc.asyncProperty(asked, fc.integer({ min: 1, max: 60 }), async (filter, limit) => {
      const wanted = reference(filter);
      const found = await pages(filterOf(filter), limit);
      expect(found.flat()).toEqual(wanted);
      expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    });
    await fc.assert(compare, { numRuns: repetitions(20, 60) });
    await compact();
    await storeSome(300);
    await fc.assert(compare, { numRuns: repetitions(20, 60) });
    // The first days are over: each of them becomes one run.
    await compact(START_MS + 5 * DAY_MS);
    const { days, batches } = searchCollections(opened.db);
    expect((await days.find().toArray()).map(({ runs }) => runs.length)).toEqual([1, 1, 1]);
    expect(await batches.countDocuments({})).toBe(0);
    await fc.assert(compare, { numRuns: repetitions(20, 60) });
  });

  it("finds the results of each part of a query, alone and with any other part", async () => {
    const texts = Object.keys(parts);
    for (const [index, first] of texts.entries()) {
      for (const second of texts.slice(index)) {
        if (first.startsWith("state:") && second.startsWith("state:") && first !== second) continue;
        const asked = { parts: [first, second] };
        expect((await pages(filterOf(asked), 50)).flat(), `${first} ${second}`).toEqual(reference(asked));
      }
    }
  });

  it("finds a submission by a Message-ID that is derived from the id of one of its messages", async () => {
    const another = () => ({ ...anyMessage(seed++), accountId: MINE, tags: ["header"] });
    const [first, second, forwarded] = [another(), another(), another()] as const;
    const headerMessageId = `<${first._id}@example.com>`;
    const all = [first, second, forwarded].map((message) => ({ ...message, headerMessageId }));
    await store.acrossAccounts.messages.insertMany(all);
    stored.push(...all);
    const wanted = all
      .map(({ _id }) => _id)
      .sort()
      .reverse();
    const found = async (query: string, limit = 10) =>
      (await pages({ query: readQuery(query).conditions }, limit)).flat();
    for (const limit of [1, 2, 10]) expect(await found(headerMessageId, limit)).toEqual(wanted);
    expect(await found(`${headerMessageId} tag:nothing`)).toEqual([]);
    expect(await found(`${headerMessageId} ${second._id}`)).toEqual([second._id]);
    const theirs = stored.find(({ accountId }) => accountId === THEIRS);
    expect(await found(`<${theirs?._id}@example.com>`)).toEqual([]);
    expect(await found(`${theirs?._id}`)).toEqual([]);
  });

  it("finds nothing twice and misses nothing while messages are added and runs are merged", async () => {
    const before = reference({ tags: ["a"] });
    const found = await pages({ tags: ["a"] }, 7, async () => {
      await storeSome(7);
      await compact(START_MS + 5 * DAY_MS);
    });
    const all = found.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual([...all].sort().reverse());
    expect(all.filter((id) => before.includes(id))).toEqual(before);
  });

  it("follows a message into and out of indexed states", async () => {
    const message = anyMessage(seed++);
    const mine = { ...message, accountId: MINE, state: "queued" as const, recipient: "eve@example.com" };
    await store.acrossAccounts.messages.insertMany([mine]);
    stored.push({ ...mine, state: "delivered" });
    const find = async (filter: Asked) =>
      (await pages(filterOf({ ...filter, recipient: "eve@example.com" }), 10)).flat();
    expect(await find({ states: ["deferred"] })).toEqual([]);
    const { search } = store.acrossAccounts;
    const transition = { messageId: mine._id, bucket: mine.bucket, at: new Date(), epoch: 1 };
    const deferred = { state: "deferred" as const, category: "mailbox_full" };
    await search.add([{ ...mine, ...deferred }]);
    await applyTransitions(store.acrossAccounts, [
      { ...transition, to: "deferred", attempts: 1, category: "mailbox_full" },
    ]);
    expect(await find({ states: ["deferred"], category: "mailbox_full" })).toEqual([mine._id]);
    await applyTransitions(store.acrossAccounts, [{ ...transition, to: "delivered", attempts: 2 }]);
    expect(await find({ states: ["deferred"] })).toEqual([]);
    expect(await find({ category: "mailbox_full" })).toEqual([]);
    expect(await find({ states: ["delivered"] })).toEqual([mine._id]);
  });

  it("finds nothing of another account with the same words", async () => {
    const found = (await pages({ tags: ["a"] }, 100)).flat();
    const theirs = stored.filter(({ accountId }) => accountId === THEIRS).map(({ _id }) => _id);
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter((id) => theirs.includes(id))).toEqual([]);
  });
});

describe("the index", () => {
  it("is compacted by two concurrent processes with the same result", async () => {
    await storeSome(2_600);
    const wanted = reference({ policy: "bulk" });
    await Promise.all([compact(START_MS + 12 * DAY_MS), compact(START_MS + 12 * DAY_MS)]);
    await compact(START_MS + 12 * DAY_MS);
    expect((await pages({ policy: "bulk", until: new Date(START_MS + 9 * DAY_MS) }, 1_000)).flat()).toEqual(
      wanted,
    );
    const { days, chunks } = searchCollections(opened.db);
    const runs = new Set((await days.find().toArray()).flatMap((day) => day.runs.map(({ id }) => id)));
    const owners = (await chunks.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) =>
      _id.slice(0, _id.lastIndexOf(".")),
    );
    // Merged sources are removed.
    expect(new Set(owners)).toEqual(runs);
  });

  it("may be merged while a search reads it", async () => {
    const collections = searchCollections(opened.db);
    const until = new Date(START_MS + 9 * DAY_MS);
    const span = { since: idBound("msg", new Date(START_MS)), before: idBound("msg", until) };
    const groups = termsOfFilter(MINE, { source: "http" });
    const wanted = reference({ source: "http" });
    // Ids are read in batches: the second one belongs to a run that no longer exists.
    const search = candidates(collections, groups, span);
    const found = [String((await search.next()).value)];
    const former = await collections.days.find().toArray();
    await storeSome(300);
    await compact(START_MS + 12 * DAY_MS);
    for await (const id of search) found.push(id);
    const runs = (await collections.days.find().toArray()).flatMap((day) => day.runs);
    expect(runs.filter(({ id }) => former.some((day) => day.runs[0]?.id === id))).toEqual([]);
    expect(found.filter((id) => wanted.includes(id))).toEqual(wanted);
    expect(found).toEqual([...new Set(found)].sort().reverse());
  });

  it("is removed with the last message of its day", async () => {
    await opened.db.collection("messages").deleteMany({});
    stored = [];
    await compact(START_MS + 20 * DAY_MS);
    const { batches, days, chunks } = searchCollections(opened.db);
    const left = await Promise.all([batches, days, chunks].map((each) => each.countDocuments({})));
    expect(left).toEqual([0, 0, 0]);
  });
});
