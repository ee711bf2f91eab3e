import type { Locator, Page } from "playwright-core";

/** A person at a page. Steps are counted: clicks, and keys outside of typed text. */
export interface PageUser {
  readonly page: Page;
  /** Steps since the last call of `begin`. */
  readonly steps: number;
  /** Opens the overview and resets the counter. */
  begin(path?: string): Promise<void>;
  /** Goes to a page of the navigation. */
  go(name: string): Promise<void>;
  press(target: Locator): Promise<void>;
  /** Presses the first menu item or option with this name, after its button or select box was pressed. */
  choose(name: string): Promise<void>;
  /** Replaces the text of a field or of a code editor. */
  type(field: Locator, text: string): Promise<void>;
}

interface UserParts {
  readonly page: Page;
  /** Address of the dashboard. */
  readonly home: string;
}

const entry = (page: Page, name: string) =>
  page
    .getByRole("menuitem", { name, exact: true })
    .or(page.getByRole("menuitemcheckbox", { name, exact: true }))
    .or(page.getByRole("option", { name, exact: true }))
    .first();

export function createMouseUser({ page, home }: UserParts): PageUser {
  let steps = 0;
  const press = async (target: Locator) => {
    // The page shows the label of a radio button, and hides the button.
    const label = page.locator(`label[for="${await target.getAttribute("id")}"]`);
    await ((await isRadio(target)) ? label : target).click();
    steps++;
  };
  return {
    page,
    get steps() {
      return steps;
    },
    begin: async (path = "/") => {
      await open(page, home + path);
      steps = 0;
    },
    go: (name) => press(page.getByRole("navigation").getByRole("link", { name, exact: true })),
    press,
    choose: (name) => press(entry(page, name)),
    type: async (field, text) => {
      // A dialog puts the focus into its first field.
      if (!(await hasFocus(field))) await press(field);
      await field.fill(text);
    },
  };
}

/** More keys than a page with its navigation and a long form needs. */
const MAX_KEYS = 100;

export function createKeyboardUser({ page, home }: UserParts): PageUser {
  let steps = 0;
  const key = async (name: string) => {
    await page.keyboard.press(name);
    steps++;
  };
  /** At the beginning of a page, its first link leads past the navigation, to the content. */
  async function skipNavigation(target: Locator): Promise<void> {
    if (!(await hasFocus(page.locator("body"))) || !(await isWithin(target, "main#content"))) return;
    await key("Tab");
    const skip = page.getByRole("link", { name: "Skip to content", exact: true });
    // Pages without navigation have none.
    if ((await skip.count()) > 0 && (await hasFocus(skip))) await key("Enter");
  }
  async function reach(target: Locator, by: "Tab" | "ArrowDown"): Promise<void> {
    // The page hides a radio button behind its label.
    await target.waitFor({ state: (await isRadio(target)) ? "attached" : "visible" });
    // A person waits until the page has loaded what a button needs. A disabled one never gets the focus.
    await (await target.elementHandle())?.waitForElementState("enabled");
    if (by === "Tab") await skipNavigation(target);
    for (let n = 0; !(await hasFocus(target)); n++) {
      if (n === MAX_KEYS) throw new Error(`${target} has no focus after ${MAX_KEYS} times ${by}.`);
      // A person goes back to an earlier part of the page.
      await key(by === "Tab" && (await isBeforeFocus(target)) ? "Shift+Tab" : by);
    }
  }
  /** The Tab key reaches the chosen button of a group, and an arrow key chooses the next one. */
  async function chooseRadio(target: Locator): Promise<void> {
    const group = await target.getAttribute("name");
    await reach(page.locator(`input[type=radio][name="${group}"]:checked`), "Tab");
    for (let n = 0; !(await hasFocus(target)); n++) {
      if (n === MAX_KEYS) throw new Error(`${target} has no focus after ${MAX_KEYS} times ArrowDown.`);
      await key("ArrowDown");
    }
  }
  return {
    page,
    get steps() {
      return steps;
    },
    begin: async (path = "/") => {
      await open(page, home + path);
      steps = 0;
    },
    go: async (name) => {
      await key("ControlOrMeta+k");
      // The field of the command palette has the focus.
      const palette = page.getByRole("dialog");
      await palette.locator("input").fill(name);
      await palette.getByText(name, { exact: true }).first().waitFor();
      await key("Enter");
    },
    press: async (target) => {
      if (await isRadio(target)) return chooseRadio(target);
      await reach(target, "Tab");
      await key((await target.getAttribute("type")) === "checkbox" ? "Space" : "Enter");
    },
    choose: async (name) => {
      const target = entry(page, name);
      await target.waitFor();
      await reach(target, "ArrowDown");
      await key("Enter");
    },
    type: async (field, text) => {
      // The page's own search box has a keyboard shortcut.
      if ((await field.getAttribute("type")) === "search") await key("/");
      await reach(field, "Tab");
      if (await isEditor(field)) {
        await key("ControlOrMeta+a");
        await page.keyboard.type(text);
      } else await field.fill(text);
    },
  };
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/** Whether the element has the focus or is the active option of a focused field. */
const hasFocus = (target: Locator) =>
  target.evaluate((element) => {
    const { document } = globalThis as unknown as { readonly document: { readonly activeElement: unknown } };
    const { dataset } = element as unknown as {
      readonly dataset: Readonly<Record<string, string | undefined>>;
    };
    return document.activeElement === element || dataset.comboboxSelected === "true";
  });

/** Whether the element is in an element that the selector matches. */
const isWithin = (target: Locator, selector: string) =>
  target.evaluate(
    (element, ancestor) =>
      (element as unknown as { closest(selector: string): unknown }).closest(ancestor) !== null,
    selector,
  );

/** Whether the element is earlier in the page than the element that has the focus. */
const isBeforeFocus = (target: Locator) =>
  target.evaluate((element) => {
    const { document } = globalThis as unknown as {
      readonly document: {
        readonly activeElement: { compareDocumentPosition(other: unknown): number } | null;
      };
    };
    // Node.DOCUMENT_POSITION_PRECEDING
    const PRECEDING = 2;
    return ((document.activeElement?.compareDocumentPosition(element) ?? 0) & PRECEDING) !== 0;
  });

const isRadio = async (target: Locator) => (await target.getAttribute("type")) === "radio";

/** Whether the field is a code editor, which has its text in elements. */
const isEditor = async (field: Locator) => (await field.getAttribute("contenteditable")) === "true";
