import { Button, Select } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { type Data, DEFAULT_SET, putDataSet } from "../../api/templates.ts";
import { LazyCodeEditor } from "../../parts/lazy-code-editor.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import type { Draft } from "./use-draft.ts";
import { useTemplateChange } from "./use-template-change.ts";
import type { TestData } from "./use-test-data.ts";

const NameSet = lazy(async () => ({ default: (await import("./name-set.tsx")).NameSet }));
const RemoveSet = lazy(async () => ({ default: (await import("./remove-set.tsx")).RemoveSet }));

/** The default one, and ten others. */
const MAX_SETS = 11;

interface DataCardProps {
  readonly draft: Draft;
  readonly data: TestData;
}

interface Sent {
  readonly set: string;
  readonly values: Data;
}

/** The test data as JSON, and the stored data sets. */
export function DataCard({ draft, data }: DataCardProps) {
  const { base } = draft;
  const { names, selected, json, fault } = data;
  const may = useMay();
  const [open, setOpen] = useState<"add" | "rename" | "remove">();
  const close = () => setOpen(undefined);
  const save = useTemplateChange<Sent>({
    draft,
    change: ({ set, values }) => putDataSet(base.name, base.revision, set, values),
    take: (stored, { set }) => {
      draft.rebase(stored);
      data.settle(set);
    },
  });
  return (
    <section className="card" aria-labelledby="data">
      <header>
        <div>
          <h2 id="data">{t.templates.data}</h2>
          <p className="muted">{t.templates.dataDetail}</p>
        </div>
      </header>
      <div className="body stack">
        <div className="row bottom-aligned">
          <Select
            label={t.templates.dataSet}
            data={names.map((value) => ({ value, label: labelOf(value) }))}
            allowDeselect={false}
            value={selected}
            onChange={(name) => name && data.select(name)}
          />
          {may("templates.write") && (
            <>
              <Button
                variant="default"
                disabled={names.length >= MAX_SETS || fault !== undefined}
                onClick={() => setOpen("add")}
              >
                {t.templates.addSet}
              </Button>
              {selected !== DEFAULT_SET && (
                <Button variant="default" disabled={fault !== undefined} onClick={() => setOpen("rename")}>
                  {t.templates.renameSet}
                </Button>
              )}
              {(selected !== DEFAULT_SET || base.test_data !== undefined) && (
                <Button variant="default" onClick={() => setOpen("remove")}>
                  {t.templates.removeSet}
                </Button>
              )}
            </>
          )}
        </div>
        {names.length >= MAX_SETS && <p className="faint tight">{t.templates.setsFull}</p>}
        <LazyCodeEditor
          key={selected}
          label={t.templates.data}
          language="json"
          value={json}
          onChange={data.edit}
        />
        {fault !== undefined && <p className="muted tight">{t.templates.dataInvalid(fault)}</p>}
        {may("templates.write") && (
          <div className="row end">
            <Button
              variant="default"
              disabled={!data.isSelectedDirty || fault !== undefined}
              loading={save.isPending}
              onClick={() => save.mutate({ set: selected, values: data.data }, { onError: notifyProblem })}
            >
              {t.templates.saveData}
            </Button>
          </div>
        )}
      </div>
      <Suspense>
        {(open === "add" || open === "rename") && (
          <NameSet draft={draft} data={data} isNew={open === "add"} onClose={close} />
        )}
        {open === "remove" && <RemoveSet draft={draft} data={data} onClose={close} />}
      </Suspense>
    </section>
  );
}

const labelOf = (name: string) => (name === DEFAULT_SET ? t.templates.defaultSet : name);
