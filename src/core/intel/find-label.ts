import { bytesOf } from "../../store/chunk-store.ts";
import type { AccountStore } from "../../store/store.ts";
import type { ReportWish } from "./read-report-request.ts";
import type { ReportScope } from "./report-inputs.ts";

/** Label of a report, as it is printed. */
export interface ReportLabel {
  readonly name?: string;
  readonly color?: string;
  /** PNG. */
  readonly logo?: Uint8Array;
}

/**
 * Label of a report: the branding of its request; without it, the label of the client; without that, the label of the
 * workspace. It is one of them as a whole, so that no report shows the name of one issuer and the logo of another.
 */
export async function findLabel(
  account: Pick<AccountStore, "labels">,
  { wish, scope }: { readonly wish: Pick<ReportWish, "branding">; readonly scope: ReportScope },
): Promise<ReportLabel> {
  const { branding } = wish;
  if (branding.name !== undefined || branding.color !== undefined) return branding;
  const ids = [scope.client?._id, scope.domains[0]?.workspaceId].flatMap((id) => id ?? []);
  const found = await account.labels.findAll(ids);
  const label = ids.flatMap((id) => found.find(({ _id }) => _id === id) ?? [])[0];
  if (!label) return {};
  const { name, color, logo } = label;
  return {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color }),
    ...(logo && { logo: new Uint8Array(bytesOf(logo.data)) }),
  };
}
