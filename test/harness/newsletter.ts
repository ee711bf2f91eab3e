/** A mail like a newsletter, and the links that a reader could click. */
export interface Newsletter {
  readonly html: string;
  /** Offsets and targets of its trackable links, in order. */
  readonly links: readonly { readonly from: number; readonly to: number; readonly target: string }[];
  /** Offset of its pixel. */
  readonly pixelAt: number;
}

/** Creates a random generator from 0 to 1 that returns the same sequence for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Text that resembles links without being one, each in a different context. */
const NO_LINKS = [
  '<!--[if mso]><v:roundrect href="https://mso.example/" style="v-text-anchor:middle"><a href="https://mso.example/">Go</a></v:roundrect><![endif]-->',
  '<!-- <a href="https://comment.example/">old</a> -->',
  '<map name="m"><area shape="rect" coords="0,0,9,9" href="https://area.example/" alt=""></map>',
  '<template><a href="https://template.example/">later</a></template>',
  '<textarea><a href="https://textarea.example/"></textarea>',
  '<script type="application/ld+json">{"x":"<a href=\\"https://script.example/\\">"}</script>',
  '<a href="mailto:help@example.com?subject=Hi&amp;body=a">Write</a>',
  '<a href="tel:+4912345">Call</a>',
  '<a href="#top">Top</a>',
  '<a name="top"></a>',
  '<a href="/relative?x=1">Relative</a>',
  '<a href="">Empty</a>',
  "<a href>Bare</a>",
  '<a href="{{ preferences_url }}">Preferences</a>',
  '<a href="https://news.example/web" data-hermod-track="off">View online</a>',
  "<a data-hermod-track=OFF href=https://news.example/legal>Legal</a>",
  '<a href="https://list.example/unsubscribe?u=1&amp;l=2">Unsubscribe</a>',
  '<img src="https://img.example/a.png?x=1&y=2" alt="a > b" width=600>',
  '<td background="https://img.example/bg.png" style="background:url(\'https://img.example/bg.png\')">x</td>',
] as const;

const TEXTS = [
  "Sommer&shy;schluss&nbsp;verkauf – jetzt bis zu 50 % 🎉",
  "5 &lt; 6 & 7 &copy; 2026 &#x1F600; &unknown; &amp",
  "Mit <b>freundlichen <i>Gr\u00fc\u00dfen</b></i>",
  "\u65e5\u672c\u8a9e \ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67 <br/>",
  "a\tb   c",
] as const;

/** Spellings of `href` values as seen in real mail, each with its URL. */
function spelling(
  number: number,
  pick: <T>(list: readonly T[]) => T,
): { open: string; value: string; close: string; target: string } {
  const path = `https://shop.example/p/${number}`;
  const [value, target] = pick([
    [path, path],
    [
      `${path}?utm_source=mail&amp;utm_medium=e&amp;n=${number}`,
      `${path}?utm_source=mail&utm_medium=e&n=${number}`,
    ],
    [`${path}?a=1&b=2`, `${path}?a=1&b=2`],
    [`${path}?q=%C3%BC#part`, `${path}?q=%C3%BC#part`],
    [`HTTPS://Shop.Example/p/${number}`, path],
    [`http://shop.example/p/${number}?x=&#38;y`, `http://shop.example/p/${number}?x=&y`],
  ] as const);
  const [open, close] = pick([
    ['href="', '"'],
    ["href='", "'"],
    ["href=", " "],
    ['HREF = "', '"'],
    ['class="button" href="', '" target="_blank"'],
    ['style="color:#fff;font-family:\'Arial\'"\n     href="', '"\n     title="a > b"'],
    ["href\t=\n'", "'"],
  ] as const);
  return { open, value, close, target };
}

/** Returns the newsletter of this number; the same number returns the same newsletter. */
export function newsletter(seed: number): Newsletter {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const lineEnd = pick(["\n", "\r\n"]);
  const links: { from: number; to: number; target: string }[] = [];
  let html = "";
  const add = (text: string) => {
    html += text.replaceAll("\n", lineEnd);
  };
  const addLink = () => {
    const { open, value, close, target } = spelling(links.length, pick);
    add(`<a ${open}`);
    const from = html.length;
    add(value);
    links.push({ from, to: html.length, target });
    add(`${close}>${pick(TEXTS)}</a>`);
  };

  add(
    pick([
      "<!DOCTYPE html>\n",
      '<!doctype html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x">\n',
      "",
      "\ufeff",
    ]),
  );
  add(pick(['<html lang="de" xmlns:v="urn:schemas-microsoft-com:vml">\n', "<HTML>\n", ""]));
  add("<head><meta charset=utf-8><title>News <a href='https://title.example/'></title>\n");
  add('<link rel="stylesheet" href="https://css.example/a.css">\n');
  add(
    '<style>a[href="https://style.example/"]{color:red} /* </body> <a href="https://style.example/"> */</style></head>\n',
  );
  const hasBody = random() < 0.8;
  if (hasBody) add(pick(['<body style="margin:0" bgcolor=#ffffff>\n', "<BODY>\n"]));
  add('<div style="display:none;max-height:0">Vorschau &zwnj;&nbsp;</div>\n');
  const rows = 1 + Math.floor(random() * 8);
  for (let row = 0; row < rows; row++) {
    add('<table role="presentation" width="100%" cellpadding=0><tr>\n');
    add("<!--[if !mso]><!-->\n");
    for (let cell = 0; cell < 1 + Math.floor(random() * 3); cell++) {
      add(`<td align="center">${pick(TEXTS)}\n`);
      if (random() < 0.7) addLink();
      if (random() < 0.6) add(pick(NO_LINKS));
      add(random() < 0.9 ? "</td>\n" : "\n");
    }
    add("<!--<![endif]--></tr></table>\n");
  }
  addLink();
  const bodyEnd = html.length;
  if (hasBody) add(pick(["</body>", "</BODY >"]));
  const htmlEnd = html.length;
  const hasHtmlEnd = random() < 0.7;
  if (hasHtmlEnd) add("\n</html>\n");
  const beforeHtmlEnd = hasHtmlEnd ? htmlEnd + lineEnd.length : html.length;
  return { html, links, pixelAt: hasBody ? bodyEnd : beforeHtmlEnd };
}
