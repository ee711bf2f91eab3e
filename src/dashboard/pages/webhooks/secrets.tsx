import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RevealedWebhook, Webhook } from "../../api/webhooks.ts";
import { Answer } from "../../parts/answer.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { timeText } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { RotateSecret } from "./rotate-secret.tsx";

/** The secrets that sign, without their values, and the rotation. Public keys are shown. */
export function Secrets({ webhook }: { readonly webhook: Webhook }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [isRotating, setRotating] = useState(false);
  const [revealed, setRevealed] = useState<string>();
  const now = new Date();
  const { secrets } = webhook;
  const former = secrets.find(({ expires_at }) => expires_at !== undefined)?.expires_at;

  function onRotated({ secret, secrets: [current] }: RevealedWebhook): void {
    setRotating(false);
    // A public key is in the list below.
    if (current?.algorithm !== "ed25519") setRevealed(secret);
    void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  }

  return (
    <>
      <RowCard
        title={secrets[0]?.algorithm === "ed25519" ? t.webhooks.keys : t.webhooks.secrets}
        action={
          may("webhooks.write") && (
            <Button variant="default" onClick={() => setRotating(true)}>
              {t.webhooks.rotate}
            </Button>
          )
        }
      >
        <ul className="entries">
          {secrets.map(({ algorithm, public_key, created_at, expires_at }) => (
            <Row
              key={created_at}
              title={
                expires_at === undefined
                  ? t.webhooks.secretCurrent
                  : t.webhooks.secretFormer(timeText(expires_at, now, true))
              }
              detail={[
                t.webhooks.algorithms[algorithm] ?? algorithm,
                t.webhooks.secretCreated(timeText(created_at, now, true)),
              ].join(". ")}
            >
              {public_key && <CopyField label={t.webhooks.publicKey} value={public_key} />}
            </Row>
          ))}
        </ul>
        {former !== undefined && (
          <div className="body">
            <Answer tone="warn">
              <p>{t.webhooks.formerHint(timeText(former, now, true))}</p>
            </Answer>
          </div>
        )}
      </RowCard>
      {isRotating && (
        <RotateSecret webhook={webhook} onRotated={onRotated} onClose={() => setRotating(false)} />
      )}
      {revealed !== undefined && (
        <SecretOnce
          title={t.webhooks.rotated}
          secrets={[{ label: t.webhooks.secret, value: revealed }]}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
