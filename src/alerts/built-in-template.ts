import type { TemplateSource } from "../message/template/template.ts";

/**
 * How alerts are mailed where a rule names no template: a template as any other, which accounts can copy and change. It uses all that
 * `noticeData` gives.
 */
export const builtInTemplate: TemplateSource = {
  name: "alert",
  subject: "{{ title }}",
  text: `{{ state_line }}

{{ message }}

{% if entity != "" %}About:    {{ entity }}
{% endif %}Source:   {{ source }}
Event:    {{ event_type }}
Severity: {{ severity }}
Time:     {{ at }}
{% if count > 1 %}
{% for alert in alerts %}- [{{ alert.severity }}] {{ alert.message }}{% if alert.entity != "" %} ({{ alert.entity }}){% endif %}, {{ alert.at }}
{% endfor %}{% if more > 0 %}- and {{ more }} more
{% endif %}{% endif %}{% if context.size > 0 %}
{% for row in context %}{{ row.name }}: {{ row.value }}
{% endfor %}{% endif %}{% for one in links %}
{{ one.text }}: {{ one.href }}{% endfor %}
{% if link != "" and state != "RESOLVED" %}
Acknowledge, resolve or see what happened:
{{ link }}
{% endif %}
--
You get this by the alert rule "{{ rule }}", incident {{ incident_id }}.
`,
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{ title }}</title></head>
<body style="margin:0;padding:16px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.45;color:#1f2933;background:#ffffff">
<div style="max-width:40em;margin:0 auto">
<p style="margin:0 0 12px;padding:10px 14px;border-radius:6px;font-weight:600;color:#ffffff;background:{% if state == "RESOLVED" %}#1b7f4b{% elsif severity == "critical" %}#b3261e{% elsif severity == "warning" %}#8a5a00{% else %}#1f4e8c{% endif %}">{{ state_line }}</p>
<p style="font-size:18px;margin:0 0 12px;overflow-wrap:anywhere">{{ message }}</p>
<table role="presentation" style="border-collapse:collapse;font-size:14px;margin:0 0 12px">
{% if entity != "" %}<tr><td style="padding:2px 12px 2px 0;color:#52606d;vertical-align:top">About</td><td style="padding:2px 0;overflow-wrap:anywhere">{{ entity }}</td></tr>{% endif %}
<tr><td style="padding:2px 12px 2px 0;color:#52606d">Source</td><td style="padding:2px 0;overflow-wrap:anywhere">{{ source }}</td></tr>
<tr><td style="padding:2px 12px 2px 0;color:#52606d">Event</td><td style="padding:2px 0;overflow-wrap:anywhere">{{ event_type }}</td></tr>
<tr><td style="padding:2px 12px 2px 0;color:#52606d">Severity</td><td style="padding:2px 0">{{ severity }}</td></tr>
<tr><td style="padding:2px 12px 2px 0;color:#52606d">Time</td><td style="padding:2px 0">{{ at }}</td></tr>
</table>
{% if count > 1 %}<ul style="padding-left:18px;font-size:14px">{% for alert in alerts %}
<li style="overflow-wrap:anywhere">[{{ alert.severity }}] {{ alert.message }}{% if alert.entity != "" %} ({{ alert.entity }}){% endif %}, {{ alert.at }}</li>{% endfor %}{% if more > 0 %}
<li>and {{ more }} more</li>{% endif %}
</ul>{% endif %}
{% if context.size > 0 %}<table style="border-collapse:collapse;font-size:14px;width:100%;margin:0 0 12px">
{% for row in context %}<tr><td style="padding:4px 12px 4px 0;border-top:1px solid #e4e7eb;color:#52606d;vertical-align:top">{{ row.name }}</td><td style="padding:4px 0;border-top:1px solid #e4e7eb;overflow-wrap:anywhere">{{ row.value }}</td></tr>
{% endfor %}</table>{% endif %}
{% for one in links %}<p style="margin:0 0 8px"><a href="{{ one.href }}">{{ one.text }}</a></p>
{% endfor %}{% if link != "" and state != "RESOLVED" %}<p style="margin:16px 0"><a href="{{ link }}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4e8c;color:#ffffff;text-decoration:none">Acknowledge or resolve</a></p>
{% endif %}<p style="font-size:13px;color:#52606d">You get this by the alert rule &#8220;{{ rule }}&#8221;, incident {{ incident_id }}.</p>
</div></body></html>
`,
  variables: [
    ...["incident_id", "rule", "title", "state", "state_line", "severity"].map(textVariable),
    ...["event_type", "source", "message", "entity", "at", "link"].map(textVariable),
    { name: "count", type: "number" },
    { name: "more", type: "number" },
    ...["alerts", "context", "links"].map((name) => ({ name, type: "list" as const })),
  ],
};

function textVariable(name: string) {
  return { name, type: "string" as const };
}

/** How what was held back comes: counts, and the newest. */
export const digestTemplate: TemplateSource = {
  name: "alert-digest",
  subject: "{{ subject }}",
  text: `{{ summary }}

{% for one in held %}- {{ one.state }} [{{ one.severity }}] {{ one.title }}, {{ one.at }}
{% endfor %}{% if more > 0 %}- and {{ more }} more
{% endif %}
--
You get this by the alert rule "{{ rule }}", which mails you no more often. What comes beyond that is put together here.
`,
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{ subject }}</title></head>
<body style="margin:0;padding:16px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.45;color:#1f2933">
<div style="max-width:40em;margin:0 auto">
<p style="font-weight:600">{{ summary }}</p>
<ul style="padding-left:18px">{% for one in held %}
<li style="overflow-wrap:anywhere">{{ one.state }} [{{ one.severity }}] {{ one.title }}, {{ one.at }}</li>{% endfor %}{% if more > 0 %}
<li>and {{ more }} more</li>{% endif %}
</ul>
<p style="font-size:13px;color:#52606d">You get this by the alert rule &#8220;{{ rule }}&#8221;, which mails you no more often. What comes beyond that is put together here.</p>
</div></body></html>
`,
  variables: [
    ...["subject", "summary", "rule"].map(textVariable),
    { name: "held", type: "list" },
    { name: "more", type: "number" },
  ],
};
