import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Modal,
  Notification,
  PasswordInput,
  TextInput,
  type VariantColorsResolver,
} from "@mantine/core";
import { t } from "./texts/texts.ts";

/** The accent of `look.css`: shade 8 on light pages, shade 3 on dark ones. */
const accent = [
  "#eeedfb",
  "#d9d6f7",
  "#c1bcfb",
  "#a9a3ff",
  "#8f88f2",
  "#7a72e3",
  "#6a61d8",
  "#5b52d0",
  "#4f46c8",
  "#3f38a6",
] as const;

/** The grays of `look.css` on dark pages, from text to background: fields and menus use these. */
const dark = [
  "#ececf1",
  "#c9c9d2",
  "#a5a5b3",
  "#9090a0",
  "#3b3b49",
  "#2a2a35",
  "#1f1f28",
  "#18181f",
  "#111116",
  "#0c0c10",
] as const;

export function createDashboardTheme() {
  return createTheme({
    colors: { accent, dark },
    primaryColor: "accent",
    primaryShade: { light: 8, dark: 3 },
    variantColorResolver: resolveVariant,
    fontFamily: "var(--font)",
    fontFamilyMonospace: "var(--mono)",
    defaultRadius: 8,
    respectReducedMotion: true,
    fontSizes: { sm: "14px", md: "14px" },
    headings: { fontFamily: "var(--font)" },
    components: {
      Button: Button.extend({ defaultProps: { size: "sm" }, styles: { root: { fontWeight: 550 } } }),
      ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle" } }),
      TextInput: TextInput.extend({ defaultProps: { size: "sm" } }),
      PasswordInput: PasswordInput.extend({
        defaultProps: { size: "sm", visibilityToggleButtonProps: { "aria-label": t.common.showPassword } },
      }),
      Notification: Notification.extend({
        defaultProps: { closeButtonProps: { "aria-label": t.common.close } },
      }),
      Modal: Modal.extend({
        defaultProps: { centered: true, closeButtonProps: { "aria-label": t.common.close } },
      }),
    },
  });
}

/** Filled controls take their colors from `look.css`. Its pairs have enough contrast in both schemes. */
const tones: Readonly<Record<string, readonly [background: string, text: string]>> = {
  accent: ["var(--accent)", "var(--on-accent)"],
  red: ["var(--bad)", "var(--on-bad)"],
};

const resolveVariant: VariantColorsResolver = (input) => {
  const tone = tones[input.color ?? input.theme.primaryColor];
  if (input.variant !== "filled" || !tone) return defaultVariantColorsResolver(input);
  const [background, color] = tone;
  const hover = `color-mix(in srgb, ${background} 88%, var(--text))`;
  return { background, hover, color, border: "1px solid transparent", hoverColor: color };
};

/** Colors of Mantine that lack the contrast of WCAG 2.2 AA are replaced by colors of `look.css`. */
const replaced = {
  "--mantine-color-body": "var(--bg)",
  "--mantine-color-text": "var(--text)",
  "--mantine-color-dimmed": "var(--muted)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-default": "var(--panel)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-default-color": "var(--text)",
};

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: replaced,
  // Drop-down fields and lists.
  dark: {
    ...replaced,
    "--mantine-color-dark-6": "var(--panel)",
    "--mantine-color-dark-4": "var(--line-strong)",
  },
});
