import type { NewTarget, Target, TargetReplacement } from "../../api/targets.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { type HeaderValue, sentHeaders, storedHeaders } from "../../parts/header-values.ts";

/** The settings of a target in the form. */
export interface TargetContent {
  readonly kind: Target["kind"];
  readonly name: string;
  readonly description?: string | undefined;
  /** Missing: the stored URL stays. */
  readonly url?: string | undefined;
  readonly headers: readonly HeaderValue[];
  /** Missing: the default. */
  readonly rate_per_second?: number | undefined;
}

export const targetKinds: readonly Target["kind"][] = ["slack", "teams", "webhook"];

/** The settings of a new target, before the user changes them. */
export const blank: TargetContent = { kind: "slack", name: "", headers: [] };

/** Requests per second: the default, and the largest number. */
export const rates = {
  slack: { usual: 1, most: 1 },
  teams: { usual: 1, most: 4 },
  webhook: { usual: 10, most: 100 },
} as const;

/** The settings of a stored target. Its URL and the values of its headers are not known. */
export const contentOf = ({ kind, name, description, headers, rate_per_second }: Target): TargetContent =>
  targetFormat.tidy({ kind, name, description, headers: storedHeaders(headers), rate_per_second });

/** The settings as a request sends them. */
export function sentOf({ kind: _, headers, url, ...settings }: TargetContent): TargetReplacement {
  const trimmed = url?.trim();
  return plain({ ...settings, headers: sentHeaders(headers), ...(trimmed && { url: trimmed }) });
}

export const newTargetOf = (content: TargetContent): NewTarget => ({
  ...sentOf(content),
  kind: content.kind,
  url: content.url?.trim() ?? "",
});

export const targetFormat: DraftFormat<TargetContent> = {
  // An empty field has its default.
  tidy: ({ description, url, rate_per_second, ...rest }) =>
    plain({
      ...rest,
      description: description || undefined,
      url: url || undefined,
      rate_per_second,
    }),
};

/** Fields with secrets, which a comparison does not show. */
export const isSecretField = (field: string): boolean =>
  field === "url" || /^headers\.\d+\.value$/.test(field);
