import { useEffect, useRef, useSyncExternalStore } from "react";
import type { z } from "zod";
import { live, type liveChanges } from "../../../contracts/dashboard/live.ts";
import { home, setOnUnreachable } from "./client.ts";
import { createLiveStream, type LiveListener, type LiveState } from "./live-stream.ts";

export type LiveChanges = z.output<typeof liveChanges>;

/** A tab that is hidden for longer closes its connection. */
const HIDDEN_MS = 20_000;

const stream = createLiveStream({
  open: (position, signal) => {
    const query = position === "" ? "" : `?last_event_id=${encodeURIComponent(position)}`;
    return fetch(`${home}${live.watchEvents.path}${query}`, { signal, credentials: "same-origin" });
  },
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});

let hiding: ReturnType<typeof setTimeout> | undefined;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(stream.pause, HIDDEN_MS);
  else stream.resume();
});
window.addEventListener("offline", stream.lose);
window.addEventListener("online", stream.retry);
// The stream may not have noticed yet: the edge keeps it open while it waits for a core.
setOnUnreachable(stream.probe);

/** Polling interval for data that the stream also reports: the stream can be lost, or the role may not allow it. */
export const pollMs = (withStream: number, without: number): number =>
  stream.state().status === "open" ? withStream : without;

/** Keeps the event stream open while the component is shown, and calls back with each event. */
export function useLiveEvents(onEvent: (name: string, data: unknown) => void): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => stream.subscribe({ onEvent: (name, data) => latest.current(name, data) }), []);
}

/** Reports of the stream: changes of messages, and gaps. */
export function useLiveMessages(listener: {
  readonly onChanges: (changes: LiveChanges) => void;
  readonly onGap: () => void;
}): void {
  useLiveEvents((name, data) => {
    if (name === "changes") listener.onChanges(data as LiveChanges);
    else if (name === "gap") listener.onGap();
  });
}

/** State of the stream, which stays open while it is used. `retry` requests it again at once. */
export function useLiveState(): LiveState & { readonly retry: () => void } {
  const state = useSyncExternalStore(subscribe, stream.state);
  return { ...state, retry: stream.retry };
}

const subscribe = (onState: () => void) => stream.subscribe({ onState } satisfies LiveListener);

/** Restarts the stream after a new session has replaced an ended one. */
export const restartLive = stream.restart;
