import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { GetJobResponseSchema, JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import {
  BeginBulkResponseSchema,
  CountBulkResponseSchema,
  MessageSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { runHermod, stdin } from "./run-hermod.ts";

const job = create(JobSchema, { id: "job_1", kind: "message.bulk", state: "queued" });
const finishedAt = timestampFromDate(new Date());

function core(begun: unknown[], state = "succeeded") {
  const sample = [create(MessageSchema, { id: "msg_1", state: "scheduled", recipient: "ada@example.com" })];
  return {
    messages: {
      countBulk: async () =>
        create(CountBulkResponseSchema, {
          count: 100_000,
          actionable: 99_000,
          hasMore: true,
          sample,
          confirmation: "c",
        }),
      beginBulk: async (request: unknown) => {
        begun.push(request);
        return create(BeginBulkResponseSchema, { job });
      },
    },
    jobs: {
      getJob: async () =>
        create(GetJobResponseSchema, {
          job: { ...job, state, total: 3, done: 3, finishedAt },
        }),
    },
  };
}

const cancel = ["message", "bulk", "cancel", "--tag", "spring", "--account", "acc_1"];

it("hermod message bulk shows the number of messages, asks, and waits for the job", async () => {
  const begun: unknown[] = [];
  const { out, err } = await runHermod(cancel, { core: core(begun), input: stdin("y\n") });
  expect(err).toContain(
    "more than 100000 messages selected, of the counted ones 99000 can be processed (cancel), for example:",
  );
  expect(err).toContain("msg_1  scheduled  ada@example.com");
  expect(err).toContain("Continue? [y/N]");
  expect(begun).toMatchObject([
    { accountId: "acc_1", confirmation: "c", bulk: { action: "cancel", filter: { tags: ["spring"] } } },
  ]);
  expect(out).toContain("3 of 3 done");
  expect(err).toContain("hermod job results job_1");
});

it.each([
  ["failed", 1],
  ["cancelled", 1],
  ["succeeded", 0],
])("hermod message bulk of a %s job ends with exit code %i, or 0 detached", async (state, expected) => {
  const waiting = await runHermod([...cancel, "--yes"], { core: core([], state) });
  expect([waiting.code, waiting.out]).toEqual([expected, expect.stringContaining("3 of 3 done")]);
  const detached = await runHermod([...cancel, "--yes", "--detach"], { core: core([], state) });
  expect(detached.code).toBe(0);
});

it("hermod message bulk changes nothing after another answer, or without a terminal", async () => {
  const begun: unknown[] = [];
  for (const input of [stdin("n\n"), stdin(""), undefined]) {
    const { code, err } = await runHermod(cancel, { core: core(begun), input });
    expect([code, err]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  }
  expect(begun).toEqual([]);
});

it("hermod message bulk --yes --detach neither asks nor waits; messages may be given by id", async () => {
  const begun: unknown[] = [];
  const args = ["message", "bulk", "cancel", "msg_1", "msg_2", "--yes", "--detach", "--json"];
  const { out } = await runHermod(args, { core: core(begun) });
  expect(JSON.parse(out)).toMatchObject({ id: "job_1", state: "queued" });
  expect(begun).toMatchObject([{ bulk: { ids: ["msg_1", "msg_2"] } }]);
  expect(begun).not.toHaveProperty("0.bulk.filter");
});
