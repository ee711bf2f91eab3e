import { describe, expect, it } from "vitest";
import { base64Of, settingsOf, valuesOf } from "./label-values.ts";

describe("the form of a label", () => {
  it("leaves out empty texts, and keeps the stored logo", () => {
    expect(settingsOf(valuesOf(null), "iVBO")).toEqual({});
    expect(settingsOf({ name: " Acme ", color: "#0b5394" }, "")).toEqual({ name: "Acme", color: "#0b5394" });
  });

  it("removes or replaces the logo", () => {
    expect(settingsOf({ name: "", color: "", logo: null }, "iVBO")).toEqual({ logo: null });
    expect(settingsOf({ name: "", color: "", logo: "logo.png" }, "iVBO")).toEqual({ logo: "iVBO" });
  });

  it("encodes a file of any size", async () => {
    const bytes = Uint8Array.from({ length: 40_003 }, (_, at) => at % 256);
    const text = atob(await base64Of(new Blob([bytes])));
    expect(Uint8Array.from(text, (character) => character.charCodeAt(0))).toEqual(bytes);
  });
});
