import { createPrivateKey } from "node:crypto"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { certificate } from "../certificates.ts"
import { balancerConfiguration, startHaproxy } from "../e2e/failover/haproxy.ts"
import { temporaryFolder } from "../e2e/program.ts"
import { until } from "../e2e/waiting.ts"

/** HAProxy with TLS in front of instances, and what it says about them. */
export const startBalancer = async (port: number, instances: Readonly<Record<string, number>>) => {
  const folder = temporaryFolder()
  const [file, socket] = [join(folder, "certificate.pem"), join(folder, "stats")]
  const { pem, keys } = await certificate({ name: "CN=localhost", names: [{ type: "dns", value: "localhost" }], isAuthority: true })
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey))
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "pem", type: "pkcs8" })
  writeFileSync(file, `${pem}\n${key}`)
  await startHaproxy(balancerConfiguration(port, instances, { certificate: file, socket }), port)

  /** The fields of each instance in the statistics. */
  const statistics = async () => {
    const connection = connect(socket)
    connection.end("show stat\n")
    const parts = await connection.toArray()
    if (!connection.closed) await once(connection, "close")
    const [head = "", ...lines] = Buffer.concat(parts).toString().replace("# ", "").trim().split("\n")
    const rows = lines.map((line) => Object.fromEntries(head.split(",").map((name, index) => [name, line.split(",")[index] ?? ""])))
    return rows.filter(({ svname = "" }) => svname in instances)
  }
  return {
    ca: pem,
    /** How often the balancer has found an instance unusable. */
    failures: async () => (await statistics()).reduce((sum, { chkdown }) => sum + Number(chkdown), 0),
    allUp: async () => {
      await until("all instances in the balancer", async () => (await statistics()).every(({ status }) => status === "UP") || undefined, 60)
    },
  }
}
