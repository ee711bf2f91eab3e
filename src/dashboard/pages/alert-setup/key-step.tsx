import { Button, Checkbox } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createKey, offeredKeysQuery } from "../../api/keys.ts";
import { Answer } from "../../parts/answer.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { FoundKey } from "../keys/found-key.tsx";
import type { AlertSource } from "./sources.ts";

interface KeyStepProps {
  readonly source: AlertSource;
  /** Id of the key of the source. */
  readonly keyId: string | undefined;
  /** Undefined: the key was not created on this page. */
  readonly secret: string | undefined;
  readonly isStored: boolean;
  readonly onStored: (isStored: boolean) => void;
  readonly onPick: (keyId: string | undefined) => void;
  readonly onCreated: (keyId: string, secret: string) => void;
}

/** The key with which a source authenticates: a new one with its secret, which is shown once, or an existing one. */
export function KeyStep(props: KeyStepProps) {
  const { source, keyId, secret, isStored, onStored, onPick, onCreated } = props;
  const may = useMay();
  const queryClient = useQueryClient();
  // They complete the choice: a key can be created without them.
  const keys = useQuery({ ...offeredKeysQuery("", "alerts"), enabled: may("keys.read") });
  const create = useMutation({
    // The cache of changes does not get the secret.
    mutationFn: async () => {
      const { key, secret: value } = await createKey({
        name: source,
        kind: "account",
        scope_mode: "alerts_only",
      });
      onCreated(key.id, value);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["keys"] }),
  });
  return (
    <section className="card" aria-labelledby="key">
      <header>
        <h2 id="key">{t.alertSetup.key}</h2>
      </header>
      <div className="body stack">
        <p className="muted tight">{t.alertSetup.keyDetail}</p>
        {may("keys.write") ? (
          <div className="row">
            <Button
              variant={keyId === undefined ? "filled" : "default"}
              loading={create.isPending}
              onClick={() => create.mutate()}
            >
              {t.alertSetup.createKey}
            </Button>
          </div>
        ) : (
          <p className="muted tight">{t.alertSetup.mayNotCreate}</p>
        )}
        <FormFault error={create.error} />
        {secret !== undefined && (
          <Answer tone="warn" role="alert">
            <div className="stack small-gap">
              <p>{t.alertSetup.shownOnce}</p>
              <CopyField label={t.keys.apiKey} value={secret} />
              <Checkbox
                label={t.secret.stored}
                checked={isStored}
                onChange={({ currentTarget: { checked } }) => onStored(checked)}
              />
            </div>
          </Answer>
        )}
        {/* Last: it appears when the keys are loaded, and must not move the button under the pointer. */}
        {keys.data && keys.data.rows.length > 0 && (
          <FoundKey
            label={t.alertSetup.pick}
            description={t.alertSetup.pickDetail}
            placeholder={t.alertSetup.noKey}
            use="alerts"
            value={keyId}
            onPick={onPick}
          />
        )}
      </div>
    </section>
  );
}
