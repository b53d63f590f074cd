{{- define "classroom.policyMetadata" -}}
metadata:
  name: {{ include "classroom.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "classroom.labels" .root | nindent 4 }}
{{- end -}}

{{- define "classroom.appLabels" -}}
{{ include "classroom.releaseLabels" .root }}
app.kubernetes.io/component: {{ .app }}
{{- with .role }}
virtual-classroom/role: {{ . }}
{{- end }}
{{- end -}}

{{/* Egress rules for the destinations in `talksTo`, for name resolution and, if traces are sent, for the collector. */}}
{{- define "classroom.egress" -}}
{{- $root := .root -}}
{{- $peers := $root.Values.networkPolicy.peers -}}
{{- $urls := dict "nats" $root.Values.nats.url "storage" $root.Values.storage.endpoint "livekit" $root.Values.livekit.url "telemetry" $root.Values.telemetry.otlpEndpoint -}}
{{- $all := append .talksTo "dns" -}}
{{- if $root.Values.telemetry.otlpEndpoint -}}{{- $all = append $all "telemetry" -}}{{- end -}}
{{- if not $root.Values.billing.existingSecret -}}{{- $all = without $all "clickhouse" -}}{{- end -}}
{{- range $name := $all }}
{{- if hasKey $peers $name }}
{{- $peer := index $peers $name }}
- ports: {{ $peer.ports | default (list (dict "port" (get $urls $name | include "classroom.port" | int))) | toJson }}
{{- with $peer.to }}
  to: {{ toJson . }}
{{- end }}
{{- else if hasKey $.apps $name }}
- ports: [{port: {{ (index $.apps $name).http }}}]
  to: [{podSelector: {matchLabels: {{ include "classroom.appLabels" (dict "root" $root "app" $name "role" "service") | fromYaml | toJson }}}}]
{{- end }}
{{- end }}
{{- end -}}

{{/* Ingress rules of an app's HTTP server: callers from outside the release, and the apps that talk to it. */}}
{{- define "classroom.callers" -}}
{{- range .facts.calledBy }}
- from: {{ (index $.root.Values.networkPolicy.callers .).from | toJson }}
  ports: [{port: {{ $.facts.http }}}]
{{- end }}
{{- range $caller, $facts := .apps }}
{{- if has $.app $facts.talksTo }}
- from: [{podSelector: {matchLabels: {{ include "classroom.appLabels" (dict "root" $.root "app" $caller) | fromYaml | toJson }}}}]
  ports: [{port: {{ $.facts.http }}}]
{{- end }}
{{- end }}
{{- end -}}
