{{- define "thresher.labels" -}}
app.kubernetes.io/name: thresher
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "thresher.selector" -}}
app.kubernetes.io/name: thresher
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* What the pods of all roles have in common: no rights, a read-only root, secrets as files. */}}
{{- define "thresher.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "thresher.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env:
  - {name: THRESHER_FRONTIER_FILE, value: /run/secrets/thresher/frontier}
  - {name: THRESHER_STORE_FILE, value: /run/secrets/thresher/store}
  - {name: THRESHER_INDEX_FILE, value: /run/secrets/thresher/index}
  - {name: THRESHER_LEASE_S, value: {{ .root.Values.worker.leaseS | quote }}}
  {{- range $name, $value := .root.Values.settings }}
  - {name: {{ printf "THRESHER_%s" (upper $name) }}, value: {{ $value | toString | quote }}}
  {{- end }}
volumeMounts:
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
  - {name: secrets, mountPath: /run/secrets/thresher, readOnly: true}
  {{- if .root.Values.tlsSecret }}
  - {name: tls, mountPath: /etc/thresher/tls, readOnly: true}
  {{- end }}
{{- end }}

{{- define "thresher.volumes" -}}
- {name: tmp, emptyDir: {sizeLimit: 256Mi}}
- name: secrets
  secret: {secretName: {{ .root.Values.secret }}, defaultMode: 0440}
{{- if .root.Values.tlsSecret }}
- name: tls
  secret: {secretName: {{ .root.Values.tlsSecret }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{/* A worker that was told to end is gone within 20 seconds; what it could not give back expires after lease_s. */}}
{{- define "thresher.grace" -}}
{{ min 45 .Values.worker.leaseS }}
{{- end }}

{{/* Whether a worker was heard of: it starts, reads its settings and reaches the frontier before the first heartbeat. */}}
{{- define "thresher.probes" -}}
startupProbe:
  exec: {command: [thresher, worker, check]}
  periodSeconds: 10
  timeoutSeconds: 20
  failureThreshold: 18
livenessProbe:
  exec: {command: [thresher, worker, check]}
  periodSeconds: 60
  timeoutSeconds: 30
  failureThreshold: 3
{{- end }}
