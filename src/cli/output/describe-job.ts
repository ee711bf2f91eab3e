import type { Job } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { type Paint, paintState } from "./paint.ts";
import { plainTime, printable } from "./text.ts";

/** A job and its progress, for people. */
export function describeJob(paint: Paint, job: Job): string {
  const lines = [
    ["Job", job.id],
    ["Kind", printable(job.kind)],
    ...Object.entries(job.about).map(([name, value]) => [capitalised(printable(name)), printable(value)]),
    ["State", `${paintState(paint, job.state)}${isEnding(job) ? ", cancel requested" : ""}`],
    ["Progress", progressOf(job)],
    ["Started", `${plainTime(job.createdAt)} by ${printable(job.startedByName)}`],
    ["Ended", plainTime(job.finishedAt)],
    ["Failure", job.failureCode === "" ? "" : `${job.failureCode}: ${printable(job.failureMessage)}`],
  ] as [string, string][];
  const shown = lines.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join("\n");
}

/** `120 of 400 done, 3 skipped, 1 failed`. */
export function progressOf({ done, skipped, failed, total }: Job): string {
  const parts = [`${done}${total === undefined ? "" : ` of ${total}`} done`];
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(", ");
}

const isEnding = ({ cancelRequestedAt, finishedAt }: Job) => cancelRequestedAt && !finishedAt;

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
