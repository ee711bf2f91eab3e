const allButApple = "Gmail, Outlook für Windows, Outlook im Web und Yahoo Mail entfernen das.";
const outlook = "Outlook für Windows entfernt das.";
const gmail = "Gmail entfernt das.";
const gmailAndWeb = "Gmail, Outlook im Web und Yahoo Mail entfernen das.";
const gmailToYahoo = "Gmail, Outlook für Windows und Yahoo Mail entfernen das.";
const outlookAndYahoo = "Outlook für Windows und Yahoo Mail entfernen das.";

/** Findings about HTML and CSS that mail programs drop, by code. The programs of each are those of the English text. */
export const htmlFindings = {
  "html.script":
    "Gmail, Outlook für Windows, Outlook im Web, Yahoo Mail und Apple Mail entfernen das. Kein Mailprogramm führt Skripte aus, und Filter behandeln sie als Angriff: entfernen.",
  "html.embedded": `${allButApple} Der Inhalt erscheint nicht: ein Bild verwenden, das auf ihn verlinkt.`,
  "html.link": `${gmailAndWeb} Externe Stylesheets werden nicht geladen: die Stile in die E-Mail schreiben.`,
  "html.svg": `${allButApple} Die Zeichnung erscheint nicht: ein PNG-Bild verwenden.`,
  "html.media": `${allButApple} Die Aufnahme wird nicht abgespielt: ein Bild verwenden, das auf sie verlinkt.`,
  "html.picture": `${allButApple} Nur das <img> darin wird angezeigt: ein Bild wählen, das alle sehen können.`,
  "html.form": `${outlook} Empfänger können das Formular dort nicht absenden: auf eine Seite verlinken, die es enthält.`,
  "image.webp": `${outlook} Das Bild erscheint nicht: PNG oder JPEG verwenden.`,
  "image.svg": `${gmail} Das Bild erscheint nicht: PNG verwenden.`,
  "image.data": `${gmail} Das Bild erscheint nicht: als Anhang mit cid: einbinden oder verlinken.`,
  "css.position":
    "Gmail und Outlook für Windows entfernen das. Elemente stehen, wo sie ohne die Angabe stünden: mit Tabellen anordnen.",
  "css.flex": `${outlook} Spalten stehen untereinander: mit Tabellen anordnen.`,
  "css.grid": `${gmailToYahoo} Zellen stehen untereinander: mit Tabellen anordnen.`,
  "css.float": `${outlook} Elemente stehen untereinander: mit Tabellen anordnen.`,
  "css.media": `${outlook} Regeln für Breiten und den Dunkelmodus gelten nicht: Die E-Mail muss auch ohne sie lesbar sein.`,
  "css.import": `${gmailAndWeb} Importierte Stile werden nicht geladen: in die E-Mail schreiben.`,
  "css.font_face": `${gmailAndWeb} Die Schrift wird nicht geladen: eine passende Ersatzschrift angeben.`,
  "css.variables": `${allButApple} Angaben mit var() haben keine Wirkung: die Werte selbst schreiben.`,
  "css.background_image": `${outlook} Der Hintergrund bleibt leer: eine Hintergrundfarbe setzen, auf der sich der Text lesen lässt.`,
  "css.gradient":
    "Outlook für Windows und Outlook im Web entfernen das. Der Hintergrund bleibt leer: zusätzlich eine Hintergrundfarbe setzen.",
  "css.border_radius": `${outlook} Ecken sind eckig.`,
  "css.box_shadow": `${gmailToYahoo} Schatten erscheinen nicht: Ränder nicht allein durch sie kennzeichnen.`,
  "css.opacity": `${outlook} Elemente erscheinen vollständig: nichts damit verbergen.`,
  "css.motion": `${allButApple} Nichts bewegt oder dreht sich: Die E-Mail muss auch ohne das vollständig sein.`,
  "css.filter": `${allButApple} Der Effekt erscheint nicht: das Bild selbst ändern.`,
  "css.object_fit": `${outlookAndYahoo} Bilder werden verzerrt: ihnen ihr eigenes Seitenverhältnis geben.`,
  "css.rem": `${outlookAndYahoo} Größen in rem werden ignoriert: px verwenden.`,
} as const satisfies Readonly<Record<string, string>>;
