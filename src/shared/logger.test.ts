import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

it("never writes the value of a field with the name of a secret or a body", () => {
  const lines = new PassThrough();
  const log = createLogger("info", lines);
  const secrets = {
    apiKey: "S3",
    password: "S3",
    token: "S3",
    html: "S3",
    text: "S3",
    "x-api-key": "S3",
    authorization: "S3",
  };
  log.info({ ...secrets, request: secrets, deep: { request: secrets } }, "hello");
  const line = String(lines.read());
  expect(line).not.toContain("S3");
  expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "hello", apiKey: "[redacted]" });
});

/** A logger with a stopped clock, and the lines that it has written since the last call of `written`. */
function logTo() {
  const lines = new PassThrough();
  const log = createLogger("info", lines, { monotonicMs: () => 0 });
  const written = () =>
    String(lines.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, written };
}

const failure = (code: string) => Object.assign(new Error(`no space for ${Math.random()}`), { code });

/** Runs the logger's work at the end of the process. */
function end(): void {
  const last = process.listeners("exit").at(-1) as () => void;
  process.off("exit", last);
  last();
}

it("counts the same warning about the same kind of error, whatever it is about", () => {
  const { log, written } = logTo();
  for (let i = 0; i < 1_000; i++) log.warn({ err: failure("ENOSPC"), message: i }, "result not recorded yet");
  log.warn({ err: failure("EIO"), message: 7 }, "result not recorded yet");
  log.error({ err: failure("ENOSPC") }, "result not recorded yet");
  expect(written().map(({ level, message }) => [level, message])).toEqual([
    ["warn", 0],
    ["warn", 1],
    ["warn", 2],
    ["warn", 7],
    ["error", undefined],
  ]);
  end();
  expect(written()).toMatchObject([{ level: "warn", message: 999, repeated: 997, err: { code: "ENOSPC" } }]);
});

it("counts warnings that have no fields, and errors by themselves", () => {
  const { log, written } = logTo();
  const error = failure("ENOSPC");
  for (let i = 0; i < 5; i++) {
    log.warn("the disk is full");
    log.error(error);
  }
  expect(written()).toHaveLength(6);
  end();
  expect(written()).toMatchObject([
    { msg: "the disk is full", repeated: 2 },
    { msg: error.message, err: { code: "ENOSPC" }, repeated: 2 },
  ]);
});

it("writes every line of the level info, and no value of a secret in a count", () => {
  const { log, written } = logTo();
  for (let i = 0; i < 100; i++) log.info({ status: 503 }, "request");
  expect(written()).toHaveLength(100);
  for (let i = 0; i < 10; i++) log.warn({ password: "S3" }, "refused");
  written();
  end();
  expect(written()).toMatchObject([{ password: "[redacted]", repeated: 7 }]);
});
