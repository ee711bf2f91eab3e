import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListTemplatesRequest,
  ListTemplatesResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf, placeIn, placeToken } from "../page.ts";
import { toStoredTemplate } from "../to-proto.ts";

/** Published templates of one account, by name. */
export function createListTemplates({ store }: { readonly store: Pick<Store, "accounts" | "templates"> }) {
  return async (
    request: ListTemplatesRequest,
  ): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const after = pageStartOf(request.pageToken, placeIn(accountId));
    const found = await store.templates.listPublished({ accountId, after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ name }) => placeToken(accountId, name));
    return { templates: entries.map(toStoredTemplate), nextPageToken };
  };
}
