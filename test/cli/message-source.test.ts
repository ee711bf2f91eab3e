import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { GetMessageSourceResponseSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { runHermod } from "./run-hermod.ts";

const SOURCE = Buffer.from("Subject: \xe9\r\n\tx\r\n\r\n\x1b]0;owned\x07\xff\x00\r\n", "latin1");

/** @param asked filled with what the core is asked for */
const coreWith = (source: Uint8Array, asked: unknown[] = []) => ({
  messages: {
    getMessageSource: async (request: unknown) => {
      asked.push(request);
      return create(GetMessageSourceResponseSchema, { message: { id: "msg_1", state: "delivered" }, source });
    },
  },
});
const argv = ["message", "source", "msg_1"];

it("writes a message octet for octet, and nothing else", async () => {
  const asked: unknown[] = [];
  const ran = await runHermod([...argv, "--account", "acc_1"], { core: coreWith(SOURCE, asked) });
  expect(ran.outBytes.equals(SOURCE)).toBe(true);
  expect([ran.code, ran.err, ran.closed]).toEqual([0, "", 1]);
  expect(asked).toEqual([{ id: "msg_1", accountId: "acc_1" }]);
});

it("writes no control sequences to a terminal", async () => {
  const { out } = await runHermod(argv, { core: coreWith(SOURCE), tty: true });
  expect(out).toBe("Subject: \ufffd\n\tx\n\n\ufffd]0;owned\ufffd\ufffd\ufffd\n");
});

it("writes JSON for programs", async () => {
  const { out } = await runHermod([...argv, "--json"], { core: coreWith(SOURCE) });
  expect(JSON.parse(out)).toMatchObject({ id: "msg_1", source_base64: SOURCE.toString("base64") });
});

it("reports why a body is missing", async () => {
  const gone = fault("message.body_gone", { public: receivedText("The body of the message msg_1 is gone.") });
  const getMessageSource = () => Promise.reject(gone);
  const ran = await runHermod([...argv, "--json"], { core: { messages: { getMessageSource } } });
  expect([ran.code, ran.out]).toEqual([1, ""]);
  expect(JSON.parse(ran.err)).toMatchObject({ error: { code: "message.body_gone" } });
});
