import { useInfiniteQuery } from "@tanstack/react-query";
import { keysQuery } from "../../api/keys.ts";
import { PickField } from "../../parts/pick-field.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

interface KeyPickProps {
  /** Id of a key. */
  readonly value: string | undefined;
  readonly onPick: (keyId: string | undefined) => void;
}

/** Filter by one of the account's keys. It offers the first 100 keys. The page of any key links here too. */
export function KeyPick({ value, onPick }: KeyPickProps) {
  const may = useMay();
  const { data } = useInfiniteQuery({ ...keysQuery(), enabled: may("keys.read") });
  const keys = data?.pages.flatMap((page) => page.data) ?? [];
  const options = Object.fromEntries([
    ...(value === undefined ? [] : [[value, value]]),
    ...keys.map(({ id, name, prefix }) => [id, name || prefix]),
  ]) as Record<string, string>;
  return <PickField label={t.requests.key} options={options} value={value} onPick={onPick} />;
}
