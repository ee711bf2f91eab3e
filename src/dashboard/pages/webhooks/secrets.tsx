import { useQueryClient } from "@tanstack/react-query";
import { rotateWebhookSecret, type Webhook } from "../../api/webhooks.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { SigningSecrets } from "../../parts/signing-secrets.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** The secrets that sign, without their values, and the rotation. Public keys are shown. */
export function Secrets({ webhook: { id, secrets } }: { readonly webhook: Webhook }) {
  const may = useMay();
  const queryClient = useQueryClient();

  async function rotate(overlapSeconds: number): Promise<string | undefined> {
    const {
      secret,
      secrets: [current],
    } = await rotateWebhookSecret(id, overlapSeconds);
    // A public key is in the list below.
    return current?.algorithm === "ed25519" ? undefined : secret;
  }

  return (
    <SigningSecrets
      title={secrets[0]?.algorithm === "ed25519" ? t.webhooks.keys : t.webhooks.secrets}
      secrets={secrets}
      mayRotate={may("webhooks.write")}
      rotate={rotate}
      onRotated={() => void queryClient.invalidateQueries({ queryKey: ["webhooks"] })}
      rotatedTitle={t.webhooks.rotated}
      detailOf={({ algorithm }) => t.webhooks.algorithms[algorithm] ?? algorithm}
    >
      {({ public_key }) => public_key && <CopyField label={t.webhooks.publicKey} value={public_key} />}
    </SigningSecrets>
  );
}
