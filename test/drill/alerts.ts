import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startProcess } from "../e2e/failover/processes.ts"
import { repository, temporaryFolder } from "../e2e/program.ts"
import { untilListening } from "../e2e/waiting.ts"
import { freePort } from "../free-port.ts"

/** Debian's Prometheus with the alert rules of `deploy`; returns which alerts are pending or firing. */
export const startAlerts = async (metrics: ReadonlyArray<number>) => {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const file = join(folder, "prometheus.json")
  const configuration = {
    global: { scrape_interval: "5s", evaluation_interval: "5s" },
    rule_files: [join(repository, "deploy/helm/sallyport/files/alerts.yaml")],
    scrape_configs: [{ job_name: "sallyport", static_configs: [{ targets: metrics.map((each) => `127.0.0.1:${each}`) }] }],
  }
  writeFileSync(file, JSON.stringify(configuration))
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "data")}`, `--web.listen-address=127.0.0.1:${port}`]
  startProcess(join(folder, "log"), "prometheus", args)
  await untilListening("Prometheus", port)
  return async (): Promise<ReadonlyArray<string>> => {
    const { data } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)).json()) as any
    return [...new Set<string>(data.alerts.map(({ labels, state }: any) => `${labels.alertname} (${state})`))]
  }
}
