import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetDocumentRequest,
  GetDocumentResponseSchema,
  PreviewTemplateRequest,
  PreviewTemplateResponseSchema,
  PreviewTextRequest,
  PreviewTextResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { formatMailbox } from "../../message/address/addresses.ts";
import { GMAIL_CLIP_BYTES } from "../../message/checks/check-size.ts";
import { examineTemplate } from "../../message/template/template.ts";
import { MAX_FIELD_FAULTS, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createPreviewSlots } from "./preview-slots.ts";
import { positionOf, readData, readDefinition, toFieldFaults } from "./read-definition.ts";
import {
  createFillTemplate,
  type Filled,
  type FillOptions,
  fillIn,
  versionUnknown,
} from "./template-text.ts";

/** Renders a text with data. Nothing in it is fetched, run or sent. */
export function createPreviewTemplate(options: FillOptions) {
  const fill = createFillTemplate(options);
  const inSlot = createPreviewSlots();
  return async (
    request: PreviewTemplateRequest,
  ): Promise<MessageInitShape<typeof PreviewTemplateResponseSchema>> => {
    const { id: accountId } = await resolveAccount(options.store, request);
    return toPreview(await inSlot(accountId, () => fill({ ...request, accountId })));
  };
}

/**
 * Renders the html of a stored text with its test data.
 * @throws Fault account.unknown, template.not_found, template.version_not_found, request.validation_failed,
 *   service.busy
 */
export function createGetDocument(options: FillOptions) {
  const fill = createFillTemplate(options);
  const inSlot = createPreviewSlots();
  return async (request: GetDocumentRequest): Promise<MessageInitShape<typeof GetDocumentResponseSchema>> => {
    const { id: accountId } = await resolveAccount(options.store, request);
    const { name, version, dataSet } = request;
    const filled = await inSlot(accountId, () => fill({ accountId, name, version, dataSet }));
    if (!filled.ok) throw validationFault(toFieldFaults(filled.faults));
    const { html } = filled.rendered;
    if (html === undefined) throw versionUnknown(say("text_without_html", { name }));
    return { html };
  };
}

/** A text of a request has no name. */
const UNNAMED = "preview";

/**
 * Renders the text of the request with its data. Nothing is stored.
 * @throws Fault account.unknown, request.validation_failed, service.busy
 */
export function createPreviewText({ store, limits }: FillOptions) {
  const inSlot = createPreviewSlots();
  return async (request: PreviewTextRequest): Promise<MessageInitShape<typeof PreviewTextResponseSchema>> => {
    const { id: accountId } = await resolveAccount(store, request);
    return inSlot(accountId, () => {
      const invalid = createFieldFaults();
      const source = { ...readDefinition(request.template, invalid), name: UNNAMED };
      if (invalid.found.length > 0) throw validationFault(invalid.found);
      const data = readData(request.dataJson || "{}", "/data");
      const { compiled, uses } = examineTemplate(source);
      return {
        preview: toPreview(fillIn(compiled, data, limits.bodyBytes)),
        undeclaredVariables: [...uses.undeclared],
        unusedVariables: [...uses.unused],
      };
    });
  };
}

function toPreview(filled: Filled): MessageInitShape<typeof PreviewTemplateResponseSchema> {
  if (filled.ok) {
    const { from, subject, html, text } = filled.rendered;
    const htmlBytes = Buffer.byteLength(html ?? "");
    const isClipped = htmlBytes > GMAIL_CLIP_BYTES;
    const shown = { subject, ...withoutUndefined({ html, text }), htmlBytes, isClipped };
    return { from: from ? formatMailbox(from) : "", ...shown };
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
}
