import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useState } from "react";
import { home } from "../../api/client.ts";
import { checkVersion } from "../../api/page-version.ts";
import { loadReference } from "../../api/reference.ts";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Pending } from "../../parts/state-view.tsx";
import type { FrameInput, FrameMessage } from "../../reference-frame/messages.ts";
import { t } from "../../texts/texts.ts";
import { type Own, ownDocument } from "./own-document.ts";
import { relayRequest } from "./relay-request.ts";

/** Longest time from the loaded scripts to the shown reference. */
const SHOW_MS = 30_000;

/**
 * Scalar's reference in a frame with an origin of its own: its script reads neither the page nor the session, keeps
 * nothing, and reaches the server only through `relayRequest`. A pasted key lives in the frame's memory.
 */
export function ReferenceFrame({ server, prefix }: Own) {
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const [state, setState] = useState<"loading" | "loaded" | "shown" | "failed">("loading");
  const [fault, setFault] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  const [port, setPort] = useState<MessagePort>();
  useEffect(() => () => port?.close(), [port]);
  useEffect(() => port?.postMessage(scheme), [port, scheme]);
  useEffect(() => {
    if (state === "failed") void checkVersion();
    if (state !== "loaded") return undefined;
    const waiting = setTimeout(() => setState("failed"), SHOW_MS);
    return () => clearTimeout(waiting);
  }, [state]);

  /** Called when the frame has loaded, with its scripts or without. */
  async function connect({ contentWindow }: HTMLIFrameElement) {
    const { port1, port2 } = new MessageChannel();
    try {
      const content = ownDocument(await loadReference(), { server, prefix });
      const operations = { server, home, paths: Object.keys(content.paths) };
      port1.onmessage = ({ data, ports: [reply] }: MessageEvent<FrameMessage>) => {
        if (data.kind === "link") openLink(data.href);
        else if (data.kind !== "request") setState(data.kind);
        else void relayRequest(data, operations).then((answer) => reply?.postMessage(answer));
      };
      const input: FrameInput = { content, scheme };
      // The frame's origin has no name. Nothing in the message is secret.
      contentWindow?.postMessage(input, "*", [port2]);
      setPort(port1);
      setState("loaded");
    } catch (error) {
      setFault(error as Error);
      setState("failed");
    }
  }

  function retry() {
    setFault(undefined);
    setState("loading");
    setAttempt(attempt + 1);
  }

  return (
    <>
      {(state === "loading" || state === "loaded") && <Pending />}
      {state === "failed" && (
        <ProblemNotice error={fault ?? new Error(t.shell.missingPartDetail)} retry={retry} />
      )}
      <iframe
        key={attempt}
        className="reference"
        title={t.reference.title}
        src={`${home}/dashboard/reference-frame/`}
        sandbox="allow-scripts allow-forms allow-downloads"
        allow="clipboard-write"
        style={{ colorScheme: scheme }}
        onLoad={({ currentTarget }) => void connect(currentTarget)}
      />
    </>
  );
}

/** Opens a page of this installation in a new tab. The reference links to no other site. */
function openLink(href: string): void {
  if (/^\/(?![/\\])/.test(href)) window.open(home + href, "_blank", "noopener");
}
