import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Key, revokeKey, rotateKey } from "../../api/keys.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import type { Revealed } from "./secrets-of.ts";

interface KeyActionsProps {
  readonly keyShown: Key;
  readonly isActive: boolean;
  readonly onRotated: (created: Revealed) => void;
}

const OVERLAP_S = 86_400;

/** What a member may do with a key that is still valid. */
export function KeyActions({ keyShown, isActive, onRotated }: KeyActionsProps) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<"rotate" | "revoke">();
  const rotate = useMutation({
    mutationFn: () => rotateKey(keyShown.id, OVERLAP_S),
    onSuccess: (created) => {
      setAsked(undefined);
      onRotated(created);
    },
  });
  const revoke = useMutation({
    mutationFn: () => revokeKey(keyShown.id),
    onSuccess: () => {
      setAsked(undefined);
      return queryClient.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  if (!isActive || !may("keys.write")) return null;
  const name = keyShown.name || keyShown.prefix;
  const change = asked === "rotate" ? rotate : revoke;

  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size="xs" aria-label={t.keys.actionsOf(name)}>
            …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!keyShown.superseded_at && (
            <Menu.Item onClick={() => setAsked("rotate")}>{t.keys.rotate}</Menu.Item>
          )}
          <Menu.Item onClick={() => setAsked("revoke")}>{t.keys.revoke}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Confirm
          title={asked === "rotate" ? t.keys.rotateTitle(name) : t.keys.revokeTitle(name)}
          detail={asked === "rotate" ? t.keys.rotateDetail : t.keys.revokeDetail}
          action={asked === "rotate" ? t.keys.rotate : t.keys.revoke}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
