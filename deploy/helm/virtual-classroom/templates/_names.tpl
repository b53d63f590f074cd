{{- define "classroom.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $both := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- $both | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Prefix of the objects that each release has: several releases of one installation share the full name. */}}
{{- define "classroom.releaseName" -}}
{{- if .Values.apps -}}
{{- if not .Values.fullnameOverride -}}{{- fail "apps is set: set fullnameOverride, the same in all releases" -}}{{- end -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- include "classroom.fullname" . -}}
{{- end -}}
{{- end -}}

{{- define "classroom.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "classroom.releaseName" .) "default") -}}
{{- end -}}

{{/* Labels of every pod of the release. Together they select these pods and no others. */}}
{{- define "classroom.releaseLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels of objects, not of pods: they change with the chart version, and Kubernetes replaces a pod whose labels change. */}}
{{- define "classroom.labels" -}}
{{ include "classroom.releaseLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The apps of files/apps.yaml that this installation has, in whatever release, as YAML. */}}
{{- define "classroom.installedApps" -}}
{{- $apps := dict -}}
{{- range $app, $facts := .Files.Get "files/apps.yaml" | fromYaml -}}
{{- $isReplaced := and (eq $app "recorder") (eq $.Values.recording.engine "egress") -}}
{{- if and (index $.Values $app).enabled (not $isReplaced) -}}
{{- $_ := set $apps $app $facts -}}
{{- end -}}
{{- end -}}
{{- toYaml $apps -}}
{{- end -}}

{{/* Those that this release deploys. */}}
{{- define "classroom.apps" -}}
{{- $apps := fromYaml (include "classroom.installedApps" .) -}}
{{- range $app := keys $apps -}}
{{- if and $.Values.apps (not (has $app $.Values.apps)) -}}{{- $_ := unset $apps $app -}}{{- end -}}
{{- end -}}
{{- toYaml $apps -}}
{{- end -}}

{{/* Settings of one workload, as YAML: the defaults, overridden by <app>.<role>. */}}
{{- define "classroom.settings" -}}
{{- $own := index (index .root.Values .app) .role | default dict -}}
{{- mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own) | toYaml -}}
{{- end -}}

{{- define "classroom.image" -}}
{{- $image := mustMergeOverwrite (deepCopy .root.Values.image) (deepCopy (index .root.Values .app).image) -}}
{{- $repository := (index .root.Values .app).image.repository | default (printf "%s/%s" $image.repository .app) -}}
{{- $name := empty $image.registry | ternary $repository (printf "%s/%s" $image.registry $repository) -}}
{{- or (empty $image.digest) (not (empty .tag)) | ternary (printf "%s:%s" $name (.tag | default $image.tag | default .root.Chart.AppVersion)) (printf "%s@%s" $name $image.digest) -}}
{{- end -}}

{{/* The port of an address (its first, if it lists several), or the default port of its scheme. NetworkPolicies need it. */}}
{{- define "classroom.port" -}}
{{- $url := urlParse (splitList "," . | first) -}}
{{- $named := splitList ":" $url.host | last -}}
{{- $byScheme := dict "https" "443" "wss" "443" "http" "80" "ws" "80" "nats" "4222" "tls" "4222" -}}
{{- regexMatch "^[0-9]+$" $named | ternary $named (get $byScheme $url.scheme | default "443") -}}
{{- end -}}
