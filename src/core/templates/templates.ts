import { TemplateService } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { builtInTemplate } from "../../alerts/built-in-template.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
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
  listVersions: [permitted("templates.read"), READS, createListVersions],
  getVersion: [permitted("templates.read"), READS, createGetVersion],
  compareVersions: [permitted("templates.read"), READS, createCompareVersions],
  putTestData: [permitted("templates.write"), changes("template.put_test_data", "name"), createPutTestData],
  previewTemplate: [permitted("templates.read"), READS, createPreviewTemplate],
  // Also requires `email.send`, which its handler checks.
  sendTest: [
    permitted("templates.write"),
    changes("template.send_test", "name"),
    (needs) => createSendTest({ ...needs, contentRetentionMs: needs.retention.contentMs }),
  ],
  deleteTemplate: [permitted("templates.write"), changes("template.delete", "name"), createDeleteTemplate],
  /** @throws Fault template.not_found */
  getBuiltInTemplate: [
    permitted("templates.read"),
    READS,
    () =>
      async ({ name }) => {
        const found = builtInTemplates.get(name);
        if (!found) {
          const allowed = [...builtInTemplates.keys()];
          throw fault("template.not_found", {
            public: say("no_built_in_template", { name, allowed }),
          });
        }
        return { template: toTemplate(found) };
      },
  ],
});

/** Built-in templates that an account can copy, by name; a rule uses the copy. */
const builtInTemplates = new Map([[builtInTemplate.name, builtInTemplate]]);
