import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type LabelSchema, LabelService } from "../../../gen/hermod/label/v1/label_service_pb.ts";
import { labelColors } from "../../intel/reports/labels/label-colors.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bytesOf } from "../../store/chunk-store.ts";
import type { LabelDocument } from "../../store/label-document.ts";
import { labelRevision } from "../../store/revisions.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createPreviewLabel } from "./preview-label.ts";
import { createReadLabel, unknownOwner } from "./read-label.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");

type Needs = Pick<Dependencies, "store" | "intel" | "clock" | "log">;

/** Labels of reports: name, color and logo of their issuer. */
export const labels: Area<Needs> = defineArea(LabelService, {
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
  listLabels: [
    READ,
    READS,
    (needs) =>
      async (request, { audit }) => {
        const { cursors } = needs.intel;
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const question = { list: "labels", workspaceId };
        const limit = pageSizeOf(request.pageSize);
        const after = cursors.read(question, request.pageToken)?.id;
        const found = await account.labels.list(workspaceId, { after, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id: id }) =>
          cursors.write(question, { rank: "", id }),
        );
        return { labels: entries.map(toLabel), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, label.unknown */
  getLabel: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const found = await account.labels.find(request.id);
        if (!found) throw fault("label.unknown");
        return { label: toLabel(found) };
      },
  ],
  /** @throws Fault account.unknown, workspace.unknown, client.unknown, request.validation_failed, resource.stale */
  putLabel: [
    WRITE,
    changes("label.put", "id"),
    ({ store }) => {
      const readLabel = createReadLabel();
      return async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, ifRevision } = request;
        const put = await account.labels.put(id, await readLabel(request.settings), audit, ifRevision);
        if (!put) throw unknownOwner(id);
        return { label: toLabel(put) };
      };
    },
  ],
  /** @throws Fault account.unknown, label.unknown, resource.stale */
  deleteLabel: [
    WRITE,
    changes("label.delete", "id"),
    ({ store }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, ifRevision } = request;
        if (!(await account.labels.remove(id, audit, ifRevision))) throw fault("label.unknown");
        return {};
      },
  ],
  /** @throws Fault account.unknown, label.unknown */
  getLabelLogo: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const found = await account.labels.find(request.id);
        if (!found?.logo) throw fault("label.unknown");
        return { content: bytesOf(found.logo.data) };
      },
  ],
  previewLabel: [READ, READS, createPreviewLabel],
});

export function toLabel(label: LabelDocument): MessageInitShape<typeof LabelSchema> {
  const { _id: id, workspaceId, scope, name, color, logo, createdAt, updatedAt } = label;
  return {
    id,
    workspaceId,
    scope,
    ...withoutUndefined({ name, color }),
    ...(logo && { logo: { width: logo.width, height: logo.height, sizeBytes: logo.sizeBytes } }),
    colors: { ...labelColors(color) },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    revision: labelRevision(label),
  };
}
