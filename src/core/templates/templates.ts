import { TemplateService } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
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
  }),
});
