import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ClientSettingsSchema } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { foldName } from "../../store/search-keys.ts";
import { createCursors } from "./cursors.ts";
import { readClient } from "./read-client.ts";

const named = (name: string) => readClient(create(ClientSettingsSchema, { name }));

it("measures a name in its comparison form: one that expands to more than 200 characters is too long", () => {
  // One letter that stands for eighteen.
  const letter = "\ufdfa";
  expect(named(letter.repeat(11)).name).toBe(letter.repeat(11));
  expect(() => named(letter.repeat(12))).toThrow(
    expect.objectContaining({ code: "request.validation_failed" }),
  );
});

it.each(["x", "é", "漢", "😀", "İ", "\u0390"])("continues a list after the longest name of %s", (letter) => {
  const { name } = named(letter.repeat(200));
  const cursors = createCursors(randomBytes(32));
  const position = { rank: "", id: foldName(name) };
  expect(cursors.read({}, cursors.write({}, position))).toEqual(position);
});
