import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListTemplatesRequest,
  type ListTemplatesResponseSchema,
  type PutTemplateRequest,
  type PutTemplateResponseSchema,
  type Template,
  TemplateService,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
import { readFreeJson } from "../message/template/free-json.ts";
import { compileTemplate, type TemplateSource } from "../message/template/template.ts";
import type { TemplateVariable } from "../message/template/template-variables.ts";
import { defineArea } from "../rpc/area.ts";
import { changes, LOOKS } from "../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { type FieldFault, validationFault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { Store } from "../store/store.ts";
import type { AccountSettings } from "./access/account-settings.ts";
import type { Dependencies } from "./dependencies.ts";
import { pointer } from "./field-faults.ts";
import { pageOfAccount } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";
import { toStoredTemplate } from "./to-proto.ts";

/** Templates of accounts, published in versions. */
export const templates = defineArea({
  service: TemplateService,
  callers: { putTemplate: OPERATOR_ONLY, listTemplates: OPERATOR_ONLY },
  audits: {
    putTemplate: changes("template.publish"),
    listTemplates: LOOKS,
  },
  handlers: ({ store, settings, clock }: Pick<Dependencies, "store" | "settings" | "clock">) => ({
    putTemplate: createPutTemplate({ store, settings, clock }),
    listTemplates: createListTemplates({ store }),
  }),
});

export interface PutTemplateOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Stores and publishes a new version, unless the published one is the same. */
export function createPutTemplate({ store, settings, clock }: PutTemplateOptions) {
  return async (
    request: PutTemplateRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof PutTemplateResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const definition = readTemplate(request.template);
    const template = { name: definition.name, definition, createdAt: clock.now() };
    const published = await account.templates.publish(template, audit);
    settings.forget();
    return { template: toStoredTemplate(published) };
  };
}

const variableTypes = ["string", "number", "boolean", "object", "list"] as const;

/** @throws Fault request.validation_failed naming everything that is wrong */
function readTemplate(template: Template | undefined): TemplateSource {
  const faults: FieldFault[] = [];
  const variables = (template?.variables ?? []).map(
    ({ name, type, fallbackJson }, index): TemplateVariable => {
      const known = variableTypes.find((one) => one === type);
      if (known === undefined) {
        const message = `"${type}" is none of ${variableTypes.join(", ")}.`;
        faults.push({ pointer: pointer("variables", index, "type"), code: "field.invalid", message });
      }
      const base = { name, type: known ?? "string" };
      if (fallbackJson === undefined) return base;
      const fallback = readFreeJson(fallbackJson);
      if (fallback.ok) return { ...base, fallback: fallback.value };
      const { pointer: at, code, message } = fallback.fault;
      faults.push({ pointer: pointer("variables", index, "fallback") + at, code, message });
      return base;
    },
  );
  const source: TemplateSource = {
    name: template?.name ?? "",
    subject: template?.subject ?? "",
    ...withoutUndefined({ from: template?.from, html: template?.html, text: template?.text }),
    variables,
  };
  const compiled = compileTemplate(source);
  if (!compiled.ok) {
    for (const { pointer: at, code, message, line, column } of compiled.faults) {
      const where = line === undefined ? "" : ` (line ${line}, column ${column ?? 1})`;
      faults.push({ pointer: at, code, message: message + where });
    }
  }
  if (faults.length > 0) throw validationFault(faults);
  return source;
}

/** Published templates of one account, by name. */
export function createListTemplates({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListTemplatesRequest,
  ): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ templates }, page) => templates.listPublished(page),
      placeOf: ({ name }) => name,
    });
    return { templates: entries.map(toStoredTemplate), nextPageToken };
  };
}
