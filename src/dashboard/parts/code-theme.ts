import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colors of the editor from `look.css`, so that they have enough contrast on light and dark pages. */
export const codeTheme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", minHeight: "2.4em" },
  ".cm-gutters": {
    color: "var(--faint)",
    backgroundColor: "var(--sunken)",
    borderRight: "1px solid var(--line)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { minHeight: "24px", lineHeight: "24px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-tag": { color: "var(--accent)", backgroundColor: "var(--accent-soft)" },
  ".cm-tag *": { color: "var(--accent)" },
});

export const codeColors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.tagName, tags.keyword, tags.propertyName], color: "var(--info)" },
    { tag: tags.attributeName, color: "var(--warn)" },
    { tag: [tags.string, tags.attributeValue], color: "var(--ok)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
    { tag: [tags.comment, tags.meta], color: "var(--faint)" },
  ]),
);

/** Outputs and tags of Liquid that begin and end in one line. */
const liquid = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}|\{%[^{}]*%\}/g,
  decoration: Decoration.mark({ class: "cm-tag" }),
});

class TagMarks {
  decorations: DecorationSet;

  constructor(editor: EditorView) {
    this.decorations = liquid.createDeco(editor);
  }

  update(change: ViewUpdate): void {
    this.decorations = liquid.updateDeco(change, this.decorations);
  }
}

/** Marks outputs and tags of Liquid. */
export const tagMarks = ViewPlugin.fromClass(TagMarks, { decorations: ({ decorations }) => decorations });
