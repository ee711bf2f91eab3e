import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  builtInTemplate,
  difference,
  overview,
  template,
  textPreview,
  version,
} from "../../../contracts/common/template-schemas.ts";
import { templates } from "../../../contracts/dashboard/templates.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery, type PageOptions, pageOf } from "./pages.ts";

const client = clientOf(templates);

export type ListedTemplate = z.output<typeof overview>;
export type Template = z.output<typeof template>;
export type TemplateVersion = z.output<typeof version>;
export type TemplateFault = Template["faults"][number];
export type FieldDifference = z.output<typeof difference>["fields"][number];
export type BuiltInTemplate = z.output<typeof builtInTemplate>;
export type TextPreview = z.output<typeof textPreview>;
export type PreviewBody = NonNullable<NonNullable<Parameters<typeof client.previewText>[0]>["body"]>;
export type TextBody = Omit<PreviewBody, "data">;
export type TestBody = Parameters<typeof client.sendTest>[0]["body"];
export type Data = Readonly<Record<string, unknown>>;

/** Filters of the list, as in the address. */
export interface TemplateFilter {
  readonly search?: string;
  readonly state?: "published" | "draft" | "unpublished";
}

/** One page of the templates that match a filter, by name. */
export const loadTemplates = (filter: TemplateFilter, cursor: string, { limit, signal }: PageOptions) =>
  call(() =>
    client.listTemplates({
      query: { ...pageOf(cursor, limit), ...filter },
      ...(signal && { fetchOptions: { signal } }),
    }),
  );

type TemplatePage = Awaited<ReturnType<typeof loadTemplates>>;

/** Templates that match a filter, by name. */
export const templatesBy = (filter: TemplateFilter) =>
  listQuery(["templates", "list", filter], 100, ({ query, fetchOptions }) =>
    call(() => client.listTemplates({ query: { ...query, ...filter }, fetchOptions })),
  );

/** A template with its draft or, without one, its published text. */
export const templateQuery = (name: string) =>
  queryOptions({
    queryKey: ["templates", "one", name],
    queryFn: ({ signal }) =>
      call(() => client.getTemplate({ params: { template: name }, fetchOptions: { signal } })),
  });

/** The uses of a template, which only the list has; null if the list does not have the template. */
export const templateUseQuery = (name: string) =>
  queryOptions({
    queryKey: ["templates", "use", name],
    queryFn: async ({ signal }): Promise<ListedTemplate | null> => {
      let cursor: string | undefined = "";
      while (cursor !== undefined) {
        const options = { limit: 100, signal };
        const page: TemplatePage = await loadTemplates({ search: name }, cursor, options);
        const found = page.data.find((one) => one.name === name);
        if (found) return found;
        cursor = page.next_cursor;
      }
      return null;
    },
  });

/** Published versions of a template, newest first. */
export const versionsQuery = (name: string) =>
  listQuery(["templates", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listVersions({ params: { template: name }, query, fetchOptions })),
  );

/** The differing fields of two texts, each a version number, `draft` or `published`. */
export const differenceQuery = (name: string, before: string, after: string) =>
  queryOptions({
    queryKey: ["templates", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareVersions({
          params: { template: name },
          query: { before, after },
          fetchOptions: { signal },
        }),
      ),
  });

/** A stored version, filled in with the test data. */
export const versionPreviewQuery = (name: string, of: string) =>
  queryOptions({
    queryKey: ["templates", "preview", name, of],
    queryFn: ({ signal }) =>
      call(() =>
        client.previewTemplate({
          params: { template: name },
          body: { version: of },
          fetchOptions: { signal },
        }),
      ),
  });

/** Address of the HTML of a stored version as an isolated document, filled in with the test data. */
export const documentAddress = (name: string, of: string) =>
  `${home}/api/templates/${encodeURIComponent(name)}/document?version=${encodeURIComponent(of)}`;

/**
 * A text that is not stored, filled in with data. While the next text is rendered, the result of the former one stays. A new
 * text cancels the request of the former one.
 */
export const textPreviewQuery = (body: PreviewBody) =>
  queryOptions({
    queryKey: ["template-preview", body],
    queryFn: ({ signal }) => call(() => client.previewText({ body, fetchOptions: { signal } })),
    placeholderData: keepPreviousData,
    // A text can have megabytes, and each keystroke changes it.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

/** Templates that are part of Hermod, without their bodies. */
export const builtInTemplatesQuery = queryOptions({
  queryKey: ["built-in-templates"],
  queryFn: ({ signal }) => call(() => client.listBuiltInTemplates({ fetchOptions: { signal } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A template that is part of Hermod, with example data. */
export const builtInTemplateQuery = (name: string) =>
  queryOptions({
    queryKey: ["built-in-templates", name],
    queryFn: ({ signal }) =>
      call(() => client.getBuiltInTemplate({ params: { template: name }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

const paramsOf = (name: string) => ({ params: { template: name } });

export const createTemplate = (name: string, text: TextBody) =>
  call(() => client.createTemplate({ body: { ...text, name } }));
export const saveDraft = (name: string, revision: string, text: TextBody) =>
  call(() => client.saveDraft({ ...paramsOf(name), body: { ...text, revision } }));
export const discardDraft = (name: string, revision: string) =>
  call(() => client.discardDraft({ ...paramsOf(name), body: { revision } }));
export const publishDraft = (name: string, revision: string) =>
  call(() => client.publishDraft({ ...paramsOf(name), body: { revision } }));
export const rollBack = (name: string, revision: string, to: number) =>
  call(() => client.rollBack({ ...paramsOf(name), body: { revision, version: to } }));
export const restoreDraft = (name: string, revision: string, from: number) =>
  call(() => client.restoreDraft({ ...paramsOf(name), body: { revision, version: from } }));
export const duplicateTemplate = (name: string, new_name: string) =>
  call(() => client.duplicateTemplate({ ...paramsOf(name), body: { new_name } }));
export const deleteTemplate = (name: string, revision: string, isForced: boolean) =>
  call(() =>
    client.deleteTemplate({
      ...paramsOf(name),
      query: { if_revision: revision, ...(isForced && { force: "true" as const }) },
    }),
  );

/** Name of the test data among the data sets. */
export const DEFAULT_SET = "default";

/** Stores a data set, or removes it. @param data undefined: removes it */
export const putDataSet = (name: string, revision: string, data_set: string, data: Data | undefined) =>
  data_set === DEFAULT_SET
    ? call(() => client.putTestData({ ...paramsOf(name), body: { revision, ...(data && { data }) } }))
    : call(() =>
        client.putDataSet({ ...paramsOf(name), body: { revision, data_set, ...(data && { data }) } }),
      );

export const sendTest = (name: string, body: TestBody) =>
  call(() => client.sendTest({ ...paramsOf(name), body }));
