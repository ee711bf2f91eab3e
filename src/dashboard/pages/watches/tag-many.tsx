import { SegmentedControl, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { type ListedWatch, replaceWatch } from "../../api/watches.ts";
import { t } from "../../texts/texts.ts";
import { settingsOf } from "./content.ts";
import { EachDialog } from "./each-dialog.tsx";

interface TagManyProps {
  readonly watches: readonly ListedWatch[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const ways = ["add", "remove"] as const;
type Way = (typeof ways)[number];

/** Adds a tag to the selected domains, or removes it. */
export function TagMany({ watches, onDone, onClose }: TagManyProps) {
  const [way, setWay] = useState<Way>("add");
  const [tag, setTag] = useState("");
  const word = tag.trim();
  const change = (watch: ListedWatch) => {
    const others = watch.tags.filter((one) => one !== word);
    const tags = way === "add" ? [...others, word] : others;
    return replaceWatch(watch.id, watch.revision, { ...settingsOf(watch), tags });
  };
  return (
    <EachDialog
      title={t.watches.bulk.tag}
      detail={t.watches.tagDetail}
      action={t.watches.tagActions[way]}
      watches={watches}
      change={change}
      onDone={() => {
        notifications.show({ message: t.watches.tagged(watches.length), role: "status" });
        onDone();
      }}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t.watches.bulk.tag}
        data={ways.map((value) => ({ value, label: t.watches.tagActions[value] }))}
        value={way}
        onChange={(value) => setWay(value as Way)}
      />
      <TextInput
        label={t.watches.tag}
        maxLength={64}
        required
        data-autofocus
        autoComplete="off"
        value={tag}
        onChange={({ currentTarget: { value } }) => setTag(value)}
      />
    </EachDialog>
  );
}
