import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type label, labels } from "../../../contracts/dashboard/labels.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";
import { Problem } from "./problem.ts";

const client = clientOf(labels);

export type Label = z.output<typeof label>;
export type LabelSettings = NonNullable<Parameters<typeof client.previewLabel>[0]["body"]>;

/** Labels of a workspace and its clients. */
export const labelsQuery = (workspace_id: string | undefined) =>
  listQuery(["intel", "labels", workspace_id], 50, ({ query, fetchOptions }) =>
    call(() =>
      client.listLabels({ query: { ...query, ...(workspace_id && { workspace_id }) }, fetchOptions }),
    ),
  );

/** The label of a workspace or client; null if it has none. */
export const labelQuery = (label_id: string) =>
  queryOptions({
    queryKey: ["intel", "label", label_id],
    queryFn: async ({ signal }): Promise<Label | null> => {
      const find = () => client.getLabel({ params: { label_id }, fetchOptions: { signal } });
      return call(find).catch((error: unknown) => {
        if (error instanceof Problem && error.code === "label.unknown") return null;
        throw error;
      });
    },
  });

/** Address of the logo of a label. A changed label has another address, because browsers keep images. */
export const logoAddress = ({ id, revision }: Pick<Label, "id" | "revision">) =>
  `${home}/api/intel/labels/${encodeURIComponent(id)}/logo?${encodeURIComponent(revision)}`;

/** @param if_revision `none` for a new one */
export const putLabel = (label_id: string, if_revision: string, settings: LabelSettings) =>
  call(() => client.putLabel({ params: { label_id }, body: { ...settings, if_revision } }));

export const deleteLabel = (label_id: string, if_revision: string) =>
  call(() => client.deleteLabel({ params: { label_id }, query: { if_revision } }));

/** An example report with a label that is not stored. */
export const previewLabel = (label_id: string, settings: LabelSettings) =>
  call(() => client.previewLabel({ params: { label_id }, body: settings }));
