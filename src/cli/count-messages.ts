import { InvalidArgumentError } from "commander";
import {
  type CounterSeries,
  CountMessagesResponseSchema,
  CountWaitingResponseSchema,
  MeasureLatencyResponseSchema,
} from "../../gen/hermod/counter/v1/counter_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { TIME_RANGE, type TimeRange, timesOf } from "./input/time-range.ts";
import { messageJson } from "./output/json.ts";
import { table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";

interface SpanOptions extends TimeRange {
  readonly step?: string;
  readonly by?: string;
  readonly value?: string[];
  readonly timeZone?: string;
}

interface Options extends SpanOptions {
  readonly kind?: string[];
}

const DIMENSIONS = "category, provider, policy, source, tag, key, template or sending_domain";
const SPAN = [
  ...TIME_RANGE,
  ["--step <step>", "minute, hour or day"],
  ["--by <dimension>", DIMENSIONS],
  ["--value <value...>", "only these values of the dimension"],
  ["--time-zone <zone>", "time zone of days, for example Europe/Berlin"],
] as const;

/** `hermod message count`: events over time, from the counters. */
export const messageCount = coreCommand(
  {
    name: "count",
    description: "Count events of messages over time.",
    options: [...SPAN, ["--kind <kind...>", "kinds of events to count, for example delivered"]],
  },
  async ({ core, account, paint }, options: Options) => {
    const { step = "", kind = [], by = "", value = [], timeZone = "" } = options;
    const asked = { accountId: account, step, kinds: kind, dimension: by, values: value, timeZone };
    const counts = await core.counters.countMessages({
      ...asked,
      ...timesOf(options),
    });
    const { points, series } = counts;
    const heading = ["TIME", ...series.map(titleOf)];
    const rows = points.map((at, index) => [
      plainTime(at),
      ...series.map(({ counts }) => String(counts[index] ?? 0)),
    ]);
    return {
      json: messageJson(CountMessagesResponseSchema, counts),
      text: () => table(paint, heading, series.length > 0 ? rows : [], "No events match."),
    };
  },
);

function titleOf({ value, isOther, kind }: CounterSeries): string {
  const of = isOther ? "others" : printable(value);
  return (of === "" ? kind : `${of}: ${kind}`).toUpperCase();
}

/** `hermod message latency`: percentiles of the time to delivery. */
export const messageLatency = coreCommand(
  {
    name: "latency",
    description: "Measure the time from acceptance to delivery.",
    options: [...SPAN],
  },
  async ({ core, account, paint }, options: SpanOptions) => {
    const { step = "", by = "", value = [], timeZone = "" } = options;
    const asked = { accountId: account, step, dimension: by, values: value, timeZone };
    const measured = await core.counters.measureLatency({ ...asked, ...timesOf(options) });
    const rows = measured.series.map(({ value: name, isOther, all }) => [
      isOther ? "others" : printable(name) || "all messages",
      String(all?.count ?? 0),
      ...[all?.p50Ms, all?.p95Ms, all?.p99Ms].map((ms) => (all?.count ? `${ms} ms` : "-")),
    ]);
    return {
      json: messageJson(MeasureLatencyResponseSchema, measured),
      text: () => table(paint, ["OF", "DELIVERED", "P50", "P95", "P99"], rows, "No deliveries match."),
    };
  },
);

/** `hermod queue count`: waiting messages. */
export const queueCount = coreCommand(
  {
    name: "count",
    description: "Count the waiting messages of an account by destination.",
    options: [["--top <number>", "number of destinations to list, 1 to 100 (default: 20)", readTop]],
  },
  async ({ core, account, paint }, { top = 0 }: { readonly top?: number }) => {
    const counted = await core.counters.countWaiting({ accountId: account, top });
    const { waiting, scheduled, otherWaiting, destinations } = counted;
    const rows = destinations.map(({ domain, waiting: n, oldestAt }) => [
      printable(domain),
      String(n),
      oldestAt ? plainTime(oldestAt) : "",
    ]);
    const others = otherWaiting > 0n ? `\n${otherWaiting} messages wait for other destinations.` : "";
    return {
      json: messageJson(CountWaitingResponseSchema, counted),
      text: () =>
        `${waiting} messages wait, and ${scheduled} are scheduled.\n` +
        table(paint, ["DESTINATION", "WAITING", "OLDEST"], rows, "No messages wait.") +
        others,
    };
  },
);

function readTop(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1 to 100.");
}
