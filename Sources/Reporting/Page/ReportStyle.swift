/// The report's style sheet: light and dark, phone and print, no font or image from elsewhere.
///
/// Text colours keep a contrast of 4.5:1 or more against their ground (WCAG 2.2, 1.4.3), and what
/// colour says is also said by a word, a height or a shape.
enum ReportStyle {
    /// Colours as variables, for both schemes.
    static let colors = """
        :root{color-scheme:light dark;
        --ground:#fbfaf8;--card:#ffffff;--ink:#1b1d20;--soft:#565b62;--line:#dddad4;--code:#f1eee9;
        --good:#17693f;--goodbg:#e3f3ea;--bad:#a8201a;--badbg:#fbe7e5;--warn:#7a4d00;
        --warnbg:#fbf0d9;--active:#2667a8;--tail:#c48a1c;--promo:#7b54b5;--other:#7d848c;
        --area:#9db9d6;--fore:#9cc9ae;--settle:rgba(60,60,60,.07);--hit:rgba(168,32,26,.10)}
        @media (prefers-color-scheme:dark){:root{
        --ground:#141619;--card:#1c1f23;--ink:#e8e9eb;--soft:#a9aeb6;--line:#343940;--code:#262a30;
        --good:#5ccb92;--goodbg:#16301f;--bad:#ff938a;--badbg:#3b1a18;--warn:#e9b949;
        --warnbg:#33280f;--active:#6aa8e6;--tail:#dba53a;--promo:#b08fe6;--other:#8f969e;
        --area:#3d5f83;--fore:#2f6647;--settle:rgba(255,255,255,.06);--hit:rgba(255,147,138,.13)}}
        """

    /// Page, headings, cards, tables.
    static let page = """
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);
        font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;
        -webkit-text-size-adjust:100%}
        main{max-width:1040px;margin:0 auto;padding:24px 20px 64px}
        h1{font-size:30px;line-height:1.15;margin:0;letter-spacing:-.01em;overflow-wrap:anywhere}
        h2{font-size:19px;margin:44px 0 4px}
        h3{font-size:15px;margin:20px 0 6px}
        p{margin:6px 0;max-width:72ch}
        .soft{color:var(--soft)}
        .kicker{color:var(--soft);font-size:13px;margin:0 0 2px}
        code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
        code{overflow-wrap:anywhere}
        pre{background:var(--code);padding:8px 12px;border-radius:6px;margin:8px 0;overflow-x:auto;
        white-space:pre-wrap;overflow-wrap:anywhere}
        .badge{display:inline-block;font-weight:650;font-size:12px;line-height:1;padding:4px 7px;
        border-radius:4px;letter-spacing:.03em;white-space:nowrap}
        .b-pass{color:var(--good);background:var(--goodbg)}
        .b-fail,.b-untested{color:var(--bad);background:var(--badbg)}
        .b-warn,.b-no-baseline,.b-not-decided{color:var(--warn);background:var(--warnbg)}
        .b-not-judged{color:var(--soft);background:var(--code)}
        .verdict{border-left:5px solid;border-radius:6px;padding:14px 18px;margin:20px 0 0}
        .verdict p{margin:2px 0;font-size:16px;max-width:none}
        .verdict ul{margin:6px 0 0;padding:0 0 0 18px}.verdict li{margin:3px 0;overflow-wrap:anywhere}
        .verdict .word{font-size:20px;font-weight:700}
        .v-pass{border-color:var(--good);background:var(--goodbg)}
        .v-fail{border-color:var(--bad);background:var(--badbg)}
        .v-warn,.v-not-decided{border-color:var(--warn);background:var(--warnbg)}
        .v-pass .word{color:var(--good)}.v-fail .word{color:var(--bad)}.v-warn .word,
        .v-not-decided .word{color:var(--warn)}
        .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;
        margin:16px 0 0;padding:0;list-style:none}
        .tiles li{background:var(--card);border:1px solid var(--line);border-radius:8px;
        padding:10px 12px;min-width:0}
        .tiles b{display:block;font-size:20px;line-height:1.25;font-weight:620}
        .tiles span{display:block;color:var(--soft);font-size:12.5px;line-height:1.4}
        .card{background:var(--card);border:1px solid var(--line);border-radius:8px;
        padding:14px 16px;margin:12px 0;min-width:0}
        .card>:first-child{margin-top:0}
        details>summary{cursor:pointer;color:var(--soft);padding:4px 0}
        details[open]>summary{color:var(--ink)}
        summary:focus-visible,.scroll:focus-visible,input:focus-visible+label{outline:2px solid
        var(--active);outline-offset:2px;border-radius:3px}
        .scroll{overflow-x:auto;margin:6px 0}
        table{border-collapse:collapse;font-size:13.5px;width:100%}
        th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);
        vertical-align:top}
        th{font-weight:600;color:var(--soft)}
        td code{white-space:nowrap}
        td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        tbody tr:last-child>*{border-bottom:0}
        tr.group th{padding-top:16px;color:var(--ink)}
        ol.story{list-style:none;margin:10px 0;padding:0 0 0 14px;border-left:2px solid var(--line)}
        ol.story li{display:grid;grid-template-columns:118px minmax(0,1fr);gap:10px;padding:2px 0;
        font-size:14px;overflow-wrap:anywhere}
        ol.story time{color:var(--soft);font-variant-numeric:tabular-nums}
        dl.words{margin:8px 0}
        dl.words dt{font-weight:600;margin-top:10px}
        dl.words dd{margin:0;color:var(--soft);max-width:80ch}
        footer{margin-top:48px;color:var(--soft);font-size:13px}
        .key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12.5px;color:var(--soft);
        margin:6px 0;padding:0;list-style:none}
        .seedlist details{border-top:1px solid var(--line)}.seedlist details:first-of-type{border-top:0}
        .key i{display:inline-block;width:12px;height:10px;border-radius:2px;margin-right:5px}
        """

    /// Bars and timelines.
    static let charts = """
        svg{display:block;width:100%}
        .budget{padding:10px 0 6px;border-bottom:1px solid var(--line)}
        .budget:last-child{border-bottom:0}
        .b-head{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline}
        .b-head>:nth-child(2){flex:1 1 14em;min-width:0;overflow-wrap:anywhere}
        .rule{white-space:nowrap}
        .b-head .value{margin-left:auto;font-variant-numeric:tabular-nums;font-weight:620}
        .budget svg{height:26px;margin-top:5px}
        .budget details.beside{margin-top:-21px}.budget summary{font-size:13px;width:max-content}
        .scale{position:relative;height:18px;font-size:12px;color:var(--soft)}
        .scale span{position:absolute;top:0;white-space:nowrap}
        .track{fill:var(--code)}.over{fill:var(--hit)}
        .bar-pass{fill:var(--good)}.bar-fail{fill:var(--bad)}
        .bar-warn,.bar-no-baseline{fill:var(--warn)}
        .seeds{stroke:var(--ink);stroke-opacity:.55;stroke-width:1.5;vector-effect:non-scaling-stroke}
        .limit{stroke:var(--ink);stroke-width:2;vector-effect:non-scaling-stroke}
        .f-active{fill:var(--active);background:var(--active)}
        .f-tail{fill:var(--tail);background:var(--tail)}
        .f-promotion{fill:var(--promo);background:var(--promo)}
        .f-idle{fill:var(--line);background:var(--line)}
        .f-other,.f-suspended{fill:var(--other);background:var(--other)}
        .f-up{fill:var(--area);background:var(--area)}
        .f-down,.f-fault{fill:var(--bad);background:var(--bad)}
        .plot .lane{position:absolute;min-width:4px;z-index:2;border-radius:1px}
        .f-blackhole{fill:var(--promo);background:var(--promo)}
        .f-captive{fill:var(--warn);background:var(--warn)}
        .f-foreground{fill:var(--fore);background:var(--fore)}
        .f-background{fill:var(--area);background:var(--area)}
        .f-area{fill:var(--area);stroke:var(--active);stroke-width:1;vector-effect:non-scaling-stroke}
        .zoom{position:absolute;opacity:0;width:1px;height:1px}
        .zoom+label{display:inline-block;border:1px solid var(--line);border-radius:4px;
        padding:1px 9px;margin:0 4px 6px 0;font-size:12.5px;color:var(--soft);cursor:pointer}
        .zoom:checked+label{color:var(--ink);border-color:var(--ink)}
        .z4:checked~.scroll .inner{width:400%}.z16:checked~.scroll .inner{width:1600%}
        .inner{position:relative;width:100%;min-width:100%}
        .row{display:grid;grid-template-columns:112px minmax(0,1fr);align-items:center;gap:10px;
        padding:3px 0}
        .row .lab{position:sticky;left:0;font-size:12.5px;line-height:1.2;color:var(--soft);
        background:var(--card);z-index:2;overflow-wrap:anywhere;padding:2px 0}
        .row .lab b{display:block;color:var(--ink);font-weight:600}
        .plot{position:relative;min-width:0}
        .plot svg{height:26px;position:relative;z-index:1}.plot.thin svg{height:14px}.plot.tall svg{height:40px}
        .plot.high{margin-top:16px}.plot.high svg{height:190px}
        .plot .outage{position:absolute;top:0;bottom:0;background:var(--hit);z-index:0}
        .key i.outage{background:var(--bad);opacity:.35}
        .key i.capacity{height:0;border-top:2px dashed var(--ink);vertical-align:middle}
        path.grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
        path.capacity{stroke:var(--ink);stroke-width:2;stroke-dasharray:6 4;fill:none;
        vector-effect:non-scaling-stroke}
        .f-refused{fill:var(--tail);fill-opacity:.75}
        .plot .y{position:absolute;z-index:2;right:2px;font-size:11.5px;line-height:1.2;
        transform:translateY(-100%);color:var(--soft);font-variant-numeric:tabular-nums}
        .plot .y.cap{right:auto;left:4px;color:var(--ink);font-weight:600}
        .plot .settle{position:absolute;top:0;bottom:0;background:var(--settle);z-index:0}
        .plot .name{position:absolute;z-index:2;top:2px;font-size:11.5px;line-height:1.2;padding:0 4px;
        border-radius:0 3px 3px 0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--ink);
        background:var(--card)}
        .plot .at{position:absolute;top:0;bottom:0;width:0;border-left:2px solid var(--bad);z-index:2}
        .plot .at.launch{border-left:2px dotted var(--good)}
        .plot .at span{position:absolute;top:3px;left:-9px;width:16px;height:16px;border-radius:8px;
        font-size:10px;line-height:16px;text-align:center;color:var(--card);background:var(--bad);
        font-weight:700}
        .axis{position:relative;height:18px;font-size:11.5px;color:var(--soft);
        border-bottom:1px solid var(--line)}
        .axis span{position:absolute;bottom:1px;white-space:nowrap;border-left:1px solid var(--line);
        padding-left:3px}
        .energy .row{grid-template-columns:170px minmax(0,1fr) 84px}
        .energy .row .n{text-align:right;font-variant-numeric:tabular-nums;font-size:13px}
        @media (max-width:640px){main{padding:16px 14px 48px}h1{font-size:25px}
        .budget details.desk{margin-top:0}
        .row{grid-template-columns:minmax(0,1fr);gap:1px;padding:5px 0}
        .axis span:nth-child(even),.axis span.late{display:none}
        .row .lab{display:flex;gap:6px;justify-self:start;max-width:92vw}
        .energy .row{grid-template-columns:minmax(0,1fr) 76px;column-gap:8px}.energy .row .lab{grid-column:1/-1}
        ol.story li{grid-template-columns:minmax(0,1fr);gap:0;padding:4px 0}
        .tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
        .figures tr,.faults tr{display:grid;border-bottom:1px solid var(--line);padding:3px 0}
        .figures tr{grid-template-columns:2.6em repeat(4,minmax(0,1fr))}
        .figures.compared tr{grid-template-columns:2.6em repeat(5,minmax(0,1fr))}
        .faults tr{grid-template-columns:repeat(3,minmax(0,1fr))}
        :is(.figures,.faults) tr>*{border:0;padding:1px 0 1px 6px;white-space:normal;
        overflow-wrap:anywhere}
        .figures tr>:first-child,.faults tr>:is(:first-child,:last-child){grid-column:1/-1;
        padding-left:0}
        :is(.figures,.faults) .n{font-size:12px}.figures tr.group th{padding-top:12px}}
        @media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}
        .card,.budget,.tiles li,table tr,.verdict{break-inside:avoid}.zoom+label{display:none}
        .inner{width:100%!important}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
        """

    /// All of it.
    static let text = colors + "\n" + page + "\n" + charts
}
