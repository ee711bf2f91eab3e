import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { ListRequestsResponseSchema, RequestSchema } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = new Date("2030-01-02T09:00:00Z");
const refused = create(RequestSchema, {
  id: "req_1.0",
  accountId: "acc_1",
  at: timestampFromDate(at),
  keyId: "key_1\u001b[2J",
  method: "POST",
  route: "/v1/email/send",
  status: 429,
  code: "rate.limited",
  traceId: "sx_1",
  durationMs: 12,
  clientAddress: "192.0.2.1",
  bodyBytes: 900,
  count: 5,
});
const note = create(RequestSchema, { id: "req_1.1", at: timestampFromDate(at), count: 7_000 });

it("hermod requests list shows requests and responses", async () => {
  const asked: unknown[] = [];
  const listRequests = async (request: unknown) => {
    asked.push(request);
    return create(ListRequestsResponseSchema, { requests: [refused, note], nextPageToken: "req_1.0" });
  };
  const core = { requests: { listRequests } };
  const filter = ["--key", "key_1", "--status", "4xx", "--trace", "sx_1", "--until", at.toISOString()];
  const { out, err } = await runHermod(
    ["requests", "list", "--account", "acc_1", "--limit", "2", ...filter],
    { core },
  );
  expect(asked).toMatchObject([
    {
      accountId: "acc_1",
      filter: { keyId: "key_1", status: "4xx", traceId: "sx_1", until: timestampFromDate(at), code: "" },
      pageSize: 2,
    },
  ]);
  expect(out).toContain("POST /v1/email/send                429 rate.limited (5 times)  900    0.01s  sx_1");
  expect(out).toContain("7000 requests over the rate limit");
  expect(out).not.toContain("\u001b");
  expect(err).toContain("--cursor req_1.0");
  const { data, has_more } = JSON.parse(
    (await runHermod(["requests", "list", "--limit", "2", "--json"], { core })).out,
  );
  expect([has_more, data[0].id, data[1].count]).toEqual([true, "req_1.0", 7_000]);
});
