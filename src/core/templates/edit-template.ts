import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateTemplateRequest,
  DeleteTemplateRequest,
  DeleteTemplateResponseSchema,
  DiscardDraftRequest,
  DuplicateTemplateRequest,
  PublishDraftRequest,
  RestoreDraftRequest,
  RollBackRequest,
  SaveDraftRequest,
  TemplateDetailSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { inspectTemplate, type TemplateSource } from "../../message/template/template.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { TemplateEdit, TemplateState } from "../../store/template-store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { addNameFault, readDraft, toFieldFaults } from "./read-definition.ts";
import { findTemplate, requireRevision, toDetail, unknownTemplate, workingText } from "./template-state.ts";
import { versionUnknown } from "./template-text.ts";

export interface EditOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: Pick<AccountSettings, "forget">;
  readonly clock: Clock;
}

export type Context = Pick<HandlerContext, "audit">;
export interface Answer {
  readonly template: MessageInitShape<typeof TemplateDetailSchema>;
}

/** Stored fields of a draft with its author. */
function draftOf(draft: TemplateSource, at: Date, { audit }: Context) {
  return { draft, draftSavedAt: at, draftSavedBy: audit.actor };
}

/** Fields that a change does not affect. */
export function kept({ head }: TemplateState): TemplateEdit {
  const { draft, draftSavedAt, draftSavedBy, testData, dataSets } = head ?? {};
  return withoutUndefined({ draft, draftSavedAt, draftSavedBy, testData, dataSets });
}

const isThere = ({ published, head }: TemplateState) => published !== undefined || head !== undefined;

async function make(
  account: AccountStore,
  draft: TemplateSource,
  data: Pick<TemplateEdit, "testData" | "dataSets">,
  { at, context }: { readonly at: Date; readonly context: Context },
): Promise<Answer> {
  const created = await account.templates.edit(
    draft.name,
    (state) => {
      if (isThere(state))
        throw fault("template.exists", { public: say("template_already", { name: draft.name }) });
      return { ...draftOf(draft, at, context), ...data };
    },
    at,
    context.audit,
  );
  return { template: toDetail(created) };
}

export function createCreateTemplate({ store, clock }: EditOptions) {
  return async (request: CreateTemplateRequest, context: Context): Promise<Answer> => {
    const account = await resolveAccount(store, request);
    return make(account, readDraft(request.template), {}, { at: clock.now(), context });
  };
}

export function createDuplicateTemplate({ store, clock }: EditOptions) {
  return async (request: DuplicateTemplateRequest, context: Context): Promise<Answer> => {
    const { newName: name } = request;
    const { account, state } = await findTemplate(store, request);
    const faults = createFieldFaults();
    if (!isResourceName(name)) addNameFault("/new_name", faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    const text = workingText(state) ?? { name, subject: "", variables: [] };
    const { testData, dataSets } = kept(state);
    return make(account, { ...text, name }, { testData, dataSets }, { at: clock.now(), context });
  };
}

type Named = { readonly accountId: string; readonly name: string; readonly revision: string };

/** Changes an existing template that has the revision in the request. */
export function createChange({ store, settings, clock }: EditOptions) {
  return async (
    request: Named,
    decide: (state: TemplateState, at: Date) => TemplateEdit | undefined,
    { audit }: Context,
  ): Promise<Answer> => {
    const { account, state: before } = await findTemplate(store, request);
    const at = clock.now();
    const changed = await account.templates.edit(
      request.name,
      (state) => {
        if (!isThere(state)) throw unknownTemplate(request.name);
        requireRevision(state, request.revision);
        return decide(state, at);
      },
      at,
      audit,
    );
    // Drafts are saved often, and are not used for sending.
    if (changed.published?.version !== before.published?.version) settings.forget();
    return { template: toDetail(changed) };
  };
}

export function createSaveDraft(options: EditOptions) {
  const change = createChange(options);
  return async ({ accountId, revision, template }: SaveDraftRequest, context: Context): Promise<Answer> => {
    const draft = readDraft(template);
    const request = { accountId, revision, name: draft.name };
    return change(request, (state, at) => ({ ...kept(state), ...draftOf(draft, at, context) }), context);
  };
}

/** Fields that are removed together with a draft. */
const NO_DRAFT = { draft: undefined, draftSavedAt: undefined, draftSavedBy: undefined };

export function createDiscardDraft(options: EditOptions) {
  const change = createChange(options);
  return (request: DiscardDraftRequest, context: Context): Promise<Answer> =>
    change(
      request,
      (state) => {
        if (!state.head?.draft) throw fault("template.draft_missing");
        return withoutUndefined({ ...kept(state), ...NO_DRAFT });
      },
      context,
    );
}

export function createPublishDraft(options: EditOptions) {
  const change = createChange(options);
  return (request: PublishDraftRequest, context: Context): Promise<Answer> =>
    change(
      request,
      (state) => {
        const definition = state.head?.draft;
        if (!definition) throw fault("template.draft_missing");
        const { faults } = inspectTemplate(definition);
        if (faults.length > 0) throw validationFault(toFieldFaults(faults));
        return { ...withoutUndefined({ ...kept(state), ...NO_DRAFT }), publish: { definition } };
      },
      context,
    );
}

/** @throws Fault template.not_found, template.version_not_found */
async function findEarlier(
  store: EditOptions["store"],
  request: Pick<RollBackRequest, "accountId" | "name" | "version">,
) {
  const { name, version } = request;
  const { account } = await findTemplate(store, request);
  const earlier = await account.templates.findVersion(name, version);
  if (!earlier) throw versionUnknown(say("no_version", { name, version: String(version) }));
  return earlier;
}

/** Turns the text of a version into the draft. A version from an earlier release may have errors, as any draft may. */
export function createRestoreDraft(options: EditOptions) {
  const change = createChange(options);
  return async (request: RestoreDraftRequest, context: Context): Promise<Answer> => {
    const { definition } = await findEarlier(options.store, request);
    return change(request, (state, at) => ({ ...kept(state), ...draftOf(definition, at, context) }), context);
  };
}

export function createRollBack(options: EditOptions) {
  const change = createChange(options);
  return async (request: RollBackRequest, context: Context): Promise<Answer> => {
    const { definition, version: restores } = await findEarlier(options.store, request);
    // A version from an earlier release may be invalid by the rules of this one.
    const { faults } = inspectTemplate(definition);
    if (faults.length > 0) throw validationFault(toFieldFaults(faults));
    return change(
      request,
      // It is the published version: nothing changes.
      (state) =>
        state.published?.version === restores
          ? undefined
          : { ...kept(state), publish: { definition, restores } },
      context,
    );
  };
}

export function createDeleteTemplate({ store, settings }: EditOptions) {
  return async (
    request: DeleteTemplateRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof DeleteTemplateResponseSchema>> => {
    const { account } = await findTemplate(store, request);
    const removal = createRemoval({ kind: "template", name: request.name }, request);
    const { name, ifRevision } = request;
    const isRemoved = await account.templates.remove(name, audit, removal.check, ifRevision);
    if (!isRemoved) throw unknownTemplate(name);
    settings.forget();
    return removal.answer();
  };
}
