import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { parse } from "yaml"
import { freePort } from "../../free-port.ts"
import { binaries } from "../../postgres-server.ts"
import { atEnd } from "../endings.ts"
import { repository } from "../program.ts"
import { until, untilListening } from "../waiting.ts"
import { startHaproxy } from "./haproxy.ts"
import { childrenOf, databaseFolder, databaseUser, startProcess } from "./processes.ts"

const run = promisify(execFile)
const example = (name: string) => readFileSync(join(repository, "deploy/patroni", name), "utf8")

/** What Patroni's REST interface says about a member. */
interface MemberState {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** The shortest times that Patroni accepts: a dead primary is replaced after about 20 seconds. */
const times = { ttl: 20, loop_wait: 2, retry_timeout: 3 }

/** Puts the test's ports and addresses of this machine into an example of `deploy/patroni`. */
const localized = (text: string, ports: Readonly<Record<string, number>>) =>
  Object.entries(ports)
    .reduce((all, [from, to]) => all.replaceAll(new RegExp(`(?<=[: ])${from}\\b`, "g"), String(to)), text)
    .replaceAll("10.0.0.", "127.0.0.")

/** A member of the cluster: Patroni, and the PostgreSQL server that it runs. */
const makeMember = async (name: string, address: string, ports: Readonly<Record<string, number>>) => {
  const folder = databaseFolder()
  const file = join(folder, "patroni.yml")
  const data = join(folder, "data")
  const configuration = parse(localized(example("patroni.yml"), ports).replaceAll("127.0.0.11", address))
  Object.assign(configuration, { name, etcd3: { hosts: `127.0.0.1:${ports["2379"]}` } })
  Object.assign(configuration.bootstrap.dcs, times)
  Object.assign(configuration.postgresql, { data_dir: data, bin_dir: binaries(), pgpass: join(folder, "pgpass") })
  configuration.postgresql.parameters.unix_socket_directories = folder
  writeFileSync(file, JSON.stringify(configuration))
  await run("patroni", ["--validate-config", file], databaseUser)

  let patroni: ReturnType<typeof startProcess> | undefined
  const begin = () => {
    patroni = startProcess(join(folder, "log"), "patroni", [file], databaseUser)
  }
  /** Kills Patroni and PostgreSQL with SIGKILL, as if their machine lost its power. */
  const kill = async () => {
    await patroni?.kill()
    const [pid] = readPid(data)
    for (const each of pid === undefined ? [] : [pid, ...childrenOf(pid)]) killProcess(each)
  }
  atEnd(kill)
  return { name, address, file, begin, kill, log: () => readFileSync(join(folder, "log"), "utf8") }
}

const readPid = (data: string): ReadonlyArray<number> => {
  try {
    return [Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])]
  } catch {
    return []
  }
}

const killProcess = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

const startEtcd = async (port: number) => {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`]
  const folder = databaseFolder()
  const urls = ["listen-client", "advertise-client"].flatMap((kind) => [`--${kind}-urls`, client])
  const peers = ["listen-peer", "initial-advertise-peer"].flatMap((kind) => [`--${kind}-urls`, peer])
  const args = ["--data-dir", join(folder, "data"), ...urls, ...peers, "--initial-cluster", `default=${peer}`]
  startProcess(join(folder, "log"), "etcd", args)
  await untilListening("etcd", port)
}

/** A PostgreSQL cluster of two members under Patroni with `synchronous_mode`, behind HAProxy, from the examples in `deploy/patroni`. */
export const startCluster = async () => {
  const [etcd, rest, postgres, primary, replica] = await Promise.all(Array.from({ length: 5 }, freePort))
  const ports = { 2379: etcd!, 8008: rest!, 5432: postgres!, 5000: primary!, 5001: replica! }
  await startEtcd(ports[2379])
  const members = [await makeMember("db1", "127.0.0.11", ports), await makeMember("db2", "127.0.0.12", ports)] as const
  const states = async (): Promise<ReadonlyArray<MemberState>> => {
    for (const { address } of members) {
      const answer = await fetch(`http://${address}:${ports[8008]}/cluster`).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { readonly members: ReadonlyArray<MemberState> }).members
    }
    return []
  }
  const leader = async () => (await states()).find(({ role, state }) => role === "leader" && state === "running")?.name
  /** Waits until a standby has all commits of the primary. */
  const inSync = async () => {
    const isInSync = async () => (await states()).some(({ role }) => role === "sync_standby") || undefined
    await until("a synchronous standby", isInSync, 120).catch((fault) => {
      throw new Error(members.map(({ name, log }) => `${name}:\n${log().slice(-3000)}`).join("\n"), { cause: fault })
    })
  }

  for (const member of members) member.begin()
  await inSync()
  await startHaproxy(localized(example("haproxy.cfg"), ports), ports[5000])
  const { username, password } = parse(example("patroni.yml")).postgresql.authentication.superuser
  const hosts = members.map(({ address }) => `${address}:${ports[5432]}`).join(",")
  const url = (server: string) => `postgres://${username}:${password}@${server}/postgres`
  const memberOf = (name: string | undefined) => members.find((member) => member.name === name)!

  return {
    /** Through HAProxy, which leads to the primary. */
    throughHaproxy: url(`127.0.0.1:${ports[5000]}`),
    /** Names both servers; the client finds the primary. */
    severalHosts: url(hosts),
    leader,
    inSync,
    /** Changes the primary in an orderly way, and waits until the other member is it. */
    switchover: async () => {
      const before = await leader()
      await run("patronictl", ["-c", memberOf(before).file, "switchover", "--force"])
      await until("another primary", async () => (await leader().then((name) => name !== undefined && name !== before)) || undefined, 60)
    },
    /** Kills the primary, and waits until the other member is primary. Returns how to start the killed member again. */
    failover: async () => {
      const before = memberOf(await leader())
      await before.kill()
      await until(
        "another primary",
        async () => (await leader().then((name) => name !== undefined && name !== before.name)) || undefined,
        90,
      )
      return before.begin
    },
  }
}
