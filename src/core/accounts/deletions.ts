import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DeletionSchema,
  GetDeletionRequest,
  GetDeletionResponseSchema,
  ListDeletionsRequest,
  ListDeletionsResponseSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import type { Store } from "../../store/store.ts";
import type { DeletedAccountDocument } from "../../store/user-documents.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";

interface DeletionNeeds {
  readonly store: Pick<Store, "accountDeletions">;
}

/**
 * Lists deleted accounts in the order of their creation.
 * @throws Fault request.validation_failed
 */
export function createListDeletions({ store }: DeletionNeeds) {
  return async ({
    pageSize,
    pageToken,
  }: ListDeletionsRequest): Promise<MessageInitShape<typeof ListDeletionsResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const after = pageStartOf(pageToken, (token) => (isId("acc", token) ? token : undefined));
    const found = await store.accountDeletions.list({ after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { deletions: entries.map(toDeletion), nextPageToken };
  };
}

/** @throws Fault account.unknown */
export function createGetDeletion({ store }: DeletionNeeds) {
  return async ({
    accountId,
  }: GetDeletionRequest): Promise<MessageInitShape<typeof GetDeletionResponseSchema>> => {
    const found = await store.accountDeletions.find(accountId);
    if (found) return { deletion: toDeletion(found) };
    throw fault("account.unknown", {
      public: say("no_deletion", { id: accountId }),
    });
  };
}

function toDeletion(deletion: DeletedAccountDocument): MessageInitShape<typeof DeletionSchema> {
  const { _id: accountId, name, createdAt, deletedAt, deletedBy, removed, finishedAt } = deletion;
  return {
    accountId,
    name,
    createdAt: timestampFromDate(createdAt),
    deletedAt: timestampFromDate(deletedAt),
    deletedBy,
    state: finishedAt ? "done" : "running",
    removed: { ...removed },
    ...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
  };
}
