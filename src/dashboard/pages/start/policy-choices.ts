import { t } from "../../texts/texts.ts";

interface Policy {
  readonly name: string;
  readonly default: boolean;
  readonly transports: readonly { readonly sandbox?: object | undefined }[];
}

/** Routing policies to choose from, the account's default first, with the destination of their mail. */
export function policyChoices(
  policies: readonly Policy[],
): { readonly value: string; readonly label: string }[] {
  const first = policies.toSorted((a, b) => Number(b.default) - Number(a.default));
  return first.map((policy) => ({
    value: policy.name,
    label: captures(policy)
      ? t.start.captures(policy.name, policy.default)
      : t.start.sends(policy.name, policy.default),
  }));
}

const captures = ({ transports }: Policy) => transports.some(({ sandbox }) => sandbox !== undefined);
