import { describe, expect, it } from "vitest";
import type { AreaClients } from "../../rpc/client.ts";
import { fault } from "../../shared/fault.ts";
import { createMailReader } from "./mail-reader.ts";

const SOURCE = Buffer.from("Subject: x\r\n\r\nHello");

/** A reader of mails that are loaded when the test allows it. @param check the core's check of the session */
function readerWith(check: () => Promise<unknown> = async () => ({})) {
  const loading: (() => void)[] = [];
  const core = { onBehalfOf: () => ({ sessions: { checkSession: check } }) as unknown as AreaClients };
  const cookie = { read: () => "token" } as never;
  const reader = createMailReader({ core, cookie });
  const request = { ip: "192.0.2.1", headers: {} } as never;
  const load = async () => {
    await new Promise<void>((resolve) => loading.push(resolve));
    return { source: SOURCE };
  };
  return { loading, read: () => reader.contents(request, load) };
}

/** Resolves when started work has gone as far as it can without the test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("mails", () => {
  it("are read two at a time, regardless of the caller", async () => {
    const { loading, read } = readerWith();
    const answers = Array.from({ length: 5 }, read);
    await settled();
    expect(loading).toHaveLength(2);
    for (let done = 0; done < 5; done++) {
      loading[done]?.();
      await answers[done];
      await settled();
      expect(loading).toHaveLength(Math.min(5, done + 3));
    }
    expect((await Promise.all(answers)).map(({ contents }) => contents.text)).toEqual(Array(5).fill("Hello"));
  });

  it("are refused beyond a hundred waiting requests, until some are read", async () => {
    const { loading, read } = readerWith();
    const answers = Array.from({ length: 102 }, read);
    await settled();
    await expect(read()).rejects.toMatchObject({
      code: "service.busy",
      retryAfterSeconds: expect.any(Number),
    });
    loading[0]?.();
    await answers[0];
    answers.push(read());
    for (let done = 1; done < answers.length; done++) {
      loading[done]?.();
      await answers[done];
      await settled();
    }
    expect(loading).toHaveLength(103);
  });

  it("without a session do not delay other requests", async () => {
    const { loading, read } = readerWith(() => Promise.reject(fault("auth.session_invalid")));
    const answers = await Promise.allSettled(Array.from({ length: 200 }, read));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(loading).toEqual([]);
  });
});
