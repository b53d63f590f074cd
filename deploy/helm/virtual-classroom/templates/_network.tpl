{{- define "classroom.policyMetadata" -}}
metadata:
  name: {{ include (.shared | default false | ternary "classroom.releaseName" "classroom.fullname") .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "classroom.labels" .root | nindent 4 }}
{{- end -}}

{{/* Labels that select the pods of an app, also in another release of the installation. */}}
{{- define "classroom.appLabels" -}}
{{- if .root.Values.apps }}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
{{- else }}
{{- include "classroom.releaseLabels" .root }}
{{- end }}
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
{{- if not (or $peer.to $peer.any) }}
{{- fail (printf "networkPolicy.peers.%s.to is empty: name the peers to which apps may connect, such as [{ipBlock: {cidr: …}}], or accept any address with networkPolicy.peers.%s.any: true" $name $name) }}
{{- end }}
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
{{- $callers := .apps -}}
{{- if eq .app "gateway" -}}{{- $callers = merge (dict "test" (dict "talksTo" (list "gateway"))) $callers -}}{{- end -}}
{{- range $caller, $facts := $callers }}
{{- if has $.app $facts.talksTo }}
- from: [{podSelector: {matchLabels: {{ include "classroom.appLabels" (dict "root" $.root "app" $caller) | fromYaml | toJson }}}}]
  ports: [{port: {{ $.facts.http }}}]
{{- end }}
{{- end }}
{{- end -}}
