import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/settings.ts";
import { type Fault, fault, validationFault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { StartupError } from "../../src/shared/startup-error.ts";
import { runHermod } from "./run-hermod.ts";

function refusing(thrown: Fault | Error) {
  return { core: { keys: { listKeys: () => Promise.reject(thrown) } } };
}

describe("a command that the core refuses", () => {
  it("reports an unreachable core, with advice", async () => {
    const ran = await runHermod(["key", "list"], refusing(fault("core.unavailable")));
    expect(ran).toMatchObject({
      code: 1,
      out: "",
      err: "hermod: No Hermod core answers at 127.0.0.1:50051. Start one with `hermod start`, or set HERMOD_GRPC_ADDRESS.\n",
      closed: 1,
    });
  });

  it("names the users of a resource that is not removed, one per line", async () => {
    const users = [{ kind: "alert_rule", id: "rul_1", name: "pager" }] as const;
    const refused = fault("resource.in_use", { use: { users, count: 3 } });
    expect((await runHermod(["key", "list"], refusing(refused))).err).toBe(
      [
        "hermod: Other resources use it. Change them first, or remove it with --force if the command has this option: they then stop working. Nothing was changed.",
        "  alert_rule pager (rul_1)",
        "  and 2 more",
        "",
      ].join("\n"),
    );
    const ran = await runHermod(["key", "list", "--json"], refusing(refused));
    expect(JSON.parse(ran.err).error).toMatchObject({ used_by: users, used_by_count: 3 });
  });

  it("names each invalid field, one per line", async () => {
    const shown = [
      { pointer: "/name", code: "field.invalid", message: "A name must have 1 to 100 characters." },
      {
        pointer: "/transports/0/smtp/tls",
        code: "field.invalid",
        message: '"tsl" is not allowed. Use one of implicit, none.',
      },
    ] as const;
    const refused = fault("request.validation_failed", {
      public: receivedText("2 fields are not valid."),
      errors: shown.map((one) => ({ ...one, message: receivedText(one.message) })),
    });
    expect((await runHermod(["key", "list"], refusing(refused))).err).toBe(
      [
        "hermod: 2 fields are not valid.",
        "  /name  A name must have 1 to 100 characters.",
        '  /transports/0/smtp/tls  "tsl" is not allowed. Use one of implicit, none.',
        "",
      ].join("\n"),
    );
    const ran = await runHermod(["key", "list", "--json"], refusing(refused));
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(JSON.parse(ran.err)).toEqual({
      error: { code: "request.validation_failed", message: "2 fields are not valid.", errors: shown },
    });
  });

  it("does not repeat the text of a single invalid field", async () => {
    const refused = validationFault([
      { pointer: "/name", code: "field.required", message: receivedText("A name is needed.") },
    ]);
    const ran = await runHermod(["key", "list"], refusing(refused));
    expect(ran.err).toBe("hermod: The request is not valid.\n  /name  A name is needed.\n");
  });

  it.each([
    ["auth.caller_invalid", "HERMOD_GRPC_TOKEN"],
    ["auth.caller_forbidden", "HERMOD_GRPC_TOKEN"],
    ["core.timeout", "did not answer in time"],
    ["queue.hold_unknown", "`hermod policy waiting`"],
    ["account.unknown", "--account"],
    ["store.unavailable", "The database did not confirm"],
  ] as const)("explains %s", async (code, words) => {
    const ran = await runHermod(["key", "list"], refusing(fault(code)));
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(words)]);
  });

  it("reports an unexpected error in one line, without control characters", async () => {
    const ran = await runHermod(["key", "list"], refusing(new Error("broken\n\u001b[2Jscreen")));
    expect([ran.code, ran.err]).toEqual([1, "hermod: Internal error: broken [2Jscreen\n"]);
  });

  it("has exit code 2 for a start with unusable settings", async () => {
    const start = () => Promise.reject(new StartupError("HERMOD_HTTP_PORT: port 80 is taken."));
    const ran = await runHermod(["start"], { start });
    expect([ran.code, ran.err]).toEqual([2, "hermod: HERMOD_HTTP_PORT: port 80 is taken.\n"]);
  });

  it("has exit code 2 for invalid settings", async () => {
    const connect = () => Promise.reject(new ConfigError(["HERMOD_GRPC_PORT: too large"]));
    const ran = await runHermod(["key", "list"], { connect });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("HERMOD_GRPC_PORT: too large")]);
  });
});
