import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  CancelJobResponseSchema,
  GetJobResponseSchema,
  JobSchema,
  ListJobsResponseSchema,
  ListResultsResponseSchema,
} from "../../gen/hermod/job/v1/job_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-02T09:00:00Z"));
const job = (more: MessageInitShape<typeof JobSchema>) =>
  create(JobSchema, {
    id: "job_1",
    accountId: "acc_1",
    kind: "message.bulk",
    state: "running",
    about: { action: "cancel", filter: "tag=a\u001b[2J" },
    total: 400,
    done: 120,
    skipped: 3,
    startedByKind: "operator",
    startedByName: "operator",
    createdAt: at,
    ...more,
  });

it("hermod job list, show and results show the progress of a job", async () => {
  const asked: unknown[] = [];
  const results = [
    { item: "msg_1", outcome: "done" },
    { item: "msg_2", outcome: "skipped", code: "message.not_cancellable", message: "It is delivered." },
  ];
  const core = {
    jobs: {
      listJobs: async (request: unknown) => {
        asked.push(request);
        return create(ListJobsResponseSchema, { jobs: [job({})], nextPageToken: "job_1" });
      },
      getJob: async () => create(GetJobResponseSchema, { job: job({ cancelRequestedAt: at }) }),
      listResults: async (request: unknown) => {
        asked.push(request);
        return create(ListResultsResponseSchema, { results });
      },
    },
  };
  const listed = await runHermod(
    ["job", "list", "--account", "acc_1", "--state", "running", "--kind", "message.bulk", "--limit", "1"],
    { core },
  );
  expect(listed.out).toContain("120 of 400 done, 3 skipped");
  expect(listed.out).not.toContain("\u001b");
  expect(listed.err).toContain("--cursor job_1");
  const shown = await runHermod(["job", "show", "job_1"], { core });
  expect(shown.out).toMatch(/State: +running, cancel requested/);
  expect(shown.out).toMatch(/Action: +cancel/);
  const { out } = await runHermod(["job", "results", "job_1", "--outcome", "skipped"], { core });
  expect(out).toMatch(/msg_2 +skipped +message\.not_cancellable +It is delivered\./);
  expect(asked).toMatchObject([
    { accountId: "acc_1", state: "running", kind: "message.bulk", pageSize: 1 },
    { id: "job_1", outcome: "skipped" },
  ]);
  const json = JSON.parse((await runHermod(["job", "show", "job_1", "--json"], { core })).out);
  expect(json).toMatchObject({ id: "job_1", total: 400, done: 120, finished_at: null, failure: null });
});

it("hermod job watch shows the progress until the end", async () => {
  const states = [job({}), job({ done: 397 }), job({ done: 397, state: "succeeded", finishedAt: at })];
  const core = {
    jobs: { getJob: async () => create(GetJobResponseSchema, { job: states.shift() as (typeof states)[0] }) },
  };
  const { out, err, code } = await runHermod(["job", "watch", "job_1"], { core, tty: true });
  expect(err).toContain("\r123 of 400, 30 %");
  expect(err).toContain("\r400 of 400, 100 %");
  expect(out).toContain("succeeded");
  expect([code, states.length]).toEqual([0, 0]);
});

it.each([
  ["failed", 1],
  ["cancelled", 1],
  ["succeeded", 0],
])("hermod job watch of a job that is %s writes it and ends with exit code %i", async (state, expected) => {
  const failure = { failureCode: "internal.error", failureMessage: "No progress." };
  const ended = job({ state, failed: 2, finishedAt: at, ...failure });
  const core = { jobs: { getJob: async () => create(GetJobResponseSchema, { job: ended }) } };
  const text = await runHermod(["job", "watch", "job_1"], { core });
  expect([text.code, text.out]).toEqual([expected, expect.stringContaining(state)]);
  expect(text.err).not.toContain("hermod:");
  const json = await runHermod(["job", "watch", "job_1", "--json"], { core });
  expect([json.code, JSON.parse(json.out).state]).toEqual([expected, state]);
  const shown = await runHermod(["job", "show", "job_1"], { core });
  expect(shown.code).toBe(0);
});

it("hermod job cancel reports whether it has ended", async () => {
  const cancelJob = async ({ id }: { id?: string }) => {
    if (id !== "job_1") throw fault("job.unknown");
    return create(CancelJobResponseSchema, { job: job({ cancelRequestedAt: at }) });
  };
  const core = { jobs: { cancelJob: cancelJob as never } };
  const { out } = await runHermod(["job", "cancel", "job_1"], { core });
  expect(out).toBe("The job job_1 ends after its present step: 120 of 400 done, 3 skipped.\n");
  const refused = await runHermod(["job", "cancel", "job_2"], { core });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("no job with this id")]);
});
