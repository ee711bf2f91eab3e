import { TemplateService } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { createGetBuiltInTemplate, createListBuiltInTemplates } from "./built-in-templates.ts";
import { createPutDataSet, createPutTestData } from "./data-sets.ts";
import {
  createCreateTemplate,
  createDeleteTemplate,
  createDiscardDraft,
  createDuplicateTemplate,
  createPublishDraft,
  createRestoreDraft,
  createRollBack,
  createSaveDraft,
} from "./edit-template.ts";
import { createListOverviews } from "./list-overviews.ts";
import { createGetDocument, createPreviewTemplate, createPreviewText } from "./preview-template.ts";
import { createListTemplates, createPutTemplate } from "./put-template.ts";
import { createSendTest } from "./send-test.ts";
import {
  createCompareVersions,
  createGetTemplate,
  createGetVersion,
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
export const templates: Area<Needs> = defineArea(TemplateService, {
  putTemplate: [OPERATOR_ONLY, changes("template.publish"), createPutTemplate],
  listTemplates: [OPERATOR_ONLY, READS, createListTemplates],
  listOverviews: [permitted("templates.read"), READS, createListOverviews],
  getTemplate: [permitted("templates.read"), READS, createGetTemplate],
  createTemplate: [permitted("templates.write"), changes("template.create"), createCreateTemplate],
  duplicateTemplate: [
    permitted("templates.write"),
    changes("template.duplicate", "name"),
    createDuplicateTemplate,
  ],
  saveDraft: [permitted("templates.write"), changes("template.save_draft"), createSaveDraft],
  discardDraft: [permitted("templates.write"), changes("template.discard_draft", "name"), createDiscardDraft],
  publishDraft: [permitted("templates.write"), changes("template.publish_draft", "name"), createPublishDraft],
  rollBack: [permitted("templates.write"), changes("template.roll_back", "name"), createRollBack],
  restoreDraft: [permitted("templates.write"), changes("template.restore_draft", "name"), createRestoreDraft],
  listVersions: [permitted("templates.read"), READS, createListVersions],
  getVersion: [permitted("templates.read"), READS, createGetVersion],
  compareVersions: [permitted("templates.read"), READS, createCompareVersions],
  putTestData: [permitted("templates.write"), changes("template.put_test_data", "name"), createPutTestData],
  putDataSet: [permitted("templates.write"), changes("template.put_data_set", "name"), createPutDataSet],
  previewTemplate: [permitted("templates.read"), READS, createPreviewTemplate],
  previewText: [permitted("templates.read"), READS, createPreviewText],
  getDocument: [permitted("templates.read"), READS, createGetDocument],
  // Also requires `email.send`, which its handler checks.
  sendTest: [
    permitted("templates.write"),
    changes("template.send_test", "name"),
    (needs) => createSendTest({ ...needs, contentRetentionMs: needs.retention.contentMs }),
  ],
  deleteTemplate: [permitted("templates.write"), changes("template.delete", "name"), createDeleteTemplate],
  listBuiltInTemplates: [permitted("templates.read"), READS, createListBuiltInTemplates],
  getBuiltInTemplate: [permitted("templates.read"), READS, createGetBuiltInTemplate],
});
