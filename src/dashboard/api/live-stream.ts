import { createEventParser } from "./event-parser.ts";

/**
 * State of the event stream. `lost`: it is requested again at `retryAt` (milliseconds since 1970). `isReachable`: Hermod
 * answered, but has no free stream.
 */
export type LiveState =
  | { readonly status: "idle" | "connecting" | "open" }
  | { readonly status: "lost"; readonly retryAt: number; readonly isReachable: boolean };

export interface LiveListener {
  /** An event of the stream: its name and its JSON. */
  readonly onEvent?: (name: string, data: unknown) => void;
  readonly onState?: (state: LiveState) => void;
}

interface LiveStreamParts {
  /** Requests the events after a position; empty: from now on. */
  readonly open: (after: string, signal: AbortSignal) => Promise<Response>;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Hermod sends data every 15 seconds: a stream that is silent for longer is dead. */
const SILENT_MS = 40_000;
/** Wait between the regular end of a stream and the next one. */
const SOON_MS = 1_000;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 30_000;

/**
 * One event stream for the whole page. It is open while it has a listener and the page is not paused. It resumes after the last
 * event. After a failure, it is requested again with growing waits, or after `Retry-After`.
 */
export function createLiveStream({ open, now, after }: LiveStreamParts) {
  const listeners = new Set<LiveListener>();
  let state: LiveState = { status: "idle" };
  let position = "";
  let failures = 0;
  let isPaused = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  let current: AbortController | undefined;
  let stopTimer = () => {};

  function become(next: LiveState): void {
    state = next;
    for (const { onState } of listeners) onState?.(next);
  }

  function connect(): void {
    stopTimer();
    current?.abort();
    const attempt = new AbortController();
    current = attempt;
    if (state.status !== "lost") become({ status: "connecting" });
    follow(attempt.signal)
      .then(() => undefined)
      .catch((error: unknown) => error ?? new Error("The stream failed."))
      .then((error) => {
        if (current !== attempt) return;
        if (error !== undefined) return waitAfterLoss(error);
        become({ status: "connecting" });
        stopTimer = after(SOON_MS, connect);
      });
  }

  /**
   * Resolves when the server ends the stream.
   * @throws on a failure
   */
  async function follow(stopped: AbortSignal): Promise<void> {
    const silent = new AbortController();
    let stopWatch = () => {};
    const watch = () => {
      stopWatch();
      stopWatch = after(SILENT_MS, () => silent.abort(new Error("The stream is silent.")));
    };
    watch();
    try {
      const answer = await open(position, AbortSignal.any([stopped, silent.signal]));
      if (!answer.ok || !answer.body) throw await refusalOf(answer);
      failures = 0;
      become({ status: "open" });
      const parser = createEventParser(({ name, data }) => {
        const content: unknown = JSON.parse(data);
        for (const { onEvent } of listeners) onEvent?.(name, content);
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        watch();
        parser.read(read.value);
        position = parser.lastId || position;
      }
    } finally {
      stopWatch();
    }
  }

  function waitAfterLoss(error: unknown): void {
    stopTimer();
    const waitMs = waitAfter(error);
    const isReachable = error instanceof Refusal && error.isReachable;
    become(
      isForbidden(error)
        ? { status: "connecting" }
        : { status: "lost", retryAt: now() + waitMs, isReachable },
    );
    stopTimer = after(waitMs, connect);
  }

  function waitAfter(error: unknown): number {
    const growing = Math.min(FIRST_WAIT_MS * 2 ** failures++, MAX_WAIT_MS);
    if (isForbidden(error)) return MAX_WAIT_MS;
    return error instanceof Refusal ? Math.max(growing, error.waitMs) : growing;
  }

  function stop(): void {
    stopTimer();
    current?.abort();
    current = undefined;
    become({ status: "idle" });
  }

  return {
    subscribe: (listener: LiveListener) => {
      listeners.add(listener);
      if (listeners.size === 1 && !isPaused) connect();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    state: () => state,
    /** Retries at once. */
    retry: () => {
      if (listeners.size > 0 && !isPaused) connect();
    },
    /** Another request could not reach Hermod: retries, unless the loss is already known. */
    probe: () => {
      if (state.status !== "lost" && now() >= probedAt + FIRST_WAIT_MS && listeners.size > 0 && !isPaused) {
        probedAt = now();
        connect();
      }
    },
    /** The browser has no network: it may notice a broken connection only minutes later. */
    lose: () => {
      if (current === undefined) return;
      current.abort();
      current = undefined;
      waitAfterLoss(new Error("The network is gone."));
    },
    /** Closes the stream, for example of a tab in the background: browsers allow six connections for all tabs of a site. */
    pause: () => {
      isPaused = true;
      if (listeners.size > 0) stop();
    },
    resume: () => {
      if (!isPaused) return;
      isPaused = false;
      if (listeners.size > 0) connect();
    },
    /** Forgets the position, because the session has switched to another account. */
    restart: () => {
      position = "";
      if (listeners.size > 0 && !isPaused) connect();
    },
  };
}

class Refusal extends Error {
  readonly status: number;
  readonly waitMs: number;
  readonly isReachable: boolean;
  constructor(status: number, waitMs: number, isReachable: boolean) {
    super("The stream was refused.");
    this.status = status;
    this.waitMs = waitMs;
    this.isReachable = isReachable;
  }
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const document: unknown = await answer.json().catch(() => undefined);
  const isFull =
    typeof document === "object" && document !== null && "code" in document && document.code === "live.full";
  return new Refusal(answer.status, retryAfterMs(answer.headers), answer.status < 500 || isFull);
}

/** The session has ended or may not read messages: the connection works, and the next request of a page reports the reason. */
const isForbidden = (error: unknown) =>
  error instanceof Refusal && (error.status === 401 || error.status === 403);

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, MAX_WAIT_MS) : 0;
}
