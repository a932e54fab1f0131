{{- define "sallyport.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}

{{- define "sallyport.selector" -}}
app.kubernetes.io/name: sallyport
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sallyport.labels" -}}
{{ include "sallyport.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "sallyport.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "sallyport.config" -}}
{{- $own := dict "listen" (dict "host" "0.0.0.0" "port" 3000 "drain_delay" .Values.drain.delay "drain" .Values.drain.timeout) -}}
{{- if .Values.metrics.enabled -}}
{{- $_ := set $own "telemetry" (dict "metrics" (dict "host" "0.0.0.0" "port" .Values.metrics.port)) -}}
{{- end -}}
{{ merge $own .Values.config | toPrettyJson }}
{{- end -}}

{{/* The container of the service and of the migration, without its name, ports and probes. */}}
{{- define "sallyport.container" -}}
image: {{ include "sallyport.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  {{- if .Values.caBundleSecret }}
  - { name: NODE_EXTRA_CA_CERTS, value: /etc/sallyport/ca/ca.crt }
  {{- end }}
  {{- range .Values.reloadedSecret.variables }}
  - { name: {{ . }}_FILE, value: /etc/sallyport/secret/{{ . }} }
  {{- end }}
  {{- with .Values.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
envFrom:
  - secretRef: { name: {{ .Values.existingSecret }} }
  {{- with .Values.envFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - { name: config, mountPath: /config, readOnly: true }
  - { name: temporary, mountPath: /tmp }
  {{- if .Values.reloadedSecret.name }}
  - { name: secret, mountPath: /etc/sallyport/secret, readOnly: true }
  {{- end }}
  {{- if .Values.caBundleSecret }}
  - { name: ca, mountPath: /etc/sallyport/ca, readOnly: true }
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "sallyport.pod" -}}
automountServiceAccountToken: false
# Variables of service links, such as SALLYPORT_PORT, look like settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The volumes; takes the root and the name of the ConfigMap. */}}
{{- define "sallyport.volumes" -}}
- { name: config, configMap: { name: {{ .config }} } }
- { name: temporary, emptyDir: { sizeLimit: 64Mi } }
{{- if .root.Values.reloadedSecret.name }}
- { name: secret, secret: { secretName: {{ .root.Values.reloadedSecret.name }} } }
{{- end }}
{{- if .root.Values.caBundleSecret }}
- { name: ca, secret: { secretName: {{ .root.Values.caBundleSecret }} } }
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
