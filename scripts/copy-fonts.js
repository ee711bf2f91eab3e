// Puts the fonts of PDF documents beside the program, with their licences, which have to go with them. Their packages are for
// the build alone: they have other weights and forms as well, eight times as much.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PROGRAM } from "../bin/load-program.js";
import { unpackWoff } from "./unpack-woff.js";

const SOURCES = path.resolve(import.meta.dirname, "../node_modules");
const FOLDER = path.join(PROGRAM, "fonts");

/** By the packages: where its licence stands, and its fonts by the names under which they are opened. */
const packages = {
  "@embedpdf/fonts-latin": {
    licence: "LICENSE",
    fonts: { "sans.ttf": "fonts/NotoSans-Regular.ttf", "sans-bold.ttf": "fonts/NotoSans-Bold.ttf" },
  },
  "@fontsource/dejavu-mono": {
    licence: "LICENSE",
    fonts: { "mono.ttf": "files/dejavu-mono-latin-400-normal.woff" },
  },
  "@embedpdf/fonts-arabic": {
    licence: "LICENSE",
    fonts: {
      "arabic.ttf": "fonts/NotoNaskhArabic-Regular.ttf",
      "arabic-bold.ttf": "fonts/NotoNaskhArabic-Bold.ttf",
    },
  },
  "@embedpdf/fonts-hebrew": {
    licence: "LICENSE",
    fonts: {
      "hebrew.ttf": "fonts/NotoSansHebrew-Regular.ttf",
      "hebrew-bold.ttf": "fonts/NotoSansHebrew-Bold.ttf",
    },
  },
  "@expo-google-fonts/noto-sans-thai": {
    licence: "LICENSE_FONT",
    fonts: { "thai.ttf": "400Regular/NotoSansThai_400Regular.ttf" },
  },
  "@fontsource/dejavu-sans": {
    licence: "LICENSE",
    fonts: {
      "symbols.ttf": "files/dejavu-sans-latin-400-normal.woff",
      "symbols-bold.ttf": "files/dejavu-sans-latin-700-normal.woff",
    },
  },
  "@embedpdf/fonts-sc": { licence: "LICENSE", fonts: { "han.otf": "fonts/NotoSansHans-Regular.otf" } },
  "@embedpdf/fonts-kr": { licence: "LICENSE", fonts: { "hangul.otf": "fonts/NotoSansKR-Regular.otf" } },
  "@expo-google-fonts/noto-emoji": {
    licence: "LICENSE_FONT",
    fonts: { "emoji.ttf": "400Regular/NotoEmoji_400Regular.ttf" },
  },
};

/** @throws Error when a font or licence is not where it was */
export function copyFonts() {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, { licence, fonts }] of Object.entries(packages)) {
    const copy = (from, to) => {
      const [source, target] = [path.join(SOURCES, name, from), path.join(FOLDER, to)];
      if (from.endsWith(".woff")) writeFileSync(target, unpackWoff(readFileSync(source)));
      else copyFileSync(source, target);
    };
    copy(licence, `${name.replace(/^@/, "").replace("/", "-")}.txt`);
    for (const [target, source] of Object.entries(fonts)) copy(source, target);
  }
}
