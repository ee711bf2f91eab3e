import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListTemplatesRequest,
  ListTemplatesResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { toStoredTemplate } from "../to-proto.ts";

export function createListTemplates({ store }: { readonly store: Pick<Store, "accounts" | "templates"> }) {
  return async ({
    accountId,
  }: ListTemplatesRequest): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> => {
    const account = await store.accounts.resolve(accountId);
    return { templates: (await store.templates.listPublished(account._id)).map(toStoredTemplate) };
  };
}
