import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CompareVersionsRequest,
  CompareVersionsResponseSchema,
  GetTemplateRequest,
  GetTemplateResponseSchema,
  GetVersionRequest,
  GetVersionResponseSchema,
  ListVersionsRequest,
  ListVersionsResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { compareTemplates } from "../../message/template/compare-templates.ts";
import { say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf, versionIn } from "../page.ts";
import { toStoredTemplate, toTemplateVersion } from "../to-proto.ts";
import { findTemplate, toDetail } from "./template-state.ts";
import { findText, versionUnknown } from "./template-text.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

export function createGetTemplate({ store }: Needs) {
  return async (request: GetTemplateRequest): Promise<MessageInitShape<typeof GetTemplateResponseSchema>> => {
    const { state } = await findTemplate(store, request);
    return { template: toDetail(state) };
  };
}

export function createListVersions({ store }: Needs) {
  return async (
    request: ListVersionsRequest,
  ): Promise<MessageInitShape<typeof ListVersionsResponseSchema>> => {
    const { account } = await findTemplate(store, request);
    const limit = pageSizeOf(request.pageSize);
    const before = pageStartOf(request.pageToken, versionIn);
    const found = await account.templates.listVersions(request.name, { before, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ version }) => String(version));
    return { versions: entries.map(toTemplateVersion), nextPageToken };
  };
}

export function createGetVersion({ store }: Needs) {
  return async (request: GetVersionRequest): Promise<MessageInitShape<typeof GetVersionResponseSchema>> => {
    const { account, state } = await findTemplate(store, request);
    const { name, version } = request;
    const number = versionIn(version);
    const found = number ? await account.templates.findVersion(name, number) : state.published;
    if (!found || (version !== "" && number === undefined)) {
      throw versionUnknown(
        version === "" ? say("no_published_version", { name }) : say("no_version", { name, version }),
      );
    }
    return { template: toStoredTemplate(found) };
  };
}

export function createCompareVersions({ store }: Needs) {
  return async (
    request: CompareVersionsRequest,
  ): Promise<MessageInitShape<typeof CompareVersionsResponseSchema>> => {
    const found = await findTemplate(store, request);
    const before = await findText(found, request.name, request.before, "/before");
    const after = await findText(found, request.name, request.after, "/after");
    const fields = compareTemplates(before.definition, after.definition);
    return {
      fields: fields.map(({ hunks, ...field }) => ({
        ...field,
        hunks: hunks.map(({ lines, ...position }) => ({ ...position, lines: [...lines] })),
      })),
    };
  };
}
