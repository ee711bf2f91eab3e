import { Readable } from "node:stream";
import type { WatchEventsResponse } from "../../../gen/hermod/live/v1/live_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { untilAborted } from "../../shared/until-aborted.ts";
import { AWAY_TEXT, beatText, beginText, eventText } from "./event-text.ts";
import { followCores, type WatchCore } from "./follow-cores.ts";

/** How long a stream of events may be, or be silent, in milliseconds. */
export interface EventStreamTimes {
  readonly beatMs: number;
  /** A reader that accepts no data for this long is disconnected. */
  readonly stallMs: number;
  readonly lifeMs: number;
}

const DEFAULT_TIMES: EventStreamTimes = { beatMs: 15_000, stallMs: 20_000, lifeMs: 15 * 60_000 };
/** Buffered bytes of one stream, in addition to one report of at most 20 KB and the kernel's buffer. */
const BUFFER_BYTES = 16 * 1024;
const MAX_STREAMS = 2_000;
const RETRY_MS = 2_000;
const RETRY_AFTER_SECONDS = 10;

export interface EventStreams {
  /**
   * The text of a stream, as fast as it is read.
   * @param watch asks a core for what happened behind a position, until the signal is aborted: the reader has gone
   * @param after where to begin; empty: now
   * @throws Fault live.full, and those of the core
   */
  open(watch: WatchCore, after: string): Promise<Readable>;
  /** Ends all, in an orderly way: their readers come again. */
  endAll(): void;
}

type Reports = AsyncGenerator<WatchEventsResponse | undefined, void>;

interface EventStreamParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly times?: EventStreamTimes;
}

/** The open streams of events of this process. */
export function createEventStreams({ clock, times = DEFAULT_TIMES }: EventStreamParts): EventStreams {
  const open = new Set<AbortController>();
  let isEnding = false;

  /** Texts of a stream until its end. An end is not an error for a browser, which reconnects. */
  async function* texts(first: WatchEventsResponse, reports: Reports, { signal }: AbortController) {
    const endsAtMs = clock.monotonicMs() + times.lifeMs;
    let reportedAtMs = clock.monotonicMs();
    let { position } = first;
    yield beginText(RETRY_MS, position) + eventText(first);
    while (clock.monotonicMs() < endsAtMs) {
      const next = await untilAborted(reports.next(), signal).catch(() => undefined);
      if (!next || next.done) return;
      position = next.value?.position ?? position;
      let text = next.value ? eventText(next.value) : AWAY_TEXT;
      if (text === "" && clock.monotonicMs() - reportedAtMs >= times.beatMs) text = beatText(position);
      if (text === "") continue;
      reportedAtMs = clock.monotonicMs();
      yield text;
    }
  }

  /** Ends a stream with a stalled reader. */
  async function* watched(source: AsyncIterable<string>, onStall: () => void) {
    for await (const text of source) {
      const stall = setTimeout(onStall, times.stallMs).unref();
      try {
        yield text;
      } finally {
        clearTimeout(stall);
      }
    }
  }

  return {
    open: async (watch, after) => {
      if (isEnding) throw fault("core.unavailable");
      if (open.size >= MAX_STREAMS) throw fault("live.full", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      const abort = new AbortController();
      open.add(abort);
      const { signal } = abort;
      const reports = followCores({ watch, after, signal });
      try {
        const first = await reports.next();
        if (first.done || !first.value) throw fault("core.unavailable");
        const source = watched(texts(first.value, reports, abort), () => stream.destroy());
        const stream = Readable.from(source, { objectMode: false, highWaterMark: BUFFER_BYTES });
        // Without this a stream closes only once the report that is waited for has come.
        const destroy = stream._destroy.bind(stream);
        stream._destroy = (error, callback) => {
          open.delete(abort);
          abort.abort();
          reports.return().catch(() => undefined);
          destroy(error, callback);
        };
        return stream;
      } catch (error) {
        open.delete(abort);
        throw error;
      }
    },

    endAll: () => {
      isEnding = true;
      for (const abort of open) abort.abort();
    },
  };
}
