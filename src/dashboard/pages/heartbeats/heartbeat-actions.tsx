import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  deleteHeartbeat,
  type Heartbeat,
  heartbeatQuery,
  pauseHeartbeat,
  type RevealedHeartbeat,
  resumeHeartbeat,
  rotateHeartbeatToken,
} from "../../api/heartbeats.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { TokenOnce } from "./token-once.tsx";

type Asked = "pause" | "resume" | "rotate" | "remove";

/** Actions on a heartbeat. */
export function HeartbeatActions({ heartbeat }: { readonly heartbeat: Heartbeat }) {
  const { id, name, state, revision } = heartbeat;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const [revealed, setRevealed] = useState<RevealedHeartbeat>();
  const reload = () => queryClient.invalidateQueries({ queryKey: ["heartbeats"] });
  const act = useMutation({
    mutationFn: async (action: Asked) => {
      if (action === "pause") await pauseHeartbeat(id);
      else if (action === "resume") await resumeHeartbeat(id);
      else if (action === "rotate") setRevealed(await rotateHeartbeatToken(id));
      else await deleteHeartbeat(id, revision);
    },
    onSuccess: async (_, action) => {
      setAsked(undefined);
      if (action === "remove") {
        await navigate({ to: "/heartbeats", ignoreBlocker: true });
        queryClient.removeQueries({ queryKey: heartbeatQuery(id).queryKey });
      }
      await reload();
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void reload(),
  });
  const ask = (action: Asked) => {
    act.reset();
    setAsked(action);
  };
  const isPaused = state === "paused";
  return (
    <>
      {isPaused ? (
        <Button loading={act.isPending} onClick={() => act.mutate("resume")}>
          {t.heartbeats.resume}
        </Button>
      ) : (
        <Button variant="default" onClick={() => ask("pause")}>
          {t.heartbeats.pause}
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.heartbeats.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask("rotate")}>{t.heartbeats.rotate}</Menu.Item>
          <Menu.Item onClick={() => ask("remove")}>{t.heartbeats.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && asked !== "resume" && (
        <Confirm
          {...questions[asked](name)}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {!asked && act.error && act.variables === "resume" && (
        <Confirm
          title={t.incidents.failed}
          detail={t.incidents.failedDetail}
          action={t.common.retry}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate("resume")}
          onClose={act.reset}
        />
      )}
      {revealed && (
        <TokenOnce title={t.heartbeats.rotated} revealed={revealed} onClose={() => setRevealed(undefined)} />
      )}
    </>
  );
}

/** The questions before an action that stops something. */
const questions = {
  pause: (name: string) => ({
    title: t.heartbeats.pauseTitle(name),
    detail: t.heartbeats.pauseDetail,
    action: t.heartbeats.pause,
  }),
  rotate: (name: string) => ({
    title: t.heartbeats.rotateTitle(name),
    detail: t.heartbeats.rotateDetail,
    action: t.heartbeats.rotate,
  }),
  remove: (name: string) => ({
    title: t.heartbeats.removeTitle(name),
    detail: t.heartbeats.removeDetail,
    action: t.heartbeats.remove,
  }),
} as const;
