import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import type { CounterSeries } from "../../gen/hermod/counter/v1/counter_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { readMoment } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

interface Options {
  readonly from?: Date;
  readonly until?: Date;
  readonly step?: string;
  readonly kind?: string[];
  readonly by?: string;
  readonly value?: string[];
  readonly timeZone?: string;
}

/** `hermod message count`: what happened over time, from the counters. */
export function messageCount(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("count")
    .description("Count what happened to messages, over time.")
    .option("--from <moment>", "from then on, as 2030-01-02T09:00:00Z", readMoment)
    .option("--until <moment>", "before then", readMoment)
    .option("--step <step>", "minute, hour or day")
    .option("--kind <kind...>", "what is counted, as delivered")
    .option("--by <dimension>", "category, provider, policy, source or tag")
    .option("--value <value...>", "only these values of it")
    .option("--time-zone <zone>", "in which days begin, as Europe/Berlin");
  coreCommand<Options>(surroundings, command, async ({ core, account, paint }, options) => {
    const { from, until, step = "", kind = [], by = "", value = [], timeZone = "" } = options;
    const asked = { accountId: account, step, kinds: kind, dimension: by, values: value, timeZone };
    const found = await core.counters.countMessages({
      ...asked,
      ...(from && { from: timestampFromDate(from) }),
      ...(until && { until: timestampFromDate(until) }),
    });
    const { points, series } = found;
    const heading = ["TIME", ...series.map(titleOf)];
    const rows = points.map((at, index) => [
      plainTime(at),
      ...series.map(({ counts }) => String(counts[index] ?? 0)),
    ]);
    return {
      json: {
        step: found.step,
        points: points.map(isoTime),
        series: series.map(seriesJson),
      },
      text: () => table(paint, heading, series.length > 0 ? rows : [], "Nothing was counted."),
    };
  });
}

function titleOf({ value, isOther, kind }: CounterSeries): string {
  const of = isOther ? "others" : printable(value);
  return (of === "" ? kind : `${of}: ${kind}`).toUpperCase();
}

function seriesJson({ value, isOther, kind, counts, sum }: CounterSeries) {
  return { value, is_other: isOther, kind, counts, sum: Number(sum) };
}
