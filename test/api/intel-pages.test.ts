import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { type IntelWorld, type OpenedWorkspace, openIntelWorld, sight } from "../harness/intel-world.ts";

const COUNT = 250;

let world: IntelWorld;
let workspace: OpenedWorkspace;
let accountId: string;
let clientId: string;
let added = 0;

const numbered = (n: number) => `d${String(n).padStart(4, "0")}.example.com`;
const ask = (method: "GET" | "POST", path: string, body?: unknown) =>
  world.ask(method, path, { key: workspace.key, ...(body !== undefined && { body }) });
const add = async (name: string) => {
  const { status, body } = await ask("POST", "/domains", { client_id: clientId, name });
  expect([name, status]).toEqual([name, 201]);
  return body.id as string;
};

beforeAll(async () => {
  world = await openIntelWorld();
  accountId = await world.newAccount();
  workspace = await world.newWorkspace(accountId, "Agency");
  clientId = (await ask("POST", "/clients", { name: "Example Ltd" })).body.id;
  // Even numbers: odd ones are added while the list is read.
  await inParallel(
    Array.from({ length: COUNT }, (_, n) => 2 * n),
    8,
    async (n) => void (await add(numbered(n))),
  );
});
afterAll(() => world.close());

async function* pages(query: string) {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await ask("GET", `/domains?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    expect(body.has_more).toBe(body.next_cursor !== null);
    yield body.data as { name: string; id: string }[];
    cursor = body.next_cursor;
  }
}

describe("the pages of 250 domains", () => {
  it.each(["name", "-score", "last_check_at"])(
    "have each existing domain once while others are added before and after it (%s)",
    async (sort) => {
      const before = new Set<string>();
      for await (const page of pages("limit=100")) for (const { name } of page) before.add(name);
      expect(before.size).toBeGreaterThanOrEqual(COUNT);
      const seen: string[] = [];
      for await (const page of pages(`sort=${sort}&limit=40`)) {
        seen.push(...page.map(({ name }) => name));
        // One is before the end of the page, and one is after it.
        for (const n of [2 * added + 1, 2 * (COUNT - 1 - added) + 1]) await add(numbered(n));
        added += 1;
      }
      expect(seen).toHaveLength(new Set(seen).size);
      expect([...before].filter((name) => !seen.includes(name))).toEqual([]);
    },
  );

  it("have no duplicates if many have the same score, and domains without a score are last", async () => {
    const [page = []] = [(await pages("limit=30").next()).value ?? []];
    for (const [index, { id, name }] of page.entries()) {
      world.results.set(name, sight(index % 3 === 0 ? { "auth.dmarc.exists": { status: "fail" } } : {}));
      await world.check(accountId, id);
    }
    const seen: (number | null)[] = [];
    const ids = new Set<string>();
    for await (const some of pages("sort=-score&limit=7")) {
      seen.push(...some.map((one) => (one as unknown as { score: number | null }).score));
      for (const { id } of some) ids.add(id);
    }
    expect(ids.size).toBe(seen.length);
    const ranks = seen.map((score) => score ?? -1);
    expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
    expect(seen.filter((score) => score !== null)).toHaveLength(page.length);
  });
});

describe("the pages of domains with their checks", () => {
  it("have a size limit, have each domain once, and are compressed as the client accepts", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `large${n}.example.net`);
    for (const name of names) {
      const id = await add(name);
      const evidence = [
        { name, type: "TXT", rcode: "NOERROR", at: new Date(), data: ["x".repeat(200_000)] },
      ] as const;
      world.results.set(name, sight({ "auth.spf.exists": { evidence } }));
      await world.check(accountId, id);
    }
    const seen: string[] = [];
    let count = 0;
    for await (const page of pages("search=large&limit=100&include=checks")) {
      seen.push(...page.map(({ name }) => name));
      count += 1;
      expect(JSON.stringify(page).length).toBeLessThan(1.1 * 1024 * 1024);
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
    expect(count).toBeGreaterThan(2);
    const { status, headers } = await world.ask("GET", "/domains?search=large&include=checks", {
      key: workspace.key,
      headers: { "accept-encoding": "br" },
    });
    expect([status, headers["content-encoding"]]).toEqual([200, "br"]);
    const again = await world.ask("GET", "/domains?search=large&include=checks", {
      key: workspace.key,
      headers: { "accept-encoding": "br", "if-none-match": String(headers.etag) },
    });
    expect(again.status).toBe(304);
  });
});
