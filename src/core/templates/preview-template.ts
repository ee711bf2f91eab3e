import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PreviewTemplateRequest,
  PreviewTemplateResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { formatMailbox } from "../../message/address/addresses.ts";
import { MAX_FIELD_FAULTS } from "../../shared/fault.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { positionOf } from "./read-definition.ts";
import { createFillTemplate, type FillOptions } from "./template-text.ts";

/** Renders a text with data. Nothing in it is fetched, run or sent. */
export function createPreviewTemplate(options: FillOptions) {
  const fill = createFillTemplate(options);
  return async (
    request: PreviewTemplateRequest,
  ): Promise<MessageInitShape<typeof PreviewTemplateResponseSchema>> => {
    const filled = await fill(request);
    if (filled.ok) {
      const { from, subject, html, text } = filled.rendered;
      return { from: from ? formatMailbox(from) : "", subject, ...withoutUndefined({ html, text }) };
    }
    const faults = filled.faults.slice(0, MAX_FIELD_FAULTS);
    return {
      faults: faults.map((one) => {
        const { pointer, code, message } = one;
        return { pointer, code, message: message.text, ...withoutUndefined(positionOf(one)) };
      }),
      missingVariables: faults.flatMap((one) =>
        one.code === "template.variable_missing" && "variable" in one ? (one.variable ?? []) : [],
      ),
    };
  };
}
