{{/* Labels by which Services, budgets and policies find pods: `dict "root" $ "part" "agent"`. */}}
{{- define "carillon.labels" -}}
app.kubernetes.io/name: carillon
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* The tag is the chart's, unless the image has one. */}}
{{- define "carillon.image" -}}
{{- if regexMatch "(:[^/]+|@sha256:[0-9a-f]+)$" .image }}{{ .image }}{{ else }}{{ .image }}:{{ .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "carillon.env" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "carillon.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "carillon.targets" -}}
{{- range .Values.networkPolicy.targets }}
- ipBlock: { cidr: {{ . | quote }} }
{{- end }}
{{- end }}
