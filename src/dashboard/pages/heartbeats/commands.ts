import type { Heartbeat } from "../../api/heartbeats.ts";

/** Retries for half a minute: a restart of Hermod loses no ping. */
const CURL = "curl -fsS -m 10 --retry 5 --retry-connrefused -o /dev/null";
const JOB = "/usr/local/bin/backup";

interface Command {
  readonly kind: "crontab" | "afterJob" | "startAndEnd" | "withKey";
  readonly text: string;
}

/** The usual command of a job that reports to a heartbeat. @param url a URL, or a variable of the shell */
export function firstCommandOf({ cron }: Pick<Heartbeat, "cron">, url: string): Command {
  const text = `${JOB} && ${CURL} "${url}"`;
  return cron === null ? { kind: "afterJob", text } : { kind: "crontab", text: `${cron}  ${text}` };
}

/** Commands of a job that reports to a heartbeat. @param keyedUrl URL for requests with an API key */
export const commandsOf = (
  heartbeat: Pick<Heartbeat, "cron">,
  url: string,
  keyedUrl: string,
): readonly Command[] => [
  firstCommandOf(heartbeat, url),
  { kind: "startAndEnd", text: `${CURL} "${url}/start"; ${JOB}; ${CURL} "${url}/$?"` },
  { kind: "withKey", text: `${JOB} && ${CURL} -H "X-API-Key: $HERMOD_API_KEY" "${keyedUrl}"` },
];
