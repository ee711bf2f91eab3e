import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./mantine.css";
import "@mantine/notifications/styles.css";
import "./look.css";
import { language } from "./texts/language.ts";
import { setTexts } from "./texts/texts.ts";

void start();

async function start(): Promise<void> {
  document.documentElement.lang = language;
  if (language === "de") setTexts((await import("./texts/de.ts")).de);
  // Pages read texts as they load.
  const { showApp } = await import("./app.tsx");
  showApp();
}
