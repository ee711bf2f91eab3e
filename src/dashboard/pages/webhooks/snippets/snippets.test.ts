import { describe, expect, it } from "vitest";
import { languages, snippets } from "./snippets.ts";

const url = "https://shop.example.com/hooks?a=1\n*/ ?> #{b} \\u000a";

describe("the programs that verify webhooks", () => {
  it.each(languages)("name the endpoint in the comment of their first line only: %s", (language) => {
    const { file, text } = snippets[language];
    const [first = "", ...others] = text({ url, algorithm: "hmac-sha256", publicKey: "" }).split("\n");
    expect(first).toContain(`${file}: receives https://shop.example.com/hooks?a=1`);
    expect(first).not.toContain("?>");
    expect(first).not.toContain("\\");
    expect(others.join("\n")).not.toContain("shop.example.com");
  });

  it.each(languages)("contain the public key of a key pair, and no other secret: %s", (language) => {
    const { text } = snippets[language];
    const publicKey = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    expect(text({ url, algorithm: "ed25519", publicKey })).toContain(`"${publicKey}"`);
    expect(text({ url, algorithm: "ed25519", publicKey })).not.toContain("WEBHOOK_SECRET");
    expect(text({ url, algorithm: "hmac-sha256", publicKey: "" })).toContain("WEBHOOK_SECRET");
  });
});
