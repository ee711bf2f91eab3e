import type { TemplateSource } from "../message/template/template.ts";

/**
 * Styles are inline, because many mail clients ignore the head. The styles in the head are only for dark mode: a client that
 * ignores them shows the light colors, or inverts them itself.
 */
const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16191d !important; color: #e4e7eb !important; }
  .dim { color: #a3adb8 !important; }
  .line { border-color: #3b444e !important; }
  .link { color: #8ab8f0 !important; }
}
</style>
`;
const BODY = `<body class="page" style="margin:0;padding:0;font-family:system-ui,sans-serif;font-size:16px;line-height:1.45;color:#1f2933;background:#ffffff">
<div class="page" style="max-width:640px;margin:0 auto;padding:16px;color:#1f2933;background:#ffffff">`;
/** Breaks words that are wider than a phone. The second property is for clients that do not support the first. */
const BREAKS = "overflow-wrap:anywhere;word-break:break-word";
const TABLE = "border-collapse:collapse;table-layout:fixed;width:100%;font-size:14px;margin:0 0 16px";
const NAME = `padding:4px 14px 4px 0;color:#52606d;vertical-align:top;${BREAKS}`;
/** Table cell for the fields of an alert. */
const FACT = `width:70px;${NAME}`;
/** Table cell for the context. Its names can be as long as its values. */
const KEY = `width:30%;${NAME}`;
const VALUE = `padding:4px 0;vertical-align:top;${BREAKS}`;
const LINE = "border-top:1px solid #e4e7eb";
const LIST = "margin:0 0 16px;padding-left:20px;font-size:14px";
const ITEM = `margin:0 0 6px;${BREAKS}`;
const TIME = "font-size:13px;color:#52606d";
const HEADING = "margin:0 0 8px;font-size:14px;font-weight:600";
/** Style for multi-line messages, which may have aligned columns. */
const LINES = "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px";
const MORE = "margin:0 0 16px;font-size:14px";
const FOOT = `margin:24px 0 0;font-size:13px;color:#52606d;${BREAKS}`;

/** Sentence about omitted text, with a link to the whole text. */
function moreIn(variable: string, part: "text" | "html"): string {
  const elsewhere = `{{ ${variable} }}: see incident {{ incident_id }}`;
  const linked =
    part === "text"
      ? `{{ ${variable} }}: {{ link }}`
      : `<a class="link" href="{{ link }}" style="color:#1f4e8c">{{ ${variable} }}</a>`;
  return `{% if link != "" %}${linked}{% else %}${elsewhere}{% endif %}`;
}

/**
 * Default template of alert e-mails. Accounts can copy and change it like any other template. It uses all values of `noticeData`.
 */
export const builtInTemplate: TemplateSource = {
  name: "alert",
  subject: "{{ title }}",
  text: `{{ state_line }}

{% for line in message_lines %}{{ line }}
{% endfor %}{% if message_more != "" %}${moreIn("message_more", "text")}
{% endif %}
{% if entity != "" %}About:    {{ entity }}
{% endif %}Source:   {{ source }}
Event:    {{ event_type }}
Severity: {{ severity }}
Time:     {{ at }}
{% if count > 1 %}
{% for alert in alerts %}- [{{ alert.severity }}] {{ alert.message }}{% if alert.entity != "" %} ({{ alert.entity }}){% endif %}, {{ alert.at }}
{% endfor %}{% if more > 0 %}- and {{ more }} more
{% endif %}{% endif %}{% if context.size > 0 %}
{% if count > 1 %}Context of the most severe alert:
{% endif %}{% for row in context %}{{ row.name }}: {{ row.value }}
{% endfor %}{% if context_more != "" %}${moreIn("context_more", "text")}
{% endif %}{% endif %}{% for one in links %}
{{ one.text }}: {{ one.href }}{% endfor %}
{% if link != "" and state != "RESOLVED" %}
Acknowledge, resolve or view the incident:
{{ link }}
{% endif %}
--
Sent by the alert rule "{{ rule }}" for incident {{ incident_id }}.
`,
  html: `${HEAD}<title>{{ title }}</title></head>
${BODY}
<p style="margin:0 0 16px;padding:10px 14px;border-radius:6px;font-weight:600;color:#ffffff;background:{% if state == "RESOLVED" %}#1b7f4b{% elsif severity == "critical" %}#b3261e{% elsif severity == "warning" %}#8a5a00{% else %}#1f4e8c{% endif %}">{{ state_line }}</p>
<p style="margin:0 0 12px;{% if message_lines.size > 1 %}${LINES}{% else %}font-size:18px{% endif %};white-space:pre-wrap;${BREAKS}">{% for line in message_lines %}{{ line }}{% unless forloop.last %}<br>{% endunless %}{% endfor %}</p>
{% if message_more != "" %}<p style="${MORE}">${moreIn("message_more", "html")}</p>
{% endif %}<table role="presentation" style="${TABLE}">
{% if entity != "" %}<tr><td class="dim" style="${FACT}">About</td><td style="${VALUE}">{{ entity }}</td></tr>
{% endif %}<tr><td class="dim" style="${FACT}">Source</td><td style="${VALUE}">{{ source }}</td></tr>
<tr><td class="dim" style="${FACT}">Event</td><td style="${VALUE}">{{ event_type }}</td></tr>
<tr><td class="dim" style="${FACT}">Severity</td><td style="${VALUE}">{{ severity }}</td></tr>
<tr><td class="dim" style="${FACT}">Time</td><td style="${VALUE}">{{ at }}</td></tr>
</table>
{% if link != "" and state != "RESOLVED" %}<p style="margin:0 0 20px"><a href="{{ link }}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4e8c;color:#ffffff;text-decoration:none">Acknowledge or resolve</a></p>
{% endif %}{% if count > 1 %}<ul style="${LIST}">{% for alert in alerts %}
<li style="${ITEM}">[{{ alert.severity }}] {{ alert.message }}{% if alert.entity != "" %} ({{ alert.entity }}){% endif %}<br><span class="dim" style="${TIME}">{{ alert.at }}</span></li>{% endfor %}{% if more > 0 %}
<li style="${ITEM}">and {{ more }} more</li>{% endif %}
</ul>
{% endif %}{% if context.size > 0 %}{% if count > 1 %}<p style="${HEADING}">Context of the most severe alert:</p>
{% endif %}<table role="presentation" style="${TABLE}">
{% for row in context %}<tr><td class="dim line" style="${LINE};${KEY}">{{ row.name }}</td><td class="line" style="${LINE};${VALUE}">{{ row.value }}</td></tr>
{% endfor %}</table>
{% if context_more != "" %}<p style="${MORE}">${moreIn("context_more", "html")}</p>
{% endif %}{% endif %}{% for one in links %}<p style="margin:0 0 8px;${BREAKS}"><a class="link" href="{{ one.href }}" style="color:#1f4e8c">{{ one.text }}</a></p>
{% endfor %}<p class="dim" style="${FOOT}">Sent by the alert rule &#8220;{{ rule }}&#8221; for incident {{ incident_id }}.</p>
</div></body></html>
`,
  variables: [
    ...["incident_id", "rule", "title", "state", "state_line", "severity"].map(textVariable),
    ...["event_type", "source", "message_more", "context_more", "entity", "at", "link"].map(textVariable),
    { name: "count", type: "number" },
    { name: "more", type: "number" },
    ...["message_lines", "alerts", "context", "links"].map((name) => ({ name, type: "list" as const })),
  ],
};

function textVariable(name: string) {
  return { name, type: "string" as const };
}

/** The title has the severity with which the incident began. */
const HELD = `{% assign mark = one.severity | prepend: "[" | append: "]" %}{{ one.state }} {% unless one.title contains mark %}now {{ mark }} {% endunless %}{{ one.title }}`;

/** Digest of suppressed notices: their counts, and the newest of them. */
export const digestTemplate: TemplateSource = {
  name: "alert-digest",
  subject: "{{ subject }}",
  text: `{{ summary }}

{% for one in held %}- ${HELD}{{ one.times }}, {{ one.at }}
{% if one.link != "" %}  {{ one.link }}
{% endif %}{% endfor %}{% if more > 0 %}- and {{ more }} more notices
{% endif %}
--
Sent by the alert rule "{{ rule }}". Its notification limit was reached, so this digest combines further notices.
`,
  html: `${HEAD}<title>{{ subject }}</title></head>
${BODY}
<p style="margin:0 0 12px;font-weight:600">{{ summary }}</p>
<ul style="${LIST}">{% for one in held %}
<li style="${ITEM}">{% if one.link != "" %}<a class="link" href="{{ one.link }}" style="color:#1f4e8c">${HELD}</a>{% else %}${HELD}{% endif %}{{ one.times }}<br><span class="dim" style="${TIME}">{{ one.at }}</span></li>{% endfor %}{% if more > 0 %}
<li style="${ITEM}">and {{ more }} more notices</li>{% endif %}
</ul>
<p class="dim" style="${FOOT}">Sent by the alert rule &#8220;{{ rule }}&#8221;. Its notification limit was reached, so this digest combines further notices.</p>
</div></body></html>
`,
  variables: [
    ...["subject", "summary", "rule"].map(textVariable),
    { name: "held", type: "list" },
    { name: "more", type: "number" },
  ],
};
