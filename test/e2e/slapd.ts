import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { temporaryFolder } from "./program.ts"
import { untilListening } from "./waiting.ts"

export const base_dn = "dc=example,dc=org"
export const bind_dn = `cn=reader,${base_dn}`
export const bind_password = "the reader's password"

/** A user of the directory. */
export interface Person {
  readonly uid: string
  readonly name: string
  readonly mail: string
  readonly password: string
}

const entries = (people: ReadonlyArray<Person>) =>
  [
    `dn: ${base_dn}\nobjectClass: dcObject\nobjectClass: organization\no: Example`,
    `dn: ${bind_dn}\nobjectClass: person\ncn: reader\nsn: reader\nuserPassword: ${bind_password}`,
    ...people.map(
      ({ uid, name, mail, password }) =>
        `dn: uid=${uid},${base_dn}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${name}\nsn: ${name}\nmail: ${mail}\nuserPassword: ${password}`,
    ),
  ].join("\n\n")

/** Debian's slapd on a free port, with these users and files of its own. */
export const startSlapd = async (people: ReadonlyArray<Person>) => {
  const folder = temporaryFolder()
  const [config, data, ldif] = ["slapd.conf", "data", "entries.ldif"].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(data)
  const schemas = ["core", "cosine", "inetorgperson"].map((name) => `include /etc/ldap/schema/${name}.schema`)
  const database = [
    "database mdb",
    `suffix "${base_dn}"`,
    `directory ${data}`,
    "maxsize 10485760",
    "access to attrs=userPassword by * auth",
    "access to * by * read",
  ]
  writeFileSync(config, [...schemas, "modulepath /usr/lib/ldap", "moduleload back_mdb", ...database, ""].join("\n"))
  writeFileSync(ldif, `${entries(people)}\n`)
  execFileSync("/usr/sbin/slapadd", ["-f", config, "-l", ldif])
  const port = await freePort()
  const url = `ldap://127.0.0.1:${port}`
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn("/usr/sbin/slapd", ["-f", config, "-h", url, "-d", "0"], { stdio: "ignore" })
    await untilListening("slapd", port)
  }
  const stop = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, "exit")
    server.kill("SIGKILL")
    await gone
  }
  await start()
  atEnd(stop)
  return { url, start, stop }
}
