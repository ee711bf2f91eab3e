import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListTemplatesRequest,
  ListTemplatesResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { toStoredTemplate } from "../to-proto.ts";

/** Published templates of one account, by name. */
export function createListTemplates({ store }: { readonly store: Pick<Store, "accounts" | "templates"> }) {
  return async (
    request: ListTemplatesRequest,
  ): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      accounts: store.accounts,
      list: (page) => store.templates.listPublished(page),
      placeOf: ({ name }) => name,
    });
    return { templates: entries.map(toStoredTemplate), nextPageToken };
  };
}
