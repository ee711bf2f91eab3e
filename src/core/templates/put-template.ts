import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListTemplatesRequest,
  ListTemplatesResponseSchema,
  PutTemplateRequest,
  PutTemplateResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { inspectTemplate } from "../../message/template/template.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toStoredTemplate } from "../to-proto.ts";
import { readDefinition, toFieldFaults } from "./read-definition.ts";

export interface PutTemplateOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Stores and publishes a new version, unless the published one is the same. A draft is not changed. */
export function createPutTemplate({ store, settings, clock }: PutTemplateOptions) {
  return async (
    request: PutTemplateRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof PutTemplateResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const definition = readDefinition(request.template, faults);
    const all = [...faults.found, ...toFieldFaults(inspectTemplate(definition).faults)];
    if (all.length > 0) throw validationFault(all);
    const template = { name: definition.name, definition, createdAt: clock.now() };
    const published = await account.templates.publish(template, audit);
    settings.forget();
    return { template: toStoredTemplate(published) };
  };
}

/** Lists published templates of one account by name. */
export function createListTemplates({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListTemplatesRequest,
  ): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ templates }, page) => templates.listPublished(page),
      cursorOf: ({ name }) => name,
    });
    return { templates: entries.map(toStoredTemplate), nextPageToken };
  };
}
