import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../program.ts"
import { untilListening } from "../waiting.ts"
import { startProcess } from "./processes.ts"

/** Debian's HAProxy with a configuration, which it checks first. Waits until it listens on a port. */
export const startHaproxy = async (configuration: string, port: number): Promise<void> => {
  const folder = temporaryFolder()
  const file = join(folder, "haproxy.cfg")
  writeFileSync(file, configuration)
  execFileSync("haproxy", ["-c", "-f", file], { stdio: ["ignore", "ignore", "inherit"] })
  startProcess(join(folder, "log"), "haproxy", ["-db", "-f", file])
  await untilListening("HAProxy", port)
}

/**
 * A balancer of HTTP requests that probes `/readyz`, and never sends a request twice. Its answers name the instance in `x-served-by`.
 * With a file of a certificate and its key, clients have to use TLS.
 */
export const balancerConfiguration = (
  port: number,
  instances: Readonly<Record<string, number>>,
  { certificate, socket }: { readonly certificate?: string; readonly socket?: string } = {},
) => `
global
  maxconn 8000
${socket === undefined ? "" : `  stats socket ${socket} mode 600`}
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  option redispatch
frontend web
  bind 127.0.0.1:${port}${certificate === undefined ? "" : ` ssl crt ${certificate}`}
  default_backend sallyport
backend sallyport
  option httpchk GET /readyz
  http-response set-header x-served-by %s
  default-server inter 500ms fall 2 rise 1
${Object.entries(instances)
  .map(([name, instance]) => `  server ${name} 127.0.0.1:${instance} check`)
  .join("\n")}
`
