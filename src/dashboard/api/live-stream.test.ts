import { describe, expect, it } from "vitest";
import { createLiveStream, type LiveState } from "./live-stream.ts";

/** A stream with responses and a clock from the test. */
function make() {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let nowMs = 0;
  const asked: { readonly after: string; readonly signal: AbortSignal }[] = [];
  const answers: (Response | Error)[] = [];
  const stream = createLiveStream({
    open: async (after, signal) => {
      asked.push({ after, signal });
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new TypeError("no network");
      return answer;
    },
    now: () => nowMs,
    after: (ms, run) => {
      const timer = { at: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
    for (const timer of [...timers].filter(({ at }) => at <= nowMs)) {
      timers.delete(timer);
      timer.run();
    }
  };
  const heard: unknown[] = [];
  const states: LiveState[] = [];
  const waiting = new Set<() => void>();
  const listen = () =>
    stream.subscribe({
      onEvent: (name, data) => heard.push([name, data]),
      onState: (state) => {
        states.push(state);
        for (const check of waiting) check();
      },
    });
  const until = (status: LiveState["status"]) =>
    new Promise<LiveState>((resolve) => {
      const check = () => {
        if (stream.state().status !== status) return;
        waiting.delete(check);
        resolve(stream.state());
      };
      waiting.add(check);
      check();
    });
  return { stream, asked, answers, pass, heard, states, listen, until };
}

const body = (text: string) => new Response(text);
const open = () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => writer.write(new TextEncoder().encode(text));
  return { answer: new Response(readable), write, end: () => writer.close() };
};

describe("the event stream of a page", () => {
  it("resumes after the last event when the server ends it, without being lost", async () => {
    const { answers, asked, heard, states, listen, until, pass } = make();
    const first = open();
    const second = open();
    answers.push(first.answer, second.answer);
    listen();
    await until("open");
    await first.write('id: p1\n\nevent: changes\nid: p2\ndata: {"n":1}\n\n');
    await first.end();
    await until("connecting");
    pass(1_000);
    await until("open");
    expect(asked.map(({ after }) => after)).toEqual(["", "p2"]);
    expect(heard).toEqual([["changes", { n: 1 }]]);
    expect(states.map(({ status }) => status)).not.toContain("lost");
  });

  it("waits longer after each failure, reports the retry time, and retries at once on demand", async () => {
    const { answers, asked, listen, until, pass, stream } = make();
    listen();
    expect(await until("lost")).toEqual({ status: "lost", retryAt: 2_000, isReachable: false });
    answers.push(new Error("still away"));
    pass(2_000);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(stream.state()).toEqual({ status: "lost", retryAt: 6_000, isReachable: false });
    answers.push(open().answer);
    stream.retry();
    await until("open");
    expect(asked).toHaveLength(3);
  });

  it("waits for Retry-After, up to 30 seconds", async () => {
    const { answers, listen, until } = make();
    answers.push(new Response("", { status: 503, headers: { "retry-after": "10" } }));
    listen();
    expect(await until("lost")).toEqual({ status: "lost", retryAt: 10_000, isReachable: false });
  });

  it.each([401, 403])("is not lost if the session may not read it (%i)", async (status) => {
    const { answers, listen, states, stream, asked, pass, until } = make();
    answers.push(new Response("", { status }), body(""));
    listen();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(stream.state()).toEqual({ status: "connecting" });
    pass(29_000);
    expect(asked).toHaveLength(1);
    pass(1_000);
    await until("open");
    expect(states.map(({ status: one }) => one)).not.toContain("lost");
  });

  it("is lost at once if the browser has no network", async () => {
    const { answers, asked, listen, until, stream } = make();
    answers.push(open().answer);
    listen();
    await until("open");
    stream.lose();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(stream.state()).toEqual({ status: "lost", retryAt: 2_000, isReachable: false });
  });

  it("retries when another request fails, at most every two seconds, and not while it is lost", async () => {
    const { answers, asked, listen, until, stream, pass } = make();
    answers.push(open().answer, open().answer, new Error("away"));
    listen();
    await until("open");
    stream.probe();
    stream.probe();
    await until("open");
    expect(asked).toHaveLength(2);
    pass(2_000);
    stream.probe();
    await until("lost");
    stream.probe();
    expect(asked).toHaveLength(3);
  });

  it.each([
    [429, "live.too_many_streams"],
    [503, "live.full"],
  ])("is reachable if no stream is free (%i)", async (status, code) => {
    const { answers, listen, until } = make();
    answers.push(new Response(JSON.stringify({ code }), { status }));
    listen();
    expect(await until("lost")).toMatchObject({ isReachable: true });
  });

  it("treats a stream that is silent for 40 seconds as dead", async () => {
    const { answers, asked, listen, until, pass } = make();
    answers.push(open().answer);
    listen();
    await until("open");
    pass(40_000);
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it("is closed while it has no listener, and while the page is paused", async () => {
    const { answers, asked, listen, until, stream } = make();
    answers.push(open().answer, open().answer);
    const leave = listen();
    await until("open");
    stream.pause();
    expect(asked[0]?.signal.aborted).toBe(true);
    stream.resume();
    await until("open");
    leave();
    expect(asked[1]?.signal.aborted).toBe(true);
    expect(stream.state()).toEqual({ status: "idle" });
  });
});
