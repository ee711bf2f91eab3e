import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetBuiltInTemplateRequest,
  GetBuiltInTemplateResponseSchema,
  ListBuiltInTemplatesResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { builtInTemplate } from "../../alerts/built-in-template.ts";
import { noticeExample } from "../../alerts/notice-example.ts";
import type { BuiltInTemplate } from "../../message/template/built-in/built-in-template.ts";
import { digest } from "../../message/template/built-in/digest.ts";
import { invitation } from "../../message/template/built-in/invitation.ts";
import { receipt } from "../../message/template/built-in/receipt.ts";
import { reset } from "../../message/template/built-in/reset.ts";
import { welcome } from "../../message/template/built-in/welcome.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { toTemplate } from "../to-proto.ts";

const alert: BuiltInTemplate = {
  title: "Alert",
  description: "Reports an incident. Alert rules without a template use it.",
  template: builtInTemplate,
  example: noticeExample,
};

/** Templates that an account can copy, in the order of a list. */
export const builtInTemplates: readonly BuiltInTemplate[] = [
  welcome,
  reset,
  receipt,
  invitation,
  digest,
  alert,
];

const byName = new Map(builtInTemplates.map((one) => [one.template.name, one]));

export function createListBuiltInTemplates() {
  return async (): Promise<MessageInitShape<typeof ListBuiltInTemplatesResponseSchema>> => ({
    templates: builtInTemplates.map(({ title, description, template }) => {
      const { name, subject, variables } = toTemplate(template);
      return { name: name ?? "", title, description, subject: subject ?? "", variables: variables ?? [] };
    }),
  });
}

/** @throws Fault template.not_found */
export function createGetBuiltInTemplate() {
  return async ({
    name,
  }: Pick<GetBuiltInTemplateRequest, "name">): Promise<
    MessageInitShape<typeof GetBuiltInTemplateResponseSchema>
  > => {
    const found = byName.get(name);
    if (!found) {
      const allowed = [...byName.keys()];
      throw fault("template.not_found", { public: say("no_built_in_template", { name, allowed }) });
    }
    const { title, description, template, example } = found;
    return { template: toTemplate(template), title, description, exampleDataJson: JSON.stringify(example) };
  };
}
