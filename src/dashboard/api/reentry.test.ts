import { afterEach, describe, expect, it } from "vitest";
import { askForFactor, askForSignIn, setDialogs } from "./reentry.ts";

/** A dialog that the test answers. */
function dialog() {
  const shown: ((given: boolean) => void)[] = [];
  const ask = () => new Promise<boolean>((resolve) => void shown.push(resolve));
  return { ask, shown };
}

let end = () => {};
afterEach(() => end());

describe("dialogs that ask for a factor or for sign-in", () => {
  it("answer no if no page shows them", async () => {
    expect([await askForFactor(), await askForSignIn()]).toEqual([false, false]);
  });

  it("are shared by all requests that wait for the same dialog", async () => {
    const factor = dialog();
    end = setDialogs({ askForFactor: factor.ask, askForSignIn: dialog().ask });
    const asked = [askForFactor(), askForFactor()];
    await Promise.resolve();
    expect(factor.shown).toHaveLength(1);
    factor.shown[0]?.(true);
    expect(await Promise.all(asked)).toEqual([true, true]);
  });

  it("are shown one after another, so that each is answered", async () => {
    const [factor, signIn] = [dialog(), dialog()];
    end = setDialogs({ askForFactor: factor.ask, askForSignIn: signIn.ask });
    const first = askForFactor();
    const second = askForSignIn();
    await Promise.resolve();
    expect([factor.shown.length, signIn.shown.length]).toEqual([1, 0]);
    factor.shown[0]?.(false);
    expect(await first).toBe(false);
    await Promise.resolve();
    signIn.shown[0]?.(true);
    expect(await second).toBe(true);
  });
});
