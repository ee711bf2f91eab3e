{{/* Name of the release, at most 50 characters: names of roles follow. */}}
{{- define "hermod.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of a role. Called with a dict of the context and the role. */}}
{{- define "hermod.selector" -}}
app.kubernetes.io/name: hermod
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "hermod.labels" -}}
{{ include "hermod.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "hermod.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "hermod.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Secrets of a role: the front ends get neither the database nor the operator's token. */}}
{{- define "hermod.secrets" -}}
{{- if eq . "core" -}}
MONGODB_URL HERMOD_SECRET_KEYS HERMOD_GRPC_TOKEN HERMOD_GRPC_FRONT_END_TOKEN HERMOD_GRPC_WORKER_TOKEN
{{- else if eq . "worker" -}}
MONGODB_URL HERMOD_SECRET_KEYS HERMOD_GRPC_WORKER_TOKEN
{{- else -}}
HERMOD_GRPC_FRONT_END_TOKEN
{{- end -}}
{{- end -}}

{{/* Ports of a role, by name. */}}
{{- define "hermod.ports" -}}
{{- if eq . "core" -}}
grpc: 50051
{{- else if eq . "edge" -}}
http: 8080
{{- else if eq . "smtp" -}}
submission: 2587
bounce: 2525
{{- else -}}
{}
{{- end -}}
{{- end -}}
