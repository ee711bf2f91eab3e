import { useQueryClient } from "@tanstack/react-query";
import { rotateTargetSecret, type Target } from "../../api/targets.ts";
import { SigningSecrets } from "../../parts/signing-secrets.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** The secrets that sign notices to a webhook, and their rotation. */
export function Secrets({ target: { id, secrets } }: { readonly target: Target }) {
  const may = useMay();
  const queryClient = useQueryClient();
  return (
    <SigningSecrets
      title={t.webhooks.secrets}
      secrets={secrets}
      mayRotate={may("alerts.write")}
      rotate={async (overlapSeconds) => (await rotateTargetSecret(id, overlapSeconds)).secret}
      onRotated={() => void queryClient.invalidateQueries({ queryKey: ["alert-targets"] })}
      rotatedTitle={t.targets.rotated}
    />
  );
}
