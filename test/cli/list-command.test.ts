import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ListKeysResponseSchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { ListRequestsResponseSchema } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

interface Asked {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

/** Pages of so many requests each; the last one ends the list. */
function pagesOf(sizes: readonly number[]) {
  const asked: Asked[] = [];
  const listRequests = async (request: Asked) => {
    const page = asked.push(request);
    const requests = Array.from({ length: sizes[page - 1] ?? 0 }, (_, at) => ({ id: `req_${page}.${at}` }));
    return create(ListRequestsResponseSchema, {
      requests,
      nextPageToken: page < sizes.length ? `page ${page + 1}` : "",
    });
  };
  return { asked, core: { requests: { listRequests } } };
}

it("a list with a limit reads on if the filter matches little of a page", async () => {
  const { asked, core } = pagesOf([1, 0, 2]);
  const { out, err } = await runHermod(["requests", "list", "--limit", "3", "--json"], { core });
  expect(JSON.parse(out).data.map(({ id }: { id: string }) => id)).toEqual(["req_1.0", "req_3.0", "req_3.1"]);
  expect([JSON.parse(out).has_more, err]).toEqual([false, ""]);
  expect(asked).toMatchObject([
    { pageSize: 3, pageToken: "" },
    { pageSize: 2, pageToken: "page 2" },
    { pageSize: 2, pageToken: "page 3" },
  ]);
});

it("a list with a limit ends after 100 pages, and shows the cursor", async () => {
  const { asked, core } = pagesOf(Array.from({ length: 200 }, () => 0));
  const { out, err } = await runHermod(["requests", "list"], { core });
  expect([asked.length, out, err]).toEqual([
    100,
    "No matches so far.\n",
    "There may be more. To continue: --cursor page 101\n",
  ]);
  const { out: rest } = await runHermod(["requests", "list"], { core });
  expect(rest).toBe("No requests match.\n");
});

it("a list without a limit reads all pages, from the cursor on", async () => {
  const asked: Asked[] = [];
  const listKeys = async (request: Asked) => {
    const page = asked.push(request);
    return create(ListKeysResponseSchema, {
      keys: [{ id: `key_${page}` }],
      nextPageToken: page < 150 ? `page ${page + 1}` : "",
    });
  };
  const core = { keys: { listKeys } };
  const { out } = await runHermod(["key", "list", "--cursor", "page 1", "--json"], { core });
  expect([JSON.parse(out).data.length, JSON.parse(out).has_more, asked.length]).toEqual([150, false, 150]);
  expect(asked.slice(0, 2)).toMatchObject([
    { pageSize: 0, pageToken: "page 1" },
    { pageSize: 0, pageToken: "page 2" },
  ]);
});
