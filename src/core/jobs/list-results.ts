import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  JobResultSchema,
  ListResultsRequest,
  ListResultsResponseSchema,
} from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { type JobOutcome, type JobResultEntry, jobOutcomes, jobStepId } from "../../store/job-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";

/** Number of documents in one read: about 100 KB if each is full. */
const DOCUMENTS_AT_ONCE = 4;

/** Position of a result: the step, and the index of its entry. */
interface Position {
  readonly step: number;
  readonly index: number;
}

const FORM = /^(\d{1,10})\.(\d{1,3})$/;

/** @throws Fault account.unknown, job.unknown, request.validation_failed */
export function createListResults({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: ListResultsRequest): Promise<MessageInitShape<typeof ListResultsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const limit = pageSizeOf(request.pageSize);
    const outcome = readOutcome(request.outcome);
    const start = pageStartOf(request.pageToken, readPosition);
    if (!(await account.jobs.find(request.id))) throw fault("job.unknown");
    return search(account, { jobId: request.id, outcome, start, limit });
  };
}

interface Search {
  readonly jobId: string;
  readonly outcome: JobOutcome | undefined;
  readonly start: Position | undefined;
  readonly limit: number;
}

/** Each document that is read contains a matching result, so there are never more documents than results. */
async function search(
  { jobs }: AccountStore,
  { jobId, outcome, start, limit }: Search,
): Promise<MessageInitShape<typeof ListResultsResponseSchema>> {
  const results: MessageInitShape<typeof JobResultSchema>[] = [];
  let from = start && jobStepId(jobId, start.step);
  for (;;) {
    const documents = await jobs.listResults(jobId, { outcome, from, limit: DOCUMENTS_AT_ONCE });
    for (const { _id, entries } of documents) {
      const step = Number(_id.slice(jobId.length + 1));
      const first = step === start?.step ? start.index : 0;
      for (let index = first; index < entries.length; index++) {
        const entry = entries[index];
        if (!entry || (outcome && entry.outcome !== outcome)) continue;
        // The first result that does not fit is the start of the next page.
        if (results.length === limit) return { results, nextPageToken: `${step}.${index}` };
        results.push(toResult(entry));
      }
      from = jobStepId(jobId, step + 1);
    }
    if (documents.length < DOCUMENTS_AT_ONCE) return { results, nextPageToken: "" };
  }
}

const toResult = ({ item, outcome, code = "", message = "" }: JobResultEntry) => ({
  item,
  outcome,
  code,
  message,
});

function readPosition(token: string): Position | undefined {
  const [, step, index] = FORM.exec(token) ?? [];
  return step === undefined ? undefined : { step: Number(step), index: Number(index) };
}

/** @throws Fault request.validation_failed */
function readOutcome(given: string): JobOutcome | undefined {
  if (given === "") return undefined;
  const outcome = jobOutcomes.find((one) => one === given);
  if (outcome) return outcome;
  const message = say("none_of", { given, allowed: jobOutcomes });
  throw validationFault([{ pointer: "/outcome", code: "field.invalid", message }]);
}
