import { type LogFn, type Logger as PinoLogger, pino, stdTimeFunctions } from "pino";
import { type Clock, systemClock } from "./clock.ts";
import { createRepetitions } from "./repetitions.ts";

export type Logger = PinoLogger;

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** Field names that could expose a secret or a body in the log by mistake. */
const SECRET_NAMES = [
  "api_key",
  "apiKey",
  "authorization",
  "x-api-key",
  "cookie",
  "password",
  "secret",
  "token",
  "html",
  "text",
  "content",
  "source",
];

/** pino's numbers of levels. */
const WARN = 40;
const FATAL = 60;
/** The first few equal warnings are written immediately, then one per period. */
const FEW = 3;
const PERIOD_MS = 30_000;
/** Maximum number of distinct warnings at once. */
const MAX_KEYS = 1_000;
/** Interval of the check for ended periods. */
const SWEEP_MS = 1_000;

/**
 * Structured logs (one JSON object per line) on standard error, with secrets and bodies redacted. Frequent warnings and
 * errors with the same message and the same error are counted: `repeated` is the number of omitted lines, of which the
 * last one is shown. Remaining counts are written at the end of the process.
 */
export function createLogger(
  level: LogLevel,
  destination: NodeJS.WritableStream = process.stderr,
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_NAMES.flatMap((name) => {
          const key = /^\w+$/.test(name) ? `.${name}` : `["${name}"]`;
          return [key.replace(/^\./, ""), `*${key}`, `*.*${key}`];
        }),
        censor: "[redacted]",
      },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: countRepeated(clock) },
    },
    destination,
  );
}

type LogMethod = (this: PinoLogger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/** Timer and listener exist only while there are counts. */
function countRepeated(clock: Pick<Clock, "monotonicMs">): LogMethod {
  const repetitions = createRepetitions({ clock, periodMs: PERIOD_MS, few: FEW, maxKeys: MAX_KEYS });
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    if (timer) return;
    timer = setInterval(() => {
      if (repetitions.sweep()) return;
      clearInterval(timer);
      timer = undefined;
      process.off("exit", repetitions.flush);
    }, SWEEP_MS).unref();
    process.once("exit", repetitions.flush);
  }

  return function logMethod(args, method, level) {
    if (level < WARN || level >= FATAL) {
      method.apply(this, args);
      return;
    }
    repetitions.add({
      key: keyOf(args, level),
      write: (repeated) => method.apply(this, repeated > 0 ? withCount(args, repeated) : args),
    });
    watch();
  };
}

/** The message and the kind of its error. Ids and details differ from line to line. */
function keyOf([first, second]: readonly unknown[], level: number): string {
  if (typeof first === "string") return `${level} ${first}`;
  const error = first instanceof Error ? first : (first as { readonly err?: unknown } | undefined)?.err;
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  const message = second ?? (first instanceof Error ? first.message : "");
  return `${level} ${message} ${code ?? name ?? ""}`;
}

function withCount(args: Parameters<LogFn>, repeated: number): Parameters<LogFn> {
  const [first, ...rest] = args as unknown[];
  const counted =
    typeof first === "string"
      ? [{ repeated }, first, ...rest]
      : [first instanceof Error ? { err: first, repeated } : { ...(first as object), repeated }, ...rest];
  // pino uses the message of an error if none is given.
  if (first instanceof Error && rest.length === 0) counted.push(first.message);
  return counted as unknown as Parameters<LogFn>;
}
