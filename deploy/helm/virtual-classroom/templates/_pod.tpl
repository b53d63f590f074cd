{{/* Hardening that no value can weaken: what the Pod Security Standard "restricted" requires, and a read-only root filesystem. */}}
{{- define "classroom.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* "restricted" also allows a seccomp profile of the node, which a recorder's Chromium needs for its sandbox. */}}
{{- define "classroom.containerSecurity" -}}
securityContext:
  runAsNonRoot: true
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
  {{- if and (eq (.app | default "") "recorder") .root.Values.recorder.seccompLocalhostProfile }}
  seccompProfile: {type: Localhost, localhostProfile: {{ .root.Values.recorder.seccompLocalhostProfile | quote }}}
  {{- else }}
  seccompProfile: {type: RuntimeDefault}
  {{- end }}
{{- end -}}

{{/* Directories that an app may write to: /tmp, and its home if it has one. */}}
{{- define "classroom.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if .home }}
- {name: home, mountPath: /var/lib/classroom}
{{- end }}
{{- if .root.Values.caCertificates.existingConfigMap }}
- {name: authorities, mountPath: /etc/classroom, readOnly: true}
{{- end }}
{{- end -}}

{{- define "classroom.volumes" -}}
- name: tmp
  # A recorder's Chromium has its shared memory in /tmp.
  emptyDir: {sizeLimit: 1Gi{{ if eq (.app | default "") "recorder" }}, medium: Memory{{ end }}}
{{- with .home }}
- name: home
{{- if .storageClassName }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ .storageClassName | quote }}
        resources: {requests: {storage: {{ .size | quote }}}}
{{- else }}
  emptyDir: {sizeLimit: {{ .size | quote }}}
{{- end }}
{{- end }}
{{- with .root.Values.caCertificates.existingConfigMap }}
- name: authorities
  configMap: {name: {{ . | quote }}}
{{- end }}
{{- end -}}

{{- define "classroom.probes" -}}
startupProbe:
  httpGet: {path: /startupz, port: probes}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 90
livenessProbe:
  httpGet: {path: /livez, port: probes}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: probes}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 3
{{- end -}}

{{/* Sleeps before SIGTERM is sent. */}}
{{- define "classroom.lifecycle" -}}
{{- if .settings.preStopSleepSeconds }}
lifecycle:
  preStop: {sleep: {seconds: {{ int .settings.preStopSleepSeconds }}}}
{{- end }}
{{- end -}}

{{- define "classroom.spread" -}}
{{- if .settings.topologySpreadConstraints -}}
{{- toYaml .settings.topologySpreadConstraints -}}
{{- else -}}
{{- $selector := include "classroom.selector" . -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector: {matchLabels: {{ $selector | fromYaml | toJson }}}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}
{{- end -}}
