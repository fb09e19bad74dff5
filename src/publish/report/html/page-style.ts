/** Styles our pages: light and dark, on a phone, on a desk and on paper. */
import { CHART_STYLE, TRADE_OFF_STYLE } from "../../charts/index.ts";

export const LIGHT =
  "--page:#f5f6f8;--card:#fff;--ink:#16202a;--ink-soft:#526070;--line:#dfe4ea;--accent:#2f6690;--accent-2:#b3541e;--on-accent:#fff;--hex-edge:rgba(255,255,255,.75);--empty:#c9cfd6;--good:#1b7f5c;--weak:#b3541e;--code:#eef1f5;--danger:#b00020";
export const DARK =
  "--page:#0f1419;--card:#182028;--ink:#e8edf2;--ink-soft:#9fb0c0;--line:#2b3743;--accent:#6fb1e0;--accent-2:#f0a36b;--on-accent:#0f1419;--hex-edge:rgba(15,20,25,.7);--empty:#46535f;--good:#5cc9a0;--weak:#f0a36b;--code:#111920;--danger:#c62838";

export const PAGE_STYLE = `
:root{color-scheme:light dark;${LIGHT};--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:1040px;margin:0 auto;padding:28px 20px 64px}
h1{font-size:clamp(1.5rem,4vw,2.1rem);line-height:1.15;margin:0;letter-spacing:-.01em}
h2{font-size:1.35rem;line-height:1.25;margin:0 0 10px;letter-spacing:-.005em}
h3{font-size:1rem;margin:0 0 8px}
p{margin:0 0 12px}
section+section{margin-top:52px}
section>h3{margin-top:22px}
header{display:flex;gap:16px;align-items:center;margin-bottom:22px}
.logo{width:44px;flex:none}
.lead{color:var(--ink-soft);font-size:1.05rem;margin:4px 0 0}
section>.lead{color:var(--ink);margin-bottom:16px}
.banner{background:var(--danger);color:#fff;font-weight:700;text-align:center;padding:12px 20px;font-size:1.1rem;letter-spacing:.01em;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 18px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:0 0 16px}
.figures dt{color:var(--ink-soft);font-size:.85rem}
.figures dd{margin:0;font-size:1.6rem;font-weight:650;line-height:1.25;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.figures .long{font-size:1.2rem;line-height:1.667}
.figures small{display:block;font-size:.8rem;font-weight:400;letter-spacing:0;line-height:1.35;color:var(--ink-soft)}
figure{margin:0}
.map{margin-bottom:16px}
.map>input{position:absolute;opacity:0;pointer-events:none}
.map-controls{display:flex;flex-wrap:wrap;gap:10px 16px;justify-content:space-between;align-items:center;margin-bottom:8px}
.switch{display:flex;flex-wrap:wrap;gap:4px;background:var(--code);border-radius:9px;padding:4px}
.switch label{padding:4px 12px;border-radius:6px;font-size:.9rem;cursor:pointer}
.layer{font-size:.9rem;color:var(--ink-soft)}
.layer select{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:4px 8px;max-width:100%}
html:not(.scripted) .layer select{pointer-events:none;opacity:.7}
.legend{display:none;max-width:460px}
.legends{margin-top:10px}
figcaption{font-size:.85rem;color:var(--ink-soft);margin-top:10px}
html:not(.scripted) #chosen{display:none}
.key{display:inline-block;font-weight:700;color:var(--ink)}
.key-empty{width:.8em;height:.8em;background:var(--empty);border-radius:2px;margin-left:.4em}
.summary{font-size:1.02rem}
.origin{font-size:.82rem;color:var(--ink-soft);margin:0}
nav{margin:0 0 40px;padding:14px 0;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:6px 20px;font-size:.92rem}
a{color:var(--accent)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr));gap:16px;align-items:start}
details>.charts{margin-top:12px}
summary{cursor:pointer;color:var(--accent)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:16px;margin-bottom:20px}
ul{margin:0 0 12px;padding-left:1.2em}
li+li{margin-top:6px}
.scroller{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px;margin-bottom:14px;overflow-wrap:normal}
table{border-collapse:collapse;width:100%;font-size:.88rem}
th,td{padding:7px 12px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--line);font-weight:400}
tbody tr:last-child>*{border-bottom:0}
thead th{font-weight:600;color:var(--ink-soft);vertical-align:bottom}
th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
th[aria-sort=ascending] button::after{content:" ▲"}
th[aria-sort=descending] button::after{content:" ▼"}
td bdi,.id{font-family:var(--mono);font-size:.92em}
.number{text-align:right;font-variant-numeric:tabular-nums}
.words td{white-space:normal}
.words td.wide{min-width:260px}
abbr{color:var(--weak);font-weight:700;text-decoration:none;cursor:help}
.verdict{border-left:4px solid var(--line);padding:2px 0 2px 12px}
.verdict.good{border-color:var(--good)}
.verdict.weak{border-color:var(--weak)}
.note{font-size:.9rem;color:var(--ink-soft)}
pre{background:var(--code);border:1px solid var(--line);border-radius:10px;padding:12px 14px;margin:0 0 16px;font:13px/1.5 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
code{font-family:var(--mono);font-size:.95em}
.identity{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0;font-size:.9rem}
.identity dt{color:var(--ink-soft)}
.identity dd{margin:0;font-family:var(--mono);font-size:.92em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:520px){main{padding:18px 14px 48px}.card{padding:13px 14px}.figures{grid-template-columns:1fr 1fr;gap:8px}.figures dd{font-size:1.3rem}.figures>:last-child:nth-child(odd){grid-column:span 2}.identity{grid-template-columns:1fr;gap:0}.identity dd{margin-bottom:8px}header{gap:12px;align-items:flex-start}}
${CHART_STYLE}${TRADE_OFF_STYLE}
@media print{
@page{size:A4;margin:14mm}
:root{color-scheme:light;${LIGHT};--page:#fff}
body{font-size:10.5pt;line-height:1.4}
main{max-width:none;padding:0}
.cover{break-after:page}
.banner{padding:6px}
.banner+main{padding-top:10px}
.cover header{margin-bottom:12px}
.figures{grid-template-columns:repeat(5,1fr);gap:6px;margin-bottom:10px}
.figures .card{padding:8px 10px}
.figures dd{font-size:14pt}
.figures small{font-size:7.5pt}
.map{padding:10px 12px;margin-bottom:10px}
.map-body{max-width:140mm;margin:0 auto}
.vg-hex{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.switch,nav,#chosen,.map>input{display:none}
.layer select{border:0;padding:0;appearance:none}
section+section{margin-top:26px}
.scroller{overflow:visible;border:0;overflow-wrap:anywhere}
.charts{grid-template-columns:1fr 1fr;gap:8px}
.vg-intervals{zoom:.62}
table{font-size:5.5pt}
th,td{padding:2px 3px;white-space:nowrap}
td.text,th.text{white-space:normal}
tr,.verdict,pre,figure{break-inside:avoid}
.charts figure{break-inside:auto}
h2,h3{break-after:avoid}
}
`;
