import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { BlockList } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { observationOf } from "../adapters/assembly/telemetry.ts"
import { configurationOf, load } from "../adapters/config/load.ts"
import { codes } from "../adapters/process/start-faults.ts"
import { optional } from "../application/modules/index.ts"
import * as Auth from "../application/service/auth.ts"
import { modules } from "./everything.ts"

const root = join(import.meta.dirname, "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const folder = mkdtempSync(join(tmpdir(), "sallyport-deploy-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = "a secret for these tests only, 32+ bytes"
const secretFile = join(folder, "secret")
writeFileSync(secretFile, `${secret}\n`)

/** The configuration of an environment, in which the secret is in a file. */
const loaded = (environment: Record<string, string>) =>
  Effect.runPromise(load({ directory: folder, environment: { ...environment, SALLYPORT_SECRET_FILE: secretFile } }, optional))

const chart = "deploy/helm/sallyport"
const alerts = `${chart}/files/alerts.yaml`
const dashboards = ["deploy/grafana/sallyport.json", "deploy/grafana/sallyport-database.json"]

it.each([
  "compose.yaml",
  "deploy/patroni/patroni.yml",
  "deploy/prometheus-adapter.yaml",
  alerts,
  "deploy/alerts.test.yaml",
  `${chart}/Chart.yaml`,
  `${chart}/values.yaml`,
])("%s is YAML with unique keys", (path) => {
  expect(parse(read(path), { strict: true, uniqueKeys: true })).toBeTypeOf("object")
})

describe("the names of metrics", async () => {
  const auth = Auth.make(modules)
  const configuration = await Effect.runPromise(configurationOf({ secret, telemetry: { metrics: {} } }, []))
  const { instruments } = observationOf(auth, modules, auth.tables, configuration)
  const sources = ["domain", "application", "adapters"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".ts"))
    .map(read)
    .join("")
  /** Names of the same form that are not those of metrics. */
  const ofDatabases = ["sallyport_app", "sallyport_revision", "sallyport_schema"]
  const existing = new Set([
    ...(sources.match(/"(?:sallyport|http_server|db_client|nodejs|process)_[a-z0-9_]+"/g) ?? [])
      .map((name) => name.slice(1, -1))
      .filter((name) => !ofDatabases.includes(name)),
    ...modules.flatMap(({ gauges }) => gauges.map(({ name }) => name)),
  ])

  const expressions = (path: string) =>
    path.endsWith(".json")
      ? JSON.parse(read(path)).panels.flatMap(({ targets }: { targets: ReadonlyArray<{ expr: string }> }) =>
          targets.map(({ expr }) => expr),
        )
      : parse(read(path)).groups.flatMap(({ rules }: { rules: ReadonlyArray<{ expr: string }> }) => rules.map(({ expr }) => expr))
  const namesIn = (text: string) => text.match(/\b(?:sallyport|http_server|db_client|nodejs|process)_[a-z0-9_]+/g) ?? []

  it.each([alerts, ...dashboards])("in %s exist", (path) => {
    expect(instruments).toBeDefined()
    const names: ReadonlyArray<string> = expressions(path).flatMap(namesIn)
    expect(names.length).toBeGreaterThan(5)
    expect(names.map((name) => name.replace(/_(bucket|count|sum)$/, "")).filter((name) => !existing.has(name))).toEqual([])
  })

  it.each(dashboards)("in %s are all filtered by job and instance", (dashboard) => {
    const filtered = (expression: string) =>
      expression.match(/\{job=~"\$job",instance=~"\$instance"[,}]/g)?.length === namesIn(expression).length
    expect(expressions(dashboard).filter((expression: string) => !filtered(expression))).toEqual([])
  })

  it("in docs/monitoring.md are all of them", () => {
    expect(new Set(namesIn(read("docs/monitoring.md")))).toEqual(existing)
  })
})

describe("the configuration", () => {
  it("of compose.yaml is valid, and its variables are settings", async () => {
    const { environment } = parse(read("compose.yaml")).services.sallyport
    const { SALLYPORT_SECRET: variable, DATABASE_URL: url, ...rest } = environment
    expect(variable).toMatch(/^\$\{SALLYPORT_SECRET:\?.+\}$/)
    const configuration = await loaded({ ...rest, DATABASE_URL: url.replace(/^\$\{\w+:-(.*)\}$/, "$1") })
    expect((await Effect.runPromise(configuration.secrets)).map(Redacted.value)).toEqual([secret])
    expect(configuration.modules.map(({ name }) => name)).toEqual(["two_factor", "passkey", "audit"])
    expect(configuration.telemetry.metrics).toEqual({ host: "0.0.0.0", port: 9464 })
    expect([configuration.store.kind, configuration.mail.kind]).toEqual(["postgres", "smtp"])
  })

  it("of the image listens on every address", async () => {
    const [, assigned = ""] = /^ENV (.*)$/m.exec(read("Dockerfile")) ?? []
    const environment = Object.fromEntries(assigned.split(" ").map((pair) => pair.split("=") as [string, string]))
    expect((await loaded(environment)).listen).toMatchObject({ host: "0.0.0.0", port: 3000 })
  })

  it("of the systemd unit has the port that its start waits for", async () => {
    const unit = read("deploy/systemd/sallyport.service")
    const pairs = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) =>
      line.split(" ").map((pair) => pair.split("=") as [string, string]),
    )
    const { SALLYPORT_SECRET_FILE: file, ...environment } = Object.fromEntries(pairs)
    expect(file).toBe("%d/secret")
    const { port } = (await loaded(environment)).listen
    expect(unit).toContain(`http://127.0.0.1:${port}/readyz`)
  })

  it("of the chart's values is valid", async () => {
    const { config, drain, metrics } = parse(read(`${chart}/values.yaml`))
    const listen = { host: "0.0.0.0", port: 3000, drain_delay: drain.delay, drain: drain.timeout }
    const raw = { secret, ...config, listen, telemetry: { metrics: { host: "0.0.0.0", port: metrics.port } } }
    await expect(Effect.runPromise(configurationOf(raw, optional))).resolves.toBeDefined()
  })
})

it("every wait for a stop is longer than the drain", async () => {
  const { listen } = await loaded({})
  const wait = listen.drain_delay + listen.drain
  expect(Number.parseInt(parse(read("compose.yaml")).services.sallyport.stop_grace_period, 10)).toBeGreaterThan(wait)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read("deploy/systemd/sallyport.service"))?.[1])).toBeGreaterThan(wait)
})

it("systemd reloads by SIGHUP, and does not restart what a restart cannot heal", () => {
  const unit = read("deploy/systemd/sallyport.service")
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
  expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${codes.configuration}$`, "m"))
})

describe("the network policy of the chart", () => {
  const { rules } = parse(read(`${chart}/values.yaml`)).networkPolicy.egress

  it("lets names be resolved, over UDP and TCP", () => {
    expect(rules.dns).toEqual({ ports: ["UDP", "TCP"].map((protocol) => ({ port: 53, protocol })), to: [] })
  })

  it("lets webhooks reach no private address", () => {
    const lists = rules.webhooks.to.map(({ ipBlock }: { readonly ipBlock: { readonly except: ReadonlyArray<string> } }) => ipBlock.except)
    const excepted = new BlockList()
    for (const network of lists.flat()) {
      const [address = "", bits] = network.split("/")
      excepted.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4")
    }
    for (const address of ["10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1"])
      expect(excepted.check(address), address).toBe(true)
    for (const address of ["fd00::1", "fe80::1"]) expect(excepted.check(address, "ipv6"), address).toBe(true)
    expect([excepted.check("203.0.113.1"), excepted.check("2001:db8::1", "ipv6")]).toEqual([false, false])
  })
})

describe.runIf(spawnSync("helm", ["version"]).error === undefined)("the chart, rendered by helm", () => {
  const options = [
    "existingSecret=vars",
    "networkPolicy.egress.enabled=true",
    "autoscaling.enabled=true",
    "autoscaling.targetHashQueue=20",
    "reloadedSecret.name=files",
    "reloadedSecret.variables={SALLYPORT_SECRET,SMTP_URL}",
  ]
  const helm = (command: ReadonlyArray<string>, set: ReadonlyArray<string>) =>
    spawnSync("helm", [...command, join(root, chart), "--set", set.join(","), "--kube-version", "1.33.0"], { encoding: "utf8" })
  const rendered = (set: ReadonlyArray<string>) => {
    const { stdout, stderr } = helm(["template", "accounts"], set)
    expect(stderr).toBe("")
    return parseAllDocuments(stdout).map((document) => document.toJS())
  }
  const first = (documents: ReadonlyArray<any>, kind: string) => documents.find((document) => document?.kind === kind)?.spec

  it.each([[options.slice(0, 1)], [options]])("has no findings with %s", (set) => {
    expect(helm(["lint", "--strict"], set)).toMatchObject({ status: 0, stderr: "" })
  })

  it("has the variables of a reloaded Secret as files, also for the migration", () => {
    const documents = rendered(options)
    for (const kind of ["Deployment", "Job"]) {
      const { containers, volumes } = first(documents, kind).template.spec
      const [{ env, volumeMounts }] = containers
      const { mountPath } = volumeMounts.find(({ name }: { readonly name: string }) => name === "secret")
      expect(env).toEqual(["SALLYPORT_SECRET", "SMTP_URL"].map((name) => ({ name: `${name}_FILE`, value: `${mountPath}/${name}` })))
      expect(volumes).toContainEqual({ name: "secret", secret: { secretName: "files" } })
    }
  })

  it("scales by the queue of hashes, and limits where instances connect to, only if it is asked to", () => {
    const metricsOf = (set: ReadonlyArray<string>) => first(rendered(set), "HorizontalPodAutoscaler").metrics.map(({ type }: any) => type)
    expect(metricsOf(options)).toEqual(["Resource", "Pods"])
    expect(metricsOf(["existingSecret=vars", "autoscaling.enabled=true"])).toEqual(["Resource"])
    const policy = first(rendered(options), "NetworkPolicy")
    expect(policy.policyTypes).toEqual(["Ingress", "Egress"])
    expect(policy.egress.flatMap(({ ports }: any) => ports.map(({ port }: any) => port)).toSorted()).toEqual([443, 465, 53, 53, 5432, 587])
    const open = first(rendered(["existingSecret=vars"]), "NetworkPolicy")
    expect([open.policyTypes, open.egress]).toEqual([["Ingress"], undefined])
  })

  it("refuses variables of a reloaded Secret without its name", () => {
    expect(helm(["template", "a"], ["existingSecret=vars", "reloadedSecret.variables={SMTP_URL}"]).stderr).toContain("/reloadedSecret/name")
  })
})

it("the values of the chart that its templates read exist", () => {
  const values = parse(read(`${chart}/values.yaml`))
  const templates = readdirSync(join(root, chart, "templates"))
    .map((file) => read(`${chart}/templates/${file}`))
    .join("\n")
  const paths = [...new Set(templates.match(/\.Values(?:\.\w+)+/g))].map((path) => path.split(".").slice(2))
  const missing = paths.filter((path) => path.reduce<unknown>((value, key) => Object(value)[key], values) === undefined)
  expect(missing).toEqual([])
  expect(paths.length).toBeGreaterThan(30)
})

it("the readiness probe fails before the drain delay of the chart is over", () => {
  const { drain } = parse(read(`${chart}/values.yaml`))
  const [, period, failures] =
    /readinessProbe:[\s\S]*?periodSeconds: (\d+)[\s\S]*?failureThreshold: (\d+)/.exec(read(`${chart}/templates/deployment.yaml`)) ?? []
  expect(Number(period) * Number(failures)).toBeLessThan(drain.delay)
})

describe("the examples for Patroni", () => {
  const { restapi, postgresql, bootstrap } = parse(read("deploy/patroni/patroni.yml"))
  const proxy = read("deploy/patroni/haproxy.cfg")

  it("answer a commit only when a standby has it", () => {
    expect(bootstrap.dcs.synchronous_mode).toBe(true)
  })

  it("have times that Patroni accepts", () => {
    const { ttl, loop_wait, retry_timeout } = bootstrap.dcs
    expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout)
  })

  it("have the same addresses in HAProxy", () => {
    const [, port] = restapi.connect_address.split(":")
    expect(proxy).toContain(`server db1 ${postgresql.connect_address} check port ${port}\n`)
  })

  const checked = spawnSync("haproxy", ["-c", "-f", join(root, "deploy/patroni/haproxy.cfg")], { encoding: "utf8" })
  it.runIf(checked.error === undefined)("are valid for HAProxy", () => {
    expect(checked.status, checked.stderr).toBe(0)
  })
})
