import type { BrandColors } from "../brand-colors.ts";

/** The style of a report's page: light, dark and printed. */
export function htmlCss({ fill, onFill, onLight, onDark }: BrandColors): string {
  return `
:root{color-scheme:light dark;--paper:#fff;--soft:#f5f6f8;--ink:#1b1f24;--muted:#5b6470;--line:#d9dde3;--brand:${fill};--on-brand:${onFill};--accent:${onLight};--good:#1a6b3a;--info:#2f5f8f;--warning:#8a5300;--critical:#b3241c}
@media (prefers-color-scheme:dark){:root{--paper:#14171c;--soft:#1d2128;--ink:#e7eaee;--muted:#a3abb6;--line:#343a44;--accent:${onDark};--good:#6cc58d;--info:#8ebbe6;--warning:#e0ad5c;--critical:#f2877f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
header,main,footer{max-width:61rem;margin:0 auto;padding:0 1.5rem}
.band{background:var(--brand);color:var(--on-brand);font-weight:600;padding:.7rem 0}
.band p{max-width:61rem;margin:0 auto;padding:0 1.5rem;display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap}
.logo{display:block;width:auto;height:auto;max-width:16rem;max-height:4.5rem;margin:1.6rem 0 0;padding:.3rem;background:#fff;border-radius:.2rem}
h1{font-size:1.9rem;line-height:1.2;margin:2rem 0 .2rem;letter-spacing:-.01em}
.subject{font-size:1.25rem;color:var(--accent);margin:0 0 1.2rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.3;margin:2.8rem 0 .8rem;padding-top:.9rem;border-top:2px solid var(--accent);break-after:avoid}
h3{font-size:1rem;margin:1.6rem 0 .5rem;break-after:avoid}
p{margin:0 0 .8rem;max-width:46rem;overflow-wrap:anywhere}
a{color:var(--accent);overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0 0 1.6rem;font-size:.93rem}
.facts dt{color:var(--muted)}.facts dd{margin:0;overflow-wrap:anywhere}
.overview{display:grid;grid-template-columns:minmax(13rem,1fr) 2fr;gap:1.5rem;align-items:stretch;margin-bottom:1rem}
.overview>*{min-width:0}
.score{background:var(--soft);border-left:4px solid var(--accent);padding:1rem 1.2rem}
.score h2,.trend h2{all:unset;display:block;font-size:.85rem;font-weight:600;color:var(--muted)}
.score .value{white-space:nowrap;font-size:3.4rem;line-height:1.1;font-weight:700;margin:0;font-variant-numeric:tabular-nums}
.score .of{font-size:1rem;font-weight:400;color:var(--muted)}
.score ul{margin:.4rem 0 0;padding:0;list-style:none;font-size:.88rem;color:var(--muted)}
.grade{display:inline-block;font-size:1.05rem;font-weight:700;border:2px solid;border-radius:.25rem;padding:0 .5rem;margin-left:.6rem;vertical-align:.9rem}
.trend svg,figure svg{display:block;width:100%;height:auto}
figure{margin:0 0 1rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.4rem,1fr));gap:1px;margin:0 0 1rem;padding:1px}
.figures div{box-shadow:0 0 0 1px var(--line);padding:.6rem .8rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}
.figures dt{font-size:.82rem;line-height:1.3;color:var(--muted)}.figures dd{margin:0;font-size:1.5rem;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}
.good{color:var(--good)}.info{color:var(--info)}.warning{color:var(--warning)}.critical{color:var(--critical)}.muted{color:var(--muted)}
.fixes{list-style:none;margin:0;padding:0;counter-reset:fix}
.fixes>li{counter-increment:fix;border:1px solid var(--line);border-left:4px solid currentColor;padding:.9rem 1.1rem;margin:0 0 .9rem;break-inside:avoid}
.fixes .body{color:var(--ink)}
.fixes h3{margin:0 0 .1rem;font-size:1.02rem}
.fixes h3::before{content:counter(fix) ". "}
.fixes .meta{font-size:.88rem;color:var(--muted);margin:0 0 .5rem;display:flex;flex-wrap:wrap;gap:0 1.2rem;overflow-wrap:anywhere}
.fixes .meta b{font-weight:600}
.fixes p{margin:0 0 .5rem}
.record{background:var(--soft);border:1px solid var(--line);padding:.6rem .8rem;margin:0;display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;font-size:.88rem}
.record dt{color:var(--muted)}.record dd{margin:0}
code,.record dd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.85rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;table-layout:fixed;font-size:.88rem;line-height:1.4;margin:0 0 .6rem}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th{text-align:left;font-weight:600;color:var(--muted);border-bottom:1.5px solid var(--ink);padding:.35rem .5rem;vertical-align:bottom;hyphens:auto}
td{border-bottom:1px solid var(--line);padding:.45rem .5rem;vertical-align:top;overflow-wrap:anywhere;unicode-bidi:plaintext;text-align:left}
th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}
thead{display:table-header-group}tr{break-inside:avoid}
td small{display:block;color:var(--muted);font-size:.82rem;font-variant-numeric:tabular-nums}
td.toned>span{font-weight:600}
.note{font-size:.85rem;color:var(--muted)}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid var(--line);color:var(--muted);font-size:.82rem;overflow-wrap:anywhere;max-width:58rem}
@media screen and (max-width:44rem){
header,main,footer,.band p{padding-left:1rem;padding-right:1rem}
h1{font-size:1.55rem}.overview{grid-template-columns:1fr}.facts{grid-template-columns:1fr;gap:0}.facts dd{margin:0 0 .4rem}
.figures{grid-template-columns:repeat(2,1fr)}
.record{grid-template-columns:1fr}figure{overflow-x:auto}figure svg,.trend svg{min-width:34rem}
table,thead,tbody,tr,th,td{display:block;width:auto}table{position:relative}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tbody tr{border:1px solid var(--line);padding:.5rem .8rem;margin:0 0 .6rem}
td,td.number{border:0;padding:.15rem 0;display:grid;grid-template-columns:6.5rem 1fr;gap:0 .6rem;text-align:left}
td::before{content:attr(data-title);color:var(--muted);grid-row:span 2}td small{grid-column:2}
}
@page{size:A4;margin:16mm 15mm 18mm}
@media print{:root{color-scheme:light;--paper:#fff;--soft:#f5f6f8;--ink:#1b1f24;--muted:#5b6470;--line:#d9dde3;--accent:${onLight};--good:#1a6b3a;--info:#2f5f8f;--warning:#8a5300;--critical:#b3241c}
html{font-size:11.5px}body{font-size:1rem}header,main,footer,.band p{padding:0 ;max-width:none}.band{padding:.5rem .8rem;print-color-adjust:exact;-webkit-print-color-adjust:exact}.score,.record{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h1{margin-top:1rem}a{color:inherit;text-decoration:none}}
`.trim();
}
