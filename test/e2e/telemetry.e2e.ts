import { spawnSync } from "node:child_process"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { type Program, start } from "./program.ts"
import { pause, until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly events: ReadonlyArray<unknown>
  readonly status: { readonly code: number }
}

/** A collector of OTLP over HTTP: what it received. */
const startCollector = async () => {
  const spans: Array<Span> = []
  const fields: Array<IncomingHttpHeaders> = []
  let received = ""
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    received += text
    fields.push(request.headers)
    for (const { scopeSpans } of JSON.parse(text).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, spans, fields, text: () => received }
}

const metricsOf = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** Signs up, fails to sign in, and requests a mail. */
const use = async ({ port, call, get }: Program, headers: Record<string, string> = {}) => {
  const { cookie } = await call("/sign-up/email", credentials)
  await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...credentials, password: "a wrong password" }),
  })
  await call("/request-password-reset", { email: credentials.email })
  await get("/api/auth/no-such-path?token=in-the-query")
  return cookie ?? ""
}

const secrets = (cookie: string) => ["ada@example.com", "correct horse", "a wrong password", "in-the-query", cookie.split("=")[1] ?? "none"]

it("metrics count operations, sign-ins, hashes, store calls, deliveries and the event loop on a listener of their own", async () => {
  const port = await freePort()
  const program = await start({ mail: { kind: "console" }, telemetry: { metrics: { port } } })
  const cookie = await use(program)
  const delivered = async () => ((await metricsOf(port)).includes('outbox_attempts_total{outcome="delivered"} 1') ? true : undefined)
  await until("the delivery", delivered)

  const text = await metricsOf(port)
  for (const series of [
    'sallyport_operations_total{operation="signUpEmail",code="ok"} 1',
    'sallyport_operations_total{operation="signInEmail",code="invalid_credentials"} 1',
    'sallyport_sign_ins_total{method="email_password",outcome="failed"} 1',
    'sallyport_hash_duration_seconds_count{algorithm="argon2id"} 2',
    "sallyport_hash_queue 0",
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/api/auth/sign-in/email",status_class="4xx"} 1',
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/api/auth/sign-up/email",status_class="2xx"} 1',
    'http_server_request_duration_seconds_count{http_request_method="GET",http_route="unmatched",status_class="4xx"} 1',
    'sallyport_outbox_pending{receiver="mail"} 0',
    "sallyport_removals_pending 0",
    'sallyport_shed_total{workload="list"} 0',
    "sallyport_ready 1",
    'sallyport_limiter_faults_total{budget="sign_in"} 0',
    'sallyport_outbox_attempts_total{outcome="refused"} 0',
    'sallyport_webhook_attempts_total{outcome="failed"} 0',
    "sallyport_trace_export_faults_total 0",
  ])
    expect(text.split("\n")).toContain(series)
  expect(text).toMatch(/^db_client_operation_duration_seconds_count\{verb="commit"\} [1-9]/m)
  expect(text).toMatch(/^nodejs_eventloop_delay_p99_seconds [\d.e-]+$/m)
  expect(text).toMatch(/^nodejs_heap_used_bytes [1-9]/m)
  expect(text).toMatch(/^process_open_fds [1-9]/m)
  expect(text).toMatch(/^db_client_connections\{pool="primary",state="idle"\} \d/m)
  expect(text).toMatch(/^sallyport_session_cache_reads_total\{result="miss"\} \d/m)
  expect(text).toMatch(/^sallyport_build_info\{version="[^"]+",node="24\.[^"]+"\} 1$/m)
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
  for (const secret of secrets(cookie)) expect(text).not.toContain(secret)

  await until("a garbage collection", async () => {
    await Promise.all(Array.from({ length: 50 }, () => program.get("/api/auth/get-session")))
    return /^nodejs_gc_duration_seconds_count\{kind="(minor|major|incremental)"\} [1-9]/m.test(await metricsOf(port)) || undefined
  })
  expect((await program.get("/metrics")).status).toBe(404)
  expect(spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" })
})

it("adds exemplars with the ids of traces in OpenMetrics", async () => {
  const [port, collector] = [await freePort(), await startCollector()]
  const telemetry = { metrics: { port }, traces: { url: collector.url } }
  const program = await start({ store: { kind: "memory" }, telemetry, listen: { drain_delay: 0 } })
  await program.call("/sign-in/email", credentials)
  const headers = { accept: "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5" }
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  expect(response.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8")
  const text = await response.text()
  const [, traceId] =
    /^http_server_request_duration_seconds_bucket\{[^}]*sign-in\/email[^}]*\} 1 # \{trace_id="([0-9a-f]{32})"\} [\d.]+ [\d.]+$/m.exec(
      text,
    ) ?? []
  expect(text).toMatch(/\n# EOF\n$/)
  expect(await metricsOf(port)).not.toContain("trace_id")
  await program.stop()
  expect(collector.spans.map((span) => span.traceId)).toContain(traceId)
})

it("counts refusals of a budget", async () => {
  const port = await freePort()
  const rate_limit = { sign_in: { limit: 1, window: 60 } }
  const { call } = await start({ store: { kind: "memory" }, rate_limit, telemetry: { metrics: { port } } })
  for (let attempt = 0; attempt < 3; attempt++) await call("/sign-in/email", credentials)
  const text = await metricsOf(port)
  expect(text).toContain('sallyport_limiter_refusals_total{budget="sign_in"} 2')
  expect(text).toContain('sallyport_sign_ins_total{method="email_password",outcome="locked"} 2')
})

it("counts failed deliveries to webhooks, and webhooks that are disabled", async () => {
  const port = await freePort()
  const receiver = createServer((_, response) => void response.writeHead(500).end())
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  atEnd(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const webhook = { id: "broken", url, types: ["user.created"], secrets: [`whsec_${"A".repeat(32)}`] }
  const events = { allow_private_addresses: true, webhooks: [webhook] }
  const { call } = await start({ store: { kind: "memory" }, modules: { events }, telemetry: { metrics: { port } } })
  await call("/sign-up/email", credentials)
  const failed = 'sallyport_webhook_attempts_total{outcome="failed"} 1'
  await until("the attempt", async () => ((await metricsOf(port)).includes(failed) ? true : undefined))
  expect(await metricsOf(port)).toMatch(/^sallyport_webhooks_disabled 0$/m)
})

it("traces requests, handlers, store calls, hashes and deliveries, with no value of a request, and flushes them at the end", async () => {
  const collector = await startCollector()
  const traces = { url: collector.url, headers: { authorization: "Bearer collector" } }
  const program = await start({ store: { kind: "memory" }, mail: { kind: "console" }, telemetry: { traces }, listen: { drain_delay: 0 } })
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
  const cookie = await use(program, { traceparent })
  await until("the mail", () => program.logs().includes("Subject:") || undefined)
  expect(await program.stop()).toBe(0)

  const { spans } = collector
  const server = spans.find(({ name }) => name === "POST /api/auth/sign-in/email")
  const attributes = Object.fromEntries(server?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])
  expect(attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/api/auth/sign-in/email",
    "http.response.status_code": 401,
  })
  const inside = spans.filter(({ traceId }) => traceId === server?.traceId).map(({ name }) => name)
  expect(inside).toEqual(expect.arrayContaining(["signInEmail", "verify", "readWithReferencing user"]))
  const names = spans.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(["hash", "deliver mail", "GET unmatched"]))
  // The peer is no trusted proxy, so its trace is not continued.
  expect(server?.traceId).not.toBe("0af7651916cd43dd8448eb211c80319c")
  expect(spans.flatMap(({ events }) => events)).toEqual([])
  expect(collector.fields.map(({ authorization }) => authorization)).toContain("Bearer collector")
  for (const secret of secrets(cookie)) expect(collector.text()).not.toContain(secret)
})

it("the rules of alerts raise what they should", () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "deploy/alerts.test.yaml"], { encoding: "utf8" })
  expect(stdout + stderr).toContain("SUCCESS")
  expect(status).toBe(0)
})

it("exports the share of traces that is asked for, in the name of this process", async () => {
  const collector = await startCollector()
  const exported = async (sample: number) => {
    const before = collector.spans.length
    const telemetry = { traces: { url: collector.url, sample } }
    const program = await start({ store: { kind: "memory" }, telemetry, listen: { drain_delay: 0 } })
    await use(program)
    await program.stop()
    return collector.spans.length - before
  }
  expect(await exported(0)).toBe(0)
  expect(await exported(1)).toBeGreaterThan(10)
  expect(collector.text()).toContain('"service.instance.id"')
})

it("continues the trace of a trusted proxy", async () => {
  const collector = await startCollector()
  const telemetry = { traces: { url: collector.url } }
  const program = await start({
    store: { kind: "memory" },
    telemetry,
    trusted_proxies: ["127.0.0.0/8"],
    listen: { drain_delay: 0 },
  })
  await use(program, { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" })
  await program.stop()
  const server = collector.spans.find(({ name }) => name === "POST /api/auth/sign-in/email")
  expect([server?.traceId, server?.parentSpanId]).toEqual(["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"])
})

it("logs security outcomes at info and every request at debug, with the request id of the response and no value of a request", async () => {
  const program = await start({ store: { kind: "memory" }, log: { level: "debug", format: "json" } })
  const cookie = await use(program)
  const answer = await program.call("/sign-in/email", { ...credentials, password: "a wrong password" })
  await pause(100)
  const lines = program
    .logs()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const own = lines.filter(({ annotations }) => annotations.request_id === answer.headers["x-request-id"])
  expect(own).toMatchObject([
    {
      level: "INFO",
      message: "sign_in.failed",
      annotations: { operation: "signInEmail", method: "email_password", code: "invalid_credentials" },
    },
    { level: "DEBUG", message: "request", annotations: { method: "POST", route: "/api/auth/sign-in/email", status: 401 } },
  ])
  expect(lines.map(({ message }) => message)).toContain("sign_in.succeeded")
  for (const secret of secrets(cookie)) expect(program.logs()).not.toContain(secret)
})
