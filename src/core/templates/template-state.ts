import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  TemplateDetailSchema,
  TemplateOverviewSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { inspectTemplate, type TemplateSource } from "../../message/template/template.ts";
import { fault, MAX_FIELD_FAULTS } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import {
  type TemplateHeadFacts,
  type TemplateState,
  type TemplateVersionFacts,
  templateRevision,
} from "../../store/template-store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toTemplate } from "../to-proto.ts";

export interface FoundTemplate {
  readonly account: AccountStore;
  readonly state: TemplateState;
}

/** @throws Fault account.unknown, template.not_found */
export async function findTemplate(
  store: Pick<Store, "accounts" | "forAccount">,
  request: { readonly accountId: string; readonly name: string },
): Promise<FoundTemplate> {
  const account = await resolveAccount(store, request);
  const state = isResourceName(request.name) ? await account.templates.find(request.name) : undefined;
  if (!state) throw unknownTemplate(request.name);
  return { account, state };
}

export function unknownTemplate(name: string) {
  return fault("template.not_found", { public: say("no_template", { name }) });
}

type Facts = TemplateState<TemplateVersionFacts, TemplateHeadFacts>;

/** @throws Fault template.stale if a change is based on another revision than the present one */
export function requireRevision(state: Facts, revision: string): void {
  const present = templateRevision(state);
  if (present !== revision) throw fault("template.stale", { revision: present });
}

/** The text in progress: the draft, or the published version if there is no draft. */
export function workingText({ published, head }: TemplateState): TemplateSource | undefined {
  return head?.draft ?? published?.definition;
}

export function toOverview(state: Facts) {
  const { published, head } = state;
  return {
    name: head?.name ?? published?.name ?? "",
    revision: templateRevision(state),
    publishedVersion: published?.version ?? 0,
    ...(published && { publishedAt: timestampFromDate(published.createdAt) }),
    publishedBy: published?.createdBy?.name ?? "",
    ...(head?.draftSavedAt && { draftSavedAt: timestampFromDate(head.draftSavedAt) }),
    draftSavedBy: head?.draftSavedBy?.name ?? "",
  } satisfies MessageInitShape<typeof TemplateOverviewSchema>;
}

export function toDetail(state: TemplateState): MessageInitShape<typeof TemplateDetailSchema> {
  const text = workingText(state) ?? { name: toOverview(state).name, subject: "", variables: [] };
  const { faults, undeclared, unused } = inspectTemplate(text);
  return {
    overview: toOverview(state),
    template: toTemplate(text),
    faults: faults.slice(0, MAX_FIELD_FAULTS).map((one) => ({ ...one, message: one.message.text })),
    undeclaredVariables: [...undeclared],
    unusedVariables: [...unused],
    testDataJson: state.head?.testData ?? "",
    dataSets: (state.head?.dataSets ?? []).map(({ name, data }) => ({ name, dataJson: data })),
  };
}
