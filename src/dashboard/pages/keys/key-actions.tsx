import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isValid, type Key, revokeKey } from "../../api/keys.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ChangeAccess } from "./change-access.tsx";
import { nameOf } from "./name-of.ts";
import { RenameKey } from "./rename-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { type Revealed, secretsOf } from "./secrets-of.ts";

/** Actions on a key that is still valid. */
export function KeyActions({ shown }: { readonly shown: Key }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<"change" | "rename" | "rotate" | "revoke">();
  const [revealed, setRevealed] = useState<Revealed>();
  const close = () => setAsked(undefined);
  const revoke = useMutation({
    mutationFn: () => revokeKey(shown.id),
    onSuccess: () => {
      close();
      return queryClient.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  if (!may("keys.write")) return null;

  return (
    <>
      {isValid(shown) && (
        <>
          <Button variant="default" onClick={() => setAsked("change")}>
            {t.keys.change}
          </Button>
          {shown.state !== "replaced" && (
            <Button variant="default" onClick={() => setAsked("rotate")}>
              {t.keys.rotate}
            </Button>
          )}
          <Button variant="default" onClick={() => setAsked("revoke")}>
            {t.keys.revoke}
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => setAsked("rename")}>
        {t.keys.rename}
      </Button>
      {asked === "change" && <ChangeAccess shown={shown} onClose={close} />}
      {asked === "rename" && <RenameKey shown={shown} onClose={close} />}
      {asked === "rotate" && (
        <RotateKey
          shown={shown}
          onClose={close}
          onRotated={(created) => {
            close();
            setRevealed(created);
            void queryClient.invalidateQueries({ queryKey: ["keys"] });
          }}
        />
      )}
      {asked === "revoke" && (
        <Confirm
          title={t.keys.revokeTitle(nameOf(shown))}
          detail={t.keys.revokeDetail}
          action={t.keys.revoke}
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={close}
        />
      )}
      {revealed && (
        <SecretOnce
          title={t.keys.created(nameOf(revealed.key))}
          secrets={secretsOf(revealed)}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
