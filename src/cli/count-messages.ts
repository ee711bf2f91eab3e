import {
  type CounterSeries,
  CountMessagesResponseSchema,
} from "../../gen/hermod/counter/v1/counter_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { TIME_RANGE, type TimeRange, timesOf } from "./input/time-range.ts";
import { messageJson } from "./output/json.ts";
import { table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";

interface Options extends TimeRange {
  readonly step?: string;
  readonly kind?: string[];
  readonly by?: string;
  readonly value?: string[];
  readonly timeZone?: string;
}

/** `hermod message count`: what happened over time, from the counters. */
export const messageCount = coreCommand(
  {
    name: "count",
    description: "Count what happened to messages, over time.",
    options: [
      ...TIME_RANGE,
      ["--step <step>", "minute, hour or day"],
      ["--kind <kind...>", "what is counted, as delivered"],
      ["--by <dimension>", "category, provider, policy, source or tag"],
      ["--value <value...>", "only these values of it"],
      ["--time-zone <zone>", "in which days begin, as Europe/Berlin"],
    ],
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
      text: () => table(paint, heading, series.length > 0 ? rows : [], "Nothing was counted."),
    };
  },
);

function titleOf({ value, isOther, kind }: CounterSeries): string {
  const of = isOther ? "others" : printable(value);
  return (of === "" ? kind : `${of}: ${kind}`).toUpperCase();
}
