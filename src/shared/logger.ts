import { type Logger as PinoLogger, pino, stdTimeFunctions } from "pino";

export type Logger = PinoLogger;

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** Names under which a secret or a body could reach the log by mistake. */
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

/** Structured logs (one JSON object per line) on standard error, secrets and bodies redacted. */
export function createLogger(level: LogLevel, destination: NodeJS.WritableStream = process.stderr): Logger {
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
    },
    destination,
  );
}
