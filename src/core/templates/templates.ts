import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type GetBuiltInTemplateRequest,
  type GetBuiltInTemplateResponseSchema,
  TemplateService,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { builtInTemplate } from "../../alerts/built-in-template.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { toTemplate } from "../to-proto.ts";
import {
  createCreateTemplate,
  createDeleteTemplate,
  createDiscardDraft,
  createDuplicateTemplate,
  createPublishDraft,
  createPutTestData,
  createRollBack,
  createSaveDraft,
} from "./edit-template.ts";
import { createPreviewTemplate } from "./preview-template.ts";
import { createListTemplates, createPutTemplate } from "./put-template.ts";
import { createSendTest } from "./send-test.ts";
import {
  createCompareVersions,
  createGetTemplate,
  createGetVersion,
  createListOverviews,
  createListVersions,
} from "./versions.ts";

type Needs = Pick<Dependencies, "store"> &
  Pick<
    AcceptNeeds,
    | "measured"
    | "settings"
    | "policyBounds"
    | "verifySender"
    | "limits"
    | "rateLimits"
    | "intake"
    | "partitionOf"
    | "retention"
    | "clock"
  >;

/** Templates of accounts: drafts, numbered versions, previews and tests. */
export const templates = defineArea({
  service: TemplateService,
  callers: {
    putTemplate: OPERATOR_ONLY,
    listTemplates: OPERATOR_ONLY,
    listOverviews: permitted("templates.read"),
    getTemplate: permitted("templates.read"),
    createTemplate: permitted("templates.write"),
    duplicateTemplate: permitted("templates.write"),
    saveDraft: permitted("templates.write"),
    discardDraft: permitted("templates.write"),
    publishDraft: permitted("templates.write"),
    rollBack: permitted("templates.write"),
    listVersions: permitted("templates.read"),
    getVersion: permitted("templates.read"),
    compareVersions: permitted("templates.read"),
    putTestData: permitted("templates.write"),
    previewTemplate: permitted("templates.read"),
    // And `email.send`, which its handler looks at.
    sendTest: permitted("templates.write"),
    deleteTemplate: permitted("templates.write"),
    getBuiltInTemplate: permitted("templates.read"),
  },
  audits: {
    putTemplate: changes("template.publish"),
    listTemplates: LOOKS,
    listOverviews: LOOKS,
    getTemplate: LOOKS,
    createTemplate: changes("template.create"),
    duplicateTemplate: changes("template.duplicate", "name"),
    saveDraft: changes("template.save_draft"),
    discardDraft: changes("template.discard_draft", "name"),
    publishDraft: changes("template.publish_draft", "name"),
    rollBack: changes("template.roll_back", "name"),
    listVersions: LOOKS,
    getVersion: LOOKS,
    compareVersions: LOOKS,
    putTestData: changes("template.put_test_data", "name"),
    previewTemplate: LOOKS,
    sendTest: changes("template.send_test", "name"),
    deleteTemplate: changes("template.delete", "name"),
    getBuiltInTemplate: LOOKS,
  },
  handlers: ({ retention, ...needs }: Needs) => ({
    putTemplate: createPutTemplate(needs),
    listTemplates: createListTemplates(needs),
    listOverviews: createListOverviews(needs),
    getTemplate: createGetTemplate(needs),
    createTemplate: createCreateTemplate(needs),
    duplicateTemplate: createDuplicateTemplate(needs),
    saveDraft: createSaveDraft(needs),
    discardDraft: createDiscardDraft(needs),
    publishDraft: createPublishDraft(needs),
    rollBack: createRollBack(needs),
    listVersions: createListVersions(needs),
    getVersion: createGetVersion(needs),
    compareVersions: createCompareVersions(needs),
    putTestData: createPutTestData(needs),
    previewTemplate: createPreviewTemplate(needs),
    sendTest: createSendTest({ ...needs, contentRetentionMs: retention.contentMs }),
    deleteTemplate: createDeleteTemplate(needs),
    getBuiltInTemplate: createGetBuiltInTemplate(),
  }),
});

/** Those that an account can copy, by name: a rule names its copy. */
const builtInTemplates = new Map([[builtInTemplate.name, builtInTemplate]]);

/** @throws Fault template.not_found */
function createGetBuiltInTemplate() {
  return async ({
    name,
  }: GetBuiltInTemplateRequest): Promise<MessageInitShape<typeof GetBuiltInTemplateResponseSchema>> => {
    const found = builtInTemplates.get(name);
    if (!found) {
      const known = [...builtInTemplates.keys()].join(", ");
      throw fault("template.not_found", {
        public: `No built-in template is called "${name}"; there is ${known}.`,
      });
    }
    return { template: toTemplate(found) };
  };
}
